"""dependency-unreachable: the workload waits for another service that it cannot reach or resolve.

What it means
    The program itself is fine; it (or an init container made for that) waits for a database, queue or API that does
    not answer or whose name cannot be resolved.

How it is recognised
    The last message of a container that is not ready (`terminated.message`) holds `connection refused`, `no such host`,
    `i/o timeout`, `Temporary failure in name resolution` and their kin; or an init container that does not finish has a
    command that waits for a host (`until nslookup …`, `nc -z …`, `wait-for-it …`, `pg_isready …`). Likely in both: the
    other end was not looked at.

What to do
    Look at the service that it names: does it exist, has it ready endpoints, does a NetworkPolicy allow the way, does
    DNS answer?

Limits
    Logs are not read, so a program that writes no termination message shows only as crashing.

References
    https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import kubectl
from whypending.diagnosis import Citation, Confidence, Finding, Triage
from whypending.evidence import Evidence
from whypending.patterns import Pattern

from ._containers import Member, members
from ._logs import read_log
from ._node import OVER
from .init_container_blocked import blocking

CAUSE = Cause(
    "WP430",
    "dependency-unreachable",
    Triage.SCHEDULED_NOT_READY,
    refines=("init-container-blocked", "container-crashloop", "container-failed"),
    explained_by=OVER,
)
_SAYS = Pattern(
    r"connection refused|ECONNREFUSED|no such host|could not (?:resolve|translate) host|i/o timeout|no route to host"
    r"|Name or service not known|Temporary failure in name resolution|ENOTFOUND|EAI_AGAIN|connection timed out"
    r"|UnknownHostException|context deadline exceeded",
    re.IGNORECASE,
)
_HOST = Pattern(
    r"(?:lookup |dial \w+ |host(?:name)? [\"']?|(?:getaddrinfo )?(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED) |://)"
    r"([A-Za-z0-9][\w.-]*(?::\d+)?)"
)
_WAITS = Pattern(
    r"(?:until|while)\b.*?\b(?:nslookup|nc|curl|wget|ping|pg_isready|mysqladmin|redis-cli|getent|dig)\b"
    r"|\bnc -\w*z|wait-?for-?it|wait-?for\b|dockerize .*-wait|pg_isready|kubectl wait",
    re.DOTALL,
)
_NAMED = Pattern(
    r"(?:nslookup|getent hosts|ping(?: -\w+(?: \d+)?)*|nc(?: -\w+(?: \d+)?)*|-h(?:ost)?[ =]|wait-?for(?:-?it)?(?:\.sh)?|-wait|https?://|tcp://)"
    r"\s*(?:\w+://)?([a-z][\w.-]*)"
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Each container that says, or is made to show, that it waits for somebody else."""
    pod = evidence.the_pod
    for member in members(pod) if pod else ():
        if not member.ready and (found := _by_message(member) or _by_command(member)):
            yield found


def _by_message(member: Member) -> Finding | None:
    end = member.last_terminated
    said = _SAYS.search(end.message) if end else None
    if end is None or said is None or end.exit_code == 0:
        return None
    host = _HOST.search(end.message)
    whom = host[1].rstrip(".:") if host else "a service that it needs"
    message = f'{member.label} of {member.pod.ref} cannot reach {whom}: it ended with "{said[0]}"'
    return _finding(member, message, member.cite(f"{member.ended_at}.message", end.message), host[1] if host else "")


def _by_command(member: Member) -> Finding | None:
    if not member.init or member != blocking(member.pod):
        return None
    command = " ".join((*member.spec.command, *member.spec.args))
    if not _WAITS.search(command):
        return None
    host = _NAMED.search(command)
    message = (
        f"{member.label} of {member.pod.ref} waits for {host[1] if host else 'another service'}, which does not answer"
    )
    return _finding(member, message, member.cite_spec("command", command), host[1] if host else "")


def _finding(member: Member, message: str, cited: Citation, host: str) -> Finding:
    service, _, rest = host.partition(":")[0].partition(".")
    inside = bool(rest) and (".svc" in host or "." not in rest)
    namespace = rest.partition(".")[0] if inside else member.pod.namespace
    remedies = [read_log(member, previous=member.running is None and member.restarts > 0)]
    if service and not service.isdigit():
        remedies.insert(
            0,
            look(
                "See whether that Service exists and has ready endpoints.",
                kubectl(namespace, "get", "service,endpointslices", "-l", f"kubernetes.io/service-name={service}"),
            ),
        )
    return CAUSE.finding(f"{message}.", confidence=Confidence.LIKELY, citations=(cited,), remedies=remedies)
