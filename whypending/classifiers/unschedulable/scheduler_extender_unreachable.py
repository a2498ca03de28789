"""scheduler-extender-unreachable: an HTTP scheduler extender does not answer.

What it means
    This scheduler is configured to ask another service about each Pod (or each Pod with a certain resource). That
    service times out, refuses the connection or answers with an error, so such Pods can't be scheduled at all.

How it is recognised
    `Post "http://…/filter": …` or `failed filter with extender at URL …, code 500` in the scheduler's verdict: proved.

What to do
    Repair the extender, or correct its urlPrefix in the KubeSchedulerConfiguration. `ignorable: true` there lets
    Pods pass while it is away.

Limits
    Whether the name does not resolve, the port is closed or the service hangs is as far as the error's text says.

References
    HTTPExtender, kube-scheduler 1.2 to 1.37; KubeSchedulerConfiguration `extenders`.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._logged import errors
from whypending.classifiers.unschedulable._told import told
from whypending.classifiers.unschedulable._words import sentence
from whypending.diagnosis import Citation, Finding, Remedy, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP333", "scheduler-extender-unreachable", Triage.UNSCHEDULABLE)
_LOOPBACK = ("127.", "localhost", "[::1]")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    url, code = this.fact("extender"), this.fact("code")
    why = f"answers with status {code}" if code else f"does not answer: {this.fact('error').rstrip('. ')}".rstrip(": ")
    yield CAUSE.finding(
        sentence(
            f"The scheduler extender at {url or 'an address not named'} {why}, so {this.pod.ref} can't be scheduled"
        ),
        confidence=this.confidence,
        role=this.role,
        citations=(
            *this.citations,
            Citation(object=this.pod.ref, field="spec.schedulerName", value=this.pod.scheduler_name),
            *errors(evidence, this.pod),
        ),
        remedies=_remedies(url, this.pod.scheduler_name),
    )


def _remedies(url: str, scheduler: str) -> Iterator[Remedy]:
    try:
        host = urlsplit(url).netloc
    except ValueError:
        host = ""
    yield look(
        "Find the extender's Service and Pods.",
        "kubectl get svc,pods -A -o wide | grep -i -E 'extender|gpushare|scheduler'",
    )
    yield change(f"Repair the extender{f' behind {host}' if host else ''} and its way from the scheduler's host.")
    if host.startswith(_LOOPBACK):
        yield change(f"The address is the scheduler's own host: correct urlPrefix in the configuration of {scheduler}.")
    else:
        yield change(f"Or correct its urlPrefix in the configuration of {scheduler}.")
