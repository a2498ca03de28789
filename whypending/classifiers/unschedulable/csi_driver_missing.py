"""csi-driver-missing: the CSI driver that must provision or attach the volume is not installed.

What it means
    The claim's StorageClass names a provisioner, and nobody answers to that name. Classes with an old in-tree name
    (`kubernetes.io/aws-ebs` …) need a CSI driver as well since their code was moved out of Kubernetes.

How it is recognised
    A claim that is not bound, with binding-timeout (also before its timeout) or pvc-unbound. Proved: CSIDrivers and
    CSINodes were read, and none has the driver. Likely: they could not be read, and the class has a migrated in-tree
    name or the claim's Event says that it waits for an external provisioner, with none of that provisioner's own
    Events.

What to do
    Install the driver (on clouds: the add-on, with its role), or use a class of a driver that is there.

Limits
    A provisioner that is no CSI driver has no CSIDriver object; it is judged by the claim's Events only.

References
    kubernetes.io "CSI volume migration"; k8s.io/csi-translation-lib; persistentvolume-controller.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.unschedulable._awaited import awaited
from whypending.classifiers.unschedulable._claims import (
    PodClaim,
    cite_claim_event,
    class_of,
    driver_of,
    events_of,
    is_installed,
    is_migrated,
    provisioner_of,
)
from whypending.classifiers.unschedulable._told import told
from whypending.classifiers.unschedulable._words import sentence
from whypending.classifiers.unschedulable.pvc_unbound import unbound
from whypending.diagnosis import Citation, Confidence, Finding, Triage
from whypending.evidence import Evidence

CAUSE = Cause("WP326", "csi-driver-missing", Triage.UNSCHEDULABLE, refines=("binding-timeout", "pvc-unbound"))
_OWN_EVENTS = ("Provisioning", "ProvisioningFailed", "ProvisioningSucceeded")
_CLOUD = {
    "ebs.csi.aws.com": "On EKS it is the add-on aws-ebs-csi-driver, which needs an IAM role.",
    "pd.csi.storage.gke.io": "On GKE it is the feature GcePersistentDiskCsiDriver of the cluster.",
    "disk.csi.azure.com": "On AKS it is the cluster's storage profile for disks.",
    "file.csi.azure.com": "On AKS it is the cluster's storage profile for files.",
}


def classify(evidence: Evidence) -> Iterator[Finding]:
    """One finding a claim."""
    pod, waits = evidence.the_pod, awaited(evidence)
    if pod is None or not (waits or told(evidence, "binding-timeout") or told(evidence, "pvc-unbound")):
        return
    for claim in waits.claims if waits else unbound(evidence):
        provisioner = provisioner_of(evidence, claim)
        driver = driver_of(provisioner)
        confidence = _confidence(evidence, claim, provisioner, driver)
        if confidence is not None:
            yield CAUSE.finding(
                sentence(_message(f"{claim.ref} of {pod.ref}", provisioner, driver, confidence)),
                confidence=confidence,
                citations=(*claim.cite(), *_cite(evidence, claim)),
                remedies=(
                    look("See which CSI drivers are installed.", "kubectl get csidrivers,csinodes"),
                    change(f"Install {driver or provisioner}. {_CLOUD.get(driver, '')}".rstrip()),
                    change("Or create the claim again with a StorageClass of a driver that is installed."),
                ),
            )


def _confidence(evidence: Evidence, claim: PodClaim, provisioner: str, driver: str) -> Confidence | None:
    waits = bool(events_of(evidence, claim, "ExternalProvisioning"))
    tried = any(e.reporter != "persistentvolume-controller" for e in events_of(evidence, claim, *_OWN_EVENTS))
    if not provisioner or tried:
        return None
    if not driver:
        return Confidence.LIKELY if waits else None
    installed = is_installed(evidence, driver)
    if installed is False:
        return Confidence.PROVED
    return Confidence.LIKELY if installed is None and (waits or is_migrated(provisioner)) else None


def _message(who: str, provisioner: str, driver: str, confidence: Confidence) -> str:
    needs = f"the CSI driver {driver}" if driver else f"the provisioner {provisioner}"
    named = f" (its class says {provisioner})" if driver and driver != provisioner else ""
    if confidence is Confidence.PROVED:
        return f"{who} needs {needs}{named}, and no CSIDriver or CSINode of that name exists"
    return f"{who} needs {needs}{named}, and nothing shows that it is installed and acts"


def _cite(evidence: Evidence, claim: PodClaim) -> Iterator[Citation]:
    class_ = class_of(evidence, claim)
    if class_ is not None:
        yield Citation(object=class_.ref, field="provisioner", value=class_.provisioner)
    for event in events_of(evidence, claim, "ExternalProvisioning")[-1:]:
        yield cite_claim_event(event, claim)
