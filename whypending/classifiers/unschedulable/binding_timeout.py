"""binding-timeout: PreBind waited for the volume's binding or provisioning and timed out.

What it means
    The scheduler had chosen a node: every filter passed. Then it asked for the Pod's volumes to be made or bound
    there, and ten minutes went by without. Capacity and affinity are not the trouble; the storage provisioner is.

How it is recognised
    `running PreBind plugin "VolumeBinding": binding volumes: timed out waiting for the condition` (newer: `context
    deadline exceeded`) in the scheduler's verdict: proved. The claims that are still not bound are named.

What to do
    Look at the claim's Events and the provisioner's log: no driver, no rights in the cloud, a quota there.

Limits
    The provisioner's log is not read. csi-driver-missing says more where the driver is not there at all.

References
    VolumeBinding PreBind, `bindTimeoutSeconds` (600 by default), kube-scheduler 1.18 to 1.37.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._claims import PodClaim, cite_claim_event, events_of, provisioner_of, refs_of
from whypending.classifiers.unschedulable._told import told
from whypending.classifiers.unschedulable._words import sentence
from whypending.classifiers.unschedulable.pvc_unbound import unbound
from whypending.diagnosis import Finding, Remedy, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP325", "binding-timeout", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    claims = unbound(evidence)
    failed = [(c, e) for c in claims for e in events_of(evidence, c, "ProvisioningFailed")[-1:]]
    refs = refs_of(claims) or "its volumes"
    why = f" ({failed[0][1].text.rstrip('. ')})" if failed else ""
    yield CAUSE.finding(
        sentence(f"A node was chosen for {this.pod.ref}, but {refs} did not get bound in time{why}{this.tail}"),
        confidence=this.confidence,
        role=this.role,
        citations=(
            *this.citations,
            *(citation for c in claims for citation in c.cite()),
            *(cite_claim_event(e, c) for c, e in failed),
        ),
        remedies=_remedies(evidence, claims),
    )


def _remedies(evidence: Evidence, claims: tuple[PodClaim, ...]) -> Iterator[Remedy]:
    for claim in claims[:2]:
        command = f"kubectl -n {shlex.quote(claim.namespace)} describe pvc {shlex.quote(claim.name)}"
        yield look("Read the claim's Events.", command)
        provisioner = provisioner_of(evidence, claim)
        if provisioner:
            yield change(f"Repair the provisioner {provisioner}: its controller's log tells what it waits for.")
    if not claims:
        yield change("Repair the storage provisioner: its controller's log tells what it waits for.")
