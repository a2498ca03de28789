"""scheduler-config-version-removed: the KubeSchedulerConfiguration apiVersion is not known to this scheduler binary.

What it means
    After an upgrade the scheduler can't read its own configuration file and ends at once, again and again.

How it is recognised
    Its log says `no kind "KubeSchedulerConfiguration" is registered for version "kubescheduler.config.k8s.io/…"`
    (proved), or its ConfigMap has an apiVersion that the release of its image no longer knows (likely).

What to do
    Set apiVersion: kubescheduler.config.k8s.io/v1 (known since 1.25) and check the renamed fields; then restart it.

Limits
    The release is read from the image's tag, which may lie.

References
    KubeSchedulerConfiguration: v1 since 1.25, v1beta2 gone in 1.28, v1beta3 gone in 1.29
    https://kubernetes.io/docs/reference/scheduling/config/
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change
from whypending.classifiers.no_scheduler._config import GROUP, REMOVED
from whypending.classifiers.no_scheduler._found import Scheduler, serving
from whypending.classifiers.no_scheduler._logs import UNKNOWN_VERSION, cite, matching
from whypending.classifiers.words import field_citation, kubectl, resource
from whypending.diagnosis import Citation, Confidence, Finding, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP107", "scheduler-config-version-removed", Triage.NO_SCHEDULER)
_TAG = re.compile(r":v?(\d+)\.(\d+)")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The version is refused in the log, or gone from the release of the image."""
    for line, match in matching(evidence, UNKNOWN_VERSION):
        yield _finding(
            f"its log says that it does not know {GROUP}{match['version']}", Confidence.PROVED, cite(line), ""
        )
        return
    pod = evidence.the_pod
    for scheduler in serving(evidence, pod.scheduler_name) if pod else ():
        configuration, release = scheduler.configuration, release_of(scheduler)
        if configuration is None or release is None or release < REMOVED.get(configuration.version, (99, 0)):
            continue
        proof = field_citation(
            configuration.source, f"data[{configuration.key}] apiVersion", GROUP + configuration.version
        )
        gone = ".".join(map(str, REMOVED[configuration.version]))
        said = f"{configuration.source.ref} has {GROUP}{configuration.version}, gone in {gone}"
        edit = kubectl(scheduler.owner.namespace, "edit", resource(configuration.source))
        yield _finding(said, Confidence.LIKELY, proof, edit)


def release_of(scheduler: Scheduler) -> tuple[int, int] | None:
    """(major, minor) by the tag of the image that runs it."""
    found = (_TAG.search(c.image.rsplit("/", 1)[-1]) for c in scheduler.template.containers)
    return next(((int(m[1]), int(m[2])) for m in found if m), None)


def _finding(said: str, confidence: Confidence, proof: Citation, command: str) -> Finding:
    return CAUSE.finding(
        f"The scheduler cannot read its own configuration and ends at once: {said}.",
        confidence=confidence,
        citations=[proof],
        remedies=[change(f"Set apiVersion: {GROUP}v1 in its configuration, then restart it.", command)],
    )
