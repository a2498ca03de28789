"""container-start-error: the command cannot be executed (not found, not executable, wrong architecture).

What it means
    The runtime could not run the container's command at all: it is not in the image, is not executable, is a
    directory, was made for another processor, or its interpreter is missing.

How it is recognised
    `state.waiting.message` of RunContainerError or CreateContainerError, or the message of a termination with reason
    StartError or ContainerCannotRun, holds `executable file not found in $PATH`, `no such file or directory`,
    `permission denied` or `exec format error` after `exec:`. A bare exit code 127 or 126 (a shell's word) is likely.

What to do
    Correct `command` and `args` in the workload (they are no shell line), or the image.

Limits
    A program that starts and then misses a file of its own ends with its own code: container-crashloop.

References
    https://kubernetes.io/docs/tasks/inject-data-application/define-command-argument-container/; runc, libcontainer.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.diagnosis import Citation, Confidence, Finding, Triage
from whypending.evidence import Evidence
from whypending.patterns import Pattern

from ._containers import Member, members
from ._node import OVER
from ._owner import edit
from .container_create_failed import REASONS

CAUSE = Cause(
    "WP449",
    "container-start-error",
    Triage.SCHEDULED_NOT_READY,
    refines=("container-create-failed", "container-crashloop", "container-failed", "init-container-blocked"),
    explained_by=OVER,
)
_WHY = (
    (Pattern(r"executable file.* not found in \$PATH"), "is not in the image's $PATH"),
    (Pattern(r"exec format error"), "was made for another processor, or lacks its #! line"),
    (Pattern(r"(?:exec|stat|fork/exec|starting container process)\b.*: permission denied"), "is not executable"),
    (Pattern(r"(?:exec|stat|fork/exec|starting container process)\b.*: no such file or directory"), "is not there"),
    (Pattern(r"exec: .*: is a directory"), "is a directory"),
)
_COMMAND = Pattern(r'exec(?:utable file)?:? \\?[`"]?\\?"?([^\\"`: ]+)')
_ENDS = {"StartError", "ContainerCannotRun"}
_SHELL = {126: "could not be executed", 127: "was not found"}


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Each container whose command could not be run."""
    pod = evidence.the_pod
    for member in members(pod) if pod else ():
        found = None if member.ready or member.running else _by_runtime(member) or _by_shell(member)
        if found is None:
            continue
        said, confidence, cited = found
        yield CAUSE.finding(
            f"{member.label} of {member.pod.ref} cannot run its command: {said}.",
            confidence=confidence,
            citations=(*cited, *_asked(member)),
            remedies=(
                edit(
                    evidence,
                    f"Correct command and args of {member.noun}; without a shell, pipes and variables are not seen.",
                ),
                look(
                    f"See what the image {member.spec.image} holds and runs by default: crane config, docker inspect."
                ),
            ),
        )


def _by_runtime(member: Member) -> tuple[str, Confidence, tuple[Citation, ...]] | None:
    for field, text in _texts(member):
        for pattern, why in _WHY:
            if pattern.search(text):
                named = _COMMAND.search(text)
                command = named[1] if named else _command(member)
                return f"{command} {why}", Confidence.PROVED, (member.cite(field, text),)
    return None


def _texts(member: Member) -> Iterator[tuple[str, str]]:
    if member.waiting is not None and member.waiting.reason in REASONS:
        yield "state.waiting.message", member.waiting.message
    end = member.last_terminated
    if end is not None and end.reason in _ENDS:
        yield f"{member.ended_at}.message", end.message


def _by_shell(member: Member) -> tuple[str, Confidence, tuple[Citation, ...]] | None:
    end = member.last_terminated
    if end is None or end.exit_code not in _SHELL or end.reason in _ENDS:
        return None
    said = f"its shell ended with code {end.exit_code}, so something in {_command(member)} {_SHELL[end.exit_code]}"
    return said, Confidence.LIKELY, (member.cite(f"{member.ended_at}.exitCode", end.exit_code),)


def _command(member: Member) -> str:
    words = " ".join((*member.spec.command, *member.spec.args))
    return f'"{words[:80]}"' if words else "the image's own command"


def _asked(member: Member) -> Iterator[Citation]:
    if member.spec.command:
        yield member.cite_spec("command", " ".join(member.spec.command))
