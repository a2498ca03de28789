"""scheduler-config-version-removed: the KubeSchedulerConfiguration apiVersion is not known to this scheduler binary.

What it means
    After an upgrade the scheduler can't read its own configuration file and ends at once, again and again.

How it is recognised
    Its log says `no kind "KubeSchedulerConfiguration" is registered for version "…"` and shows no start after that
    (proved where the log is the scheduler's and fresh), or its ConfigMap has an apiVersion that the release of its
    kube-scheduler image does not know while none of its Pods is Ready (likely).

What to do
    Set an apiVersion that the binary knows (v1 since 1.25) and check the renamed fields; then restart it. Where the
    binary is older than the configuration, run a newer one.

Limits
    The release is read from the tag of an image called kube-scheduler, which may lie.

References
    pkg/scheduler/apis/config of each release: v1beta2 from 1.22 to 1.27, v1beta3 from 1.23 to 1.28, v1 since 1.25
    https://kubernetes.io/docs/reference/scheduling/config/
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change
from whypending.classifiers.no_scheduler._logs import STARTED, cite, confidence, hits
from whypending.classifiers.no_scheduler._words import title
from whypending.classifiers.words import field_citation, kubectl, resource
from whypending.diagnosis import Confidence, Finding, Remedy, Triage
from whypending.evidence import Evidence
from whypending.inventory.configuration import GROUP, KNOWN
from whypending.inventory.found import Scheduler, serving
from whypending.inventory.process import KUBE_SCHEDULER, programs, schedulers_of
from whypending.patterns import Pattern

CAUSE = Cause(
    "WP107", "scheduler-config-version-removed", Triage.NO_SCHEDULER, refines=("default-scheduler-not-running",)
)
UNKNOWN_VERSION = Pattern(
    r'no kind \\?"KubeSchedulerConfiguration\\?" is registered for version \\?"(?P<version>[\w./]{1,80})\\?"'
)
_TAG = Pattern(r":v?(\d{1,3})\.(\d{1,3})(?:\.|-|$)")

Release = tuple[int, int]


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The version is refused in the log, or unknown to the release of the image."""
    pod = evidence.the_pod
    if pod is None:
        return
    name = pod.scheduler_name
    found = hits(evidence, UNKNOWN_VERSION, STARTED, "is registered for version")
    if found:
        version = found[-1].match["version"]
        yield CAUSE.finding(
            f"{title(name)} cannot read its own configuration and ends at once: it does not know {version}.",
            confidence=confidence(evidence, found),
            citations=cite(found[-1:]),
            remedies=_remedies(serving(evidence, name), version),
        )
        return
    for scheduler in serving(evidence, name):
        yield from _by_image(scheduler, name)


def _by_image(scheduler: Scheduler, name: str) -> Iterator[Finding]:
    configuration, release = scheduler.configuration, release_of(scheduler)
    if configuration is None or release is None or scheduler.is_up:
        return
    first, gone = KNOWN.get(configuration.version, ((0, 0), (99, 0)))
    if first <= release < gone:
        return
    version = GROUP + configuration.version
    why = f"gone in {_dotted(gone)}" if release >= gone else f"new in {_dotted(first)}"
    yield CAUSE.finding(
        f"{title(name)} ({scheduler.owner.ref}) cannot read its own configuration and ends at once: "
        f"{configuration.source.ref} has {version}, {why}, and its image is {_dotted(release)}.",
        confidence=Confidence.LIKELY,
        citations=[field_citation(configuration.source, f"data[{configuration.key}] apiVersion", version)],
        remedies=_remedies((scheduler,), version),
    )


def release_of(scheduler: Scheduler) -> Release | None:
    """(major, minor) by the tag of a kube-scheduler image; scheduler-plugins' v0.29 is built on 1.29."""
    for container in schedulers_of(scheduler.template):
        match = _TAG.search(container.image.rsplit("/", 1)[-1])
        if match and KUBE_SCHEDULER in programs(container)[:1]:
            return (max(int(match[1]), 1), int(match[2]))
    return None


def _dotted(release: Release) -> str:
    return ".".join(map(str, release))


def _remedies(schedulers: tuple[Scheduler, ...], version: str) -> Iterator[Remedy]:
    if version == f"{GROUP}v1":
        yield change("Run a scheduler of release 1.25 or later, which knows v1, or write its configuration as v1beta3.")
        return
    configured = [s for s in schedulers if s.configuration]
    configuration = configured[0].configuration if configured else None
    edit = kubectl(configuration.source.namespace, "edit", resource(configuration.source)) if configuration else ""
    yield change(f"Set apiVersion: {GROUP}v1 in its configuration and check the fields, then restart it.", edit)
