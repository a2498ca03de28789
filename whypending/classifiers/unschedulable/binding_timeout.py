"""binding-timeout: a node was chosen, and PreBind waits, or waited in vain, for a volume or device to be ready there.

What it means
    The scheduler has chosen a node: every filter passed. Then it asked for the Pod's volumes to be made or bound
    there, and waits up to ten minutes; then it starts anew. Capacity and affinity are not the trouble; the storage
    provisioner (or the driver of a device) is.

How it is recognised
    `running PreBind plugin "VolumeBinding": binding volumes: timed out waiting for the condition` (newer: `context
    deadline exceeded`) in the scheduler's verdict: proved. The claims that are still not bound are named.
    Before the timeout nothing is written onto the Pod: a claim of it that is not bound has the annotation
    `volume.kubernetes.io/selected-node`, or an allocated ResourceClaim is reserved for it. Proved where the default
    scheduler holds its Lease or nominated that node; else likely, since another Pod of the claim leaves the same mark.

What to do
    Look at the claim's Events and the provisioner's log: no driver, no rights in the cloud, a quota there.

Limits
    The provisioner's log is not read. csi-driver-missing says more where the driver is not there at all.

References
    VolumeBinding PreBind, `bindTimeoutSeconds` (600 by default), kube-scheduler 1.18 to 1.37; DynamicResources
    PreBind, device binding conditions (1.34 on).
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._awaited import Awaited, awaited, is_under_way
from whypending.classifiers.unschedulable._claims import (
    PodClaim,
    cite_claim_event,
    driver_of,
    events_of,
    is_installed,
    provisioner_of,
    refs_of,
)
from whypending.classifiers.unschedulable._told import told
from whypending.classifiers.unschedulable._words import names, sentence
from whypending.classifiers.unschedulable.pvc_unbound import unbound
from whypending.diagnosis import Finding, Remedy, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP325", "binding-timeout", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this, waits = told(evidence, CAUSE.name), awaited(evidence)
    if waits is not None:
        yield _still_waiting(evidence, waits)
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


def _still_waiting(evidence: Evidence, waits: Awaited) -> Finding:
    """The same before its timeout, or while nothing is wrong yet."""
    node = f"node {waits.node}" if waits.node else "a node"
    what = names([*(c.ref for c in waits.claims), *(d.ref for d in waits.devices)])
    how = "to be bound there" if waits.claims else "to be ready there"
    failed = [(c, e) for c in waits.claims for e in events_of(evidence, c, "ProvisioningFailed")[-1:]]
    busy = any(is_under_way(evidence, c) for c in waits.claims)
    why = f" ({failed[0][1].text.rstrip('. ')})" if failed else " (its provisioner is at work on it)" if busy else ""
    return CAUSE.finding(
        sentence(
            f"A scheduler has chosen {node} for {waits.pod.ref} and waits, up to ten minutes, for {what} {how}{why}"
        ),
        confidence=waits.confidence,
        citations=(
            *waits.cite(),
            *(citation for c in waits.claims for citation in c.cite()),
            *(cite_claim_event(e, c) for c, e in failed),
            *(
                cite_claim_event(e, c)
                for c in waits.claims
                for e in events_of(evidence, c, "ExternalProvisioning")[-1:]
            ),
        ),
        remedies=(*_wait(is_at_work=busy and not failed), *_remedies(evidence, waits.claims), *_of_devices(waits)),
    )


def _wait(*, is_at_work: bool) -> Iterator[Remedy]:
    if is_at_work:
        yield look("Wait: the provisioner is at work, and the scheduler waits for it up to ten minutes.")


def _of_devices(waits: Awaited) -> Iterator[Remedy]:
    space = shlex.quote(waits.pod.namespace)
    for device in waits.devices[:1]:
        command = f"kubectl -n {space} get resourceclaim {shlex.quote(device.name)} -o yaml"
        yield look("See which conditions its devices wait for (bindingConditions, status.devices).", command)


def _remedies(evidence: Evidence, claims: tuple[PodClaim, ...]) -> Iterator[Remedy]:
    for claim in claims[:2]:
        command = f"kubectl -n {shlex.quote(claim.namespace)} describe pvc {shlex.quote(claim.name)}"
        yield look("Read the claim's Events.", command)
        provisioner = provisioner_of(evidence, claim)
        driver = driver_of(provisioner)
        if provisioner and (not driver or is_installed(evidence, driver) is not False):
            yield change(f"Repair the provisioner {provisioner}: its controller's log tells what it waits for.")
    if not claims and awaited(evidence) is None:
        yield change("Repair the storage provisioner: its controller's log tells what it waits for.")
