"""dra-claim-not-allocated: a ResourceClaim of the Pod is not allocated yet.

What it means
    The Pod asks for devices by a ResourceClaim (dynamic resource allocation). The claim is missing, no node has a
    device that fits it, another Pod uses it, or (up to 1.31) its driver's controller does not allocate it.

How it is recognised
    The DynamicResources plugin's words in the scheduler's verdict, such as `cannot allocate all claims` or `waiting
    for resource driver to allocate resource`: proved. The claims' `status.allocation` is read where it can be.

What to do
    Look at the claim, its DeviceClass and the ResourceSlices; check that the DRA driver runs on the nodes that have
    the devices.

Limits
    Which device attribute does not fit is not computed here.

References
    DynamicResources, kube-scheduler 1.26 to 1.37; kubernetes.io "Dynamic Resource Allocation".
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._told import Told, told
from whypending.classifiers.unschedulable._words import names, sentence, unique
from whypending.diagnosis import Citation, Finding, Remedy, Triage
from whypending.evidence import Evidence, seen
from whypending.objects.pod import Pod

CAUSE = Cause("WP332", "dra-claim-not-allocated", Triage.UNSCHEDULABLE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding."""
    this = told(evidence, CAUSE.name)
    if this is None:
        return
    yield CAUSE.finding(
        sentence(f"{_message(evidence, this)}{this.tail}"),
        confidence=this.confidence,
        role=this.role,
        citations=(*this.citations, *_cite(evidence, this)),
        remedies=_remedies(this),
    )


def _message(evidence: Evidence, this: Told) -> str:
    which = _which(evidence, this)
    if "DeviceClass" in this.facts("missing") or "ResourceClass" in this.facts("missing"):
        return f"{which} of {this.pod.ref} names the device class {this.fact('deviceClass')}, which does not exist"
    if "ResourceClaim" in this.facts("missing"):
        return f"{which} of {this.pod.ref} does not exist yet"
    if "waiting for resource driver" in this.words:
        return f"{which} of {this.pod.ref} is not allocated: its driver has not answered the scheduler"
    return f"{which} of {this.pod.ref} is not allocated: {this.words.rstrip('. ')}"


def _which(evidence: Evidence, this: Told) -> str:
    pod = this.pod
    said = unique(c.rpartition("/")[2] for c in this.facts("claim"))
    open_ = unique(c.name for c in seen(evidence.resource_claims) if not c.status.get("allocation"))
    made = said or open_ or tuple(_made(pod))
    if made:
        return f"ResourceClaim {names([f'{pod.namespace}/{n}' for n in made])}"
    asked = names([c.name for c in pod.spec.resource_claims])
    return f'The ResourceClaim "{asked}"' if asked else "A ResourceClaim"


def _made(pod: Pod) -> Iterator[str]:
    for status in pod.status.resource_claim_statuses:
        if status.resource_claim_name:
            yield status.resource_claim_name


def _cite(evidence: Evidence, this: Told) -> Iterator[Citation]:
    for claim in this.pod.spec.resource_claims:
        source = claim.resource_claim_name or claim.resource_claim_template_name
        yield Citation(object=this.pod.ref, field=f"spec.resourceClaims[name={claim.name}]", value=source)
    for made in seen(evidence.resource_claims):
        value = "set" if made.status.get("allocation") else "absent"
        yield Citation(object=made.ref, field="status.allocation", value=value)


def _remedies(this: Told) -> Iterator[Remedy]:
    space = shlex.quote(this.pod.namespace)
    yield look("See the claims and their Events.", f"kubectl -n {space} describe resourceclaims")
    if "waiting for resource driver" in this.words:
        yield change("Repair the DRA driver's controller: it must run, reach the API and allocate the claim.")
    else:
        yield look("See what the drivers offer.", "kubectl get resourceslices,deviceclasses")
        yield change("Repair the DRA driver on the nodes that have the devices, or ask for what they offer.")
