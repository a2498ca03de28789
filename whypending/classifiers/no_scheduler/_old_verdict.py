"""unrecognised-message: what the scheduler said before it vanished, listed as contributing under its own causes.

A Pod with an old refusal whose scheduler has gone is this class's (design: triage, 6). Until a scheduler works again
the old reasons stand as they are, and they may still hold when it does.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import sentence, since
from whypending.diagnosis import Confidence, Finding, Remedy, Role, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import Pod
from whypending.triage import was_refused

CAUSE = Cause("WP351", "unrecognised-message", Triage.UNSCHEDULABLE)
"""The name for words that no pattern knows; the folder of unschedulable holds its page."""


def classify(evidence: Evidence) -> Iterator[Finding]:
    """One contributing finding for each cause in the old verdict, in the scheduler's words."""
    pod = evidence.the_pod
    if pod is None or not was_refused(pod, evidence):
        return
    # Only here: this class is mostly asked about Pods without a verdict, and the other folder is large.
    from whypending.classifiers.unschedulable import MODULES  # noqa: PLC0415
    from whypending.classifiers.unschedulable._told import told_all  # noqa: PLC0415
    from whypending.classifiers.unschedulable._verdict import verdict_of  # noqa: PLC0415

    verdict = verdict_of(evidence)
    if verdict is None:
        return
    causes = {m.CAUSE.name: m.CAUSE for m in MODULES}
    ago = f" {since(verdict.last, evidence.now)} ago" if verdict.last else ""
    told = [(causes[t.name], f" on {t.subject}" if t.count else "", t.words) for t in told_all(evidence)
            if t.name in causes]  # fmt: skip
    for cause, where, words in told or [(CAUSE, "", verdict.text)]:
        yield cause.finding(
            sentence(f"The scheduler refused {pod.ref}{ago}{where}: {words}"),
            confidence=Confidence.LIKELY,
            role=Role.CONTRIBUTING,
            citations=verdict.citations,
            remedies=_remedies(pod),
        )


def _remedies(pod: Pod) -> Iterator[Remedy]:
    again = f"whypending pod -n {pod.namespace} {pod.name}"
    yield look("Ask again once a scheduler works: this is as old as its last attempt.", again)
