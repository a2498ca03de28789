"""Diagnoses made by hand, one for each shape that a renderer has to cope with."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from whypending.diagnosis import Citation, Confidence, Diagnosis, Finding, Remedy, Role, Safety, Triage
from whypending.evidence import Gap, GapReason, Target

NOW = datetime(2026, 11, 30, 22, 15, 3, tzinfo=UTC)
LIVE = (("server", "https://10.0.0.1:6443"), ("version", "v1.37.2"))


def ago(**passed: int) -> datetime:
    return NOW - timedelta(**passed)


_STATUS = "status.containerStatuses[name=checkout].state.waiting"
_POD = "Pod shop/checkout-6d4b9c7f5-x2x8q"

SECRET_KEY = Diagnosis(
    target=Target(namespace="shop", name="checkout-6d4b9c7f5-x2x8q", uid="5f1c9a52-6a51-4b6e-9a8e-0b8f6c1f7a11"),
    observed_at=NOW,
    source="live",
    source_details=LIVE,
    triage=Triage.SCHEDULED_NOT_READY,
    confidence=Confidence.PROVED,
    summary='Secret shop/payments has no key "api-token", which container "checkout" needs.',
    findings=(
        Finding(
            code="WP411",
            name="container-config-error",
            confidence=Confidence.PROVED,
            message='The kubelet cannot make container "checkout" from what its spec refers to.',
            citations=(
                Citation(object=_POD, field=f"{_STATUS}.reason", value="CreateContainerConfigError"),
                Citation(object=_POD, field="spec.nodeName", value="worker-2"),
            ),
            remedies=(
                Remedy(
                    text="Read the whole message.",
                    command="kubectl -n shop describe pod checkout-6d4b9c7f5-x2x8q",
                ),
            ),
        ),
        Finding(
            code="WP412",
            name="secret-key-missing",
            confidence=Confidence.PROVED,
            message='Secret shop/payments has no key "api-token", which container "checkout" needs.',
            citations=(
                Citation(
                    object=_POD, field=f"{_STATUS}.message", value="couldn't find key api-token in Secret shop/payments"
                ),
                Citation(
                    object=f"Event Failed on {_POD}",
                    field="message",
                    value="Error: couldn't find key api-token in Secret shop/payments",
                    at=ago(seconds=42),
                ),
            ),
            remedies=(
                Remedy(
                    text='Add the key "api-token" to the Secret; the kubelet tries again by itself.',
                    command="kubectl -n shop edit secret payments",
                    safety=Safety.CHANGE,
                ),
                Remedy(
                    text="See which keys the Secret has (names alone, no values).",
                    command="kubectl -n shop describe secret payments",
                ),
            ),
            refines="container-config-error",
        ),
        Finding(
            code="WP490",
            name="deadline-near",
            confidence=Confidence.LIKELY,
            message="Deployment shop/checkout gives up in 3 minutes (progressDeadlineSeconds 600).",
            role=Role.CONTRIBUTING,
        ),
        Finding(
            code="WP601",
            name="stale-scheduling-event",
            confidence=Confidence.PROVED,
            message="The FailedScheduling Event is older than the bind: it no longer matters.",
            role=Role.SYMPTOM,
            explained_by="container-config-error",
            citations=(
                Citation(
                    object=f"Event FailedScheduling on {_POD}",
                    field="message",
                    value="0/3 nodes are available: 3 Insufficient cpu.",
                    at=ago(minutes=9),
                ),
            ),
            remedies=(Remedy(text="Nothing is to be done about it."),),
        ),
    ),
    not_evaluated=(
        Gap(
            what="the Nodes",
            reason=GapReason.FORBIDDEN,
            would_decide="whether node worker-2 is healthy",
            grant="get, list on nodes",
            detail='nodes is forbidden: User "dev" cannot list resource "nodes"',
        ),
        Gap(what="Events of ReplicaSet shop/checkout-6d4b9c7f5", reason=GapReason.EXPIRED),
    ),
)

UNSCHEDULABLE = Diagnosis(
    target=Target(namespace="prod", name="api-0"),
    observed_at=NOW,
    source="files",
    source_details=(("paths", "dump.yaml"), ("clock", "the newest time in the files")),
    triage=Triage.UNSCHEDULABLE,
    confidence=Confidence.LIKELY,
    summary="No node has the 4 CPUs that Pod prod/api-0 asks for: 3 of 5 nodes are short of cpu.",
    findings=(
        Finding(
            code="WP201",
            name="insufficient-cpu",
            confidence=Confidence.LIKELY,
            message="No node has the 4 CPUs that Pod prod/api-0 asks for: 3 of 5 nodes are short of cpu.",
            citations=(
                Citation(
                    object="Pod prod/api-0",
                    field="status.conditions[type=PodScheduled].message",
                    value=(
                        "0/5 nodes are available: 2 node(s) had untolerated taint(s), 3 Insufficient cpu. preemption: "
                        "0/5 nodes are available: 2 Preemption is not helpful for scheduling, 3 No preemption victims "
                        "found for incoming pod."
                    ),
                    at=ago(hours=3, minutes=12),
                ),
                Citation(object="Pod prod/api-0", field="spec.containers[name=api].resources.requests[cpu]", value="4"),
            ),
            remedies=(
                Remedy(
                    text="Ask for less cpu in the StatefulSet.",
                    command="kubectl -n prod set resources statefulset/api -c api --requests=cpu=2",
                    safety=Safety.CHANGE,
                    patch="spec:\n  template: {}",
                    verified="replay, 0 nodes before, 2 after",
                ),
                Remedy(text="Or add a node with at least 4 free CPUs."),
                Remedy(
                    text="Delete the batch Pods.",
                    command="kubectl -n batch delete pods --all",
                    safety=Safety.DESTRUCTIVE,
                ),
            ),
        ),
        Finding(
            code="WP207",
            name="untolerated-taint",
            confidence=Confidence.LIKELY,
            message="2 of 5 nodes have a taint that the Pod does not tolerate.",
        ),
    ),
    not_evaluated=tuple(
        Gap(what=what, reason=GapReason.NOT_IN_SNAPSHOT, would_decide=decide, grant=f"kubectl get {get} -o yaml")
        for what, decide, get in (
            ("the Nodes", "which nodes are short and by how much", "nodes"),
            ("the scheduler's Leases", "whether the scheduler still runs", "-n kube-system leases"),
            ("PriorityClasses", "whether preemption may help", "priorityclasses"),
            ("other Pods", "what uses the nodes", "-A pods"),
        )
    ),
)

NOT_STUCK = Diagnosis(
    target=Target(namespace="prod", name="api-1", uid="9d7c"),
    observed_at=NOW,
    source="live",
    source_details=LIVE,
    triage=Triage.NOT_STUCK,
    confidence=Confidence.PROVED,
    summary="Pod prod/api-1 is Running and Ready since 3d4h.",
    findings=(
        Finding(
            code="WP603",
            name="ready",
            confidence=Confidence.PROVED,
            message="Pod prod/api-1 is Running and Ready since 3d4h.",
            citations=(
                Citation(
                    object="Pod prod/api-1",
                    field="status.conditions[type=Ready].status",
                    value="True",
                    at=ago(days=3, hours=4),
                ),
            ),
        ),
    ),
)

UNKNOWN = Diagnosis(
    target=Target(namespace="prod", name="half"),
    observed_at=NOW,
    source="files",
    source_details=(("paths", "half.yaml"),),
    triage=Triage.UNKNOWN,
    confidence=Confidence.POSSIBLE,
    summary="This Pod has no status: it is a manifest, or its status was cut off, so nothing can be said of it.",
)

NO_POD = Diagnosis(
    target=Target(kind="Deployment", namespace="prod", name="api"),
    observed_at=NOW,
    source="live",
    source_details=LIVE,
    triage=Triage.NO_POD,
    confidence=Confidence.PROVED,
    summary="ResourceQuota prod/compute wants a cpu request, and the Pods of Deployment prod/api have none.",
    findings=(
        Finding(
            code="WP301",
            name="quota-requires-requests",
            confidence=Confidence.PROVED,
            message="ResourceQuota prod/compute wants a cpu request, and the Pods of Deployment prod/api have none.",
            remedies=(Remedy(text="Set requests in the Deployment.", safety=Safety.CHANGE),),
        ),
    ),
    not_evaluated=(
        Gap(
            what="the cause quota-exceeded",
            reason=GapReason.FAULT,
            would_decide="whether it is quota-exceeded",
            detail="KeyError: 'cpu'",
        ),
    ),
)

EVIL = (
    "\x1b[31mred\x1b[0m \x1b]8;;http://evil\x07link\x1b]8;;\x07 \u202egnp.exe\u2066 "
    "[bold]mark[/bold] \x9b2J \x7f \u200b\u2028\r"
)
HOSTILE = Diagnosis(
    target=Target(namespace="prod", name=f"api{EVIL}"),
    observed_at=NOW,
    source="files",
    source_details=(("paths", f"{EVIL}.yaml"),),
    triage=Triage.SCHEDULED_NOT_READY,
    confidence=Confidence.POSSIBLE,
    summary=f"It says {EVIL}.",
    findings=(
        Finding(
            code="WP499",
            name="unrecognised-message",
            confidence=Confidence.POSSIBLE,
            message=f"It says {EVIL}.",
            citations=(
                Citation(object=f"Pod {EVIL}", field=f"status.{EVIL}", value=f"one {EVIL}\ntwo {EVIL}", at=NOW),
            ),
            remedies=(Remedy(text=f"Read {EVIL}.", command=f"kubectl get pod {EVIL}", patch=EVIL, verified=EVIL),),
        ),
    ),
    not_evaluated=(Gap(what=EVIL, reason=GapReason.MALFORMED, would_decide=EVIL, grant=EVIL, detail=EVIL),),
    notes=(EVIL,),
)

SAMPLES = {
    "secret-key": SECRET_KEY,
    "unschedulable": UNSCHEDULABLE,
    "not-stuck": NOT_STUCK,
    "unknown": UNKNOWN,
    "no-pod": NO_POD,
    "hostile": HOSTILE,
}
