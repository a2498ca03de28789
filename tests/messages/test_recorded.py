"""Messages as clusters wrote them, each with where it was recorded, and every part that they hold."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from whypending.messages import FAMILIES, Reason, parse_scheduling_message


class Case(NamedTuple):
    """One recorded message: reasons and preemption as (count, text, cause)."""

    where: str
    text: str
    family: str
    nodes: tuple[int | None, int | None]
    reasons: list[tuple[int | None, str, str | None]]
    preemption: list[tuple[int | None, str, str | None]] = []  # noqa: RUF012 -- never changed
    rest: str = ""


NO_HELP = ("Preemption is not helpful for scheduling", "preemption-not-possible")
NO_VICTIMS = ("No preemption victims found for incoming pod", "preemption-not-possible")
AFFINITY = ("node(s) didn't match Pod's node affinity/selector", "node-selector-mismatch")
CPU = ("Insufficient cpu", "insufficient-cpu")
MEMORY = ("Insufficient memory", "insufficient-memory")

KUBERNETES = [
    Case(
        "2i2c-org/infrastructure#2185 (GKE)",
        "0/3 nodes are available: 1 Insufficient memory, 2 node(s) didn't match Pod's node affinity/selector.",
        "current",
        (0, 3),
        [(1, *MEMORY), (2, *AFFINITY)],
    ),
    Case(
        "Project-HAMi/HAMi#1527",
        "0/4 nodes are available: 1 NodeUnfitPod, 1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }, "
        "2 node unregistered. preemption: 0/4 nodes are available: 1 Preemption is not helpful for scheduling, "
        "3 No preemption victims found for incoming pod..",
        "braces",
        (0, 4),
        [
            (1, "NodeUnfitPod", "extended-resource-missing"),
            (1, "node(s) had untolerated taint {node.kubernetes.io/unreachable: }", "node-unreachable"),
            (2, "node unregistered", "extended-resource-missing"),
        ],
        [(1, *NO_HELP), (3, *NO_VICTIMS)],
    ),
    Case(
        "aws-ia/terraform-aws-eks-blueprints-addons#399",
        "0/13 nodes are available: 1 Too many pods, 12 node is filtered out by the prefilter result. preemption: "
        "0/13 nodes are available: 1 No preemption victims found for incoming pod, "
        "12 Preemption is not helpful for scheduling.",
        "current",
        (0, 13),
        [
            (1, "Too many pods", "too-many-pods"),
            (12, "node is filtered out by the prefilter result", "node-selector-mismatch"),
        ],
        [(1, *NO_VICTIMS), (12, *NO_HELP)],
    ),
    Case(
        "skypilot-org/skypilot#7967",
        "0/6 nodes are available: 6 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, "
        "preemption: 0/6 nodes are available: 6 Preemption is not helpful for scheduling.",
        "current",
        (0, 6),
        [(6, *AFFINITY)],
        [(None, "no new claims to deallocate", None), (6, *NO_HELP)],
    ),
    Case(
        "GoogleContainerTools/skaffold#6011",
        "0/3 nodes are available: 1 Insufficient memory, 1 node(s) had taint {ToBeDeletedByClusterAutoscaler: "
        "1623436397}, that the pod didn't tolerate, 2 Insufficient cpu.",
        "braces",
        (0, 3),
        [
            (1, *MEMORY),
            (
                1,
                "node(s) had taint {ToBeDeletedByClusterAutoscaler: 1623436397}, that the pod didn't tolerate",
                "untolerated-taint",
            ),
            (2, *CPU),
        ],
    ),
    Case(
        "kube-scheduler 1.37.2, a missing claim",
        '0/5 nodes are available: persistentvolumeclaim "nope" not found. not found',
        "prefilter",
        (0, 5),
        [(None, 'persistentvolumeclaim "nope" not found', "pvc-not-found")],
        rest="not found",
    ),
    Case(
        "Project-HAMi/HAMi#198",
        "0/4 nodes are available: 4 pod has unbound immediate PersistentVolumeClaims. preemption: 0/4 nodes are "
        "available: 4 Preemption is not helpful for scheduling.",
        "current",
        (0, 4),
        [(4, "pod has unbound immediate PersistentVolumeClaims", "pvc-unbound")],
        [(4, *NO_HELP)],
    ),
    Case(
        "openshift/origin#19506 (1.9)",
        "0/3 nodes are available: 1 ExistingPodsAntiAffinityRulesNotMatch, 1 MatchInterPodAffinity, "
        "2 CheckServiceAffinity",
        "current",
        (0, 3),
        [
            (1, "ExistingPodsAntiAffinityRulesNotMatch", "pod-anti-affinity"),
            (1, "MatchInterPodAffinity", "pod-anti-affinity"),
            (2, "CheckServiceAffinity", "node-selector-mismatch"),
        ],
    ),
    Case(
        "argoproj/argo-workflows#190 (1.7)",
        "No nodes are available that match all of the following predicates:: Insufficient cpu (9), "
        "Insufficient memory (15), MatchNodeSelector (18).",
        "legacy-brackets",
        (0, None),
        [(9, *CPU), (15, *MEMORY), (18, "MatchNodeSelector", "node-selector-mismatch")],
    ),
    Case(
        "kubernetes/kubernetes#41070 (1.5.1)",
        "pod (test-1012964845-v8915) failed to fit in any node\n"
        "fit failure summary on nodes : Insufficient pods (2), PodToleratesNodeTaints (1)",
        "legacy-brackets",
        (0, None),
        [(2, "Insufficient pods", "too-many-pods"), (1, "PodToleratesNodeTaints", "untolerated-taint")],
    ),
    Case(
        "kubernetes/kubernetes#37232 (1.4), the line ends of a Windows copy",
        "pod (jenkins-master-645022479-ov9ka) failed to fit in any node\r\n"
        "fit failure on node (gke-warpdrive-spgr): Insufficient cpu\r\n"
        "fit failure on node (gke-warpdrive-jitr): Insufficient cpu\r\n",
        "legacy-per-node",
        (0, 2),
        [(None, *CPU), (None, *CPU)],
    ),
    Case(
        "terraform-aws-modules/terraform-aws-eks#2864",
        "no nodes available to schedule pods",
        "kubernetes",
        (None, None),
        [(None, "no nodes available to schedule pods", "no-nodes")],
    ),
]
CYCLE = [
    Case(
        "Duke-GCB/calrissian#154 (AKS 1.25)",
        'running PreBind plugin "VolumeBinding": binding volumes: timed out waiting for the condition',
        "volume-binding",
        (None, None),
        [
            (
                None,
                'running PreBind plugin "VolumeBinding": binding volumes: timed out waiting for the condition',
                "binding-timeout",
            )
        ],
    ),
    Case(
        "kubesphere/kubesphere#4920 (1.19)",
        'error while running "VolumeBinding" prebind plugin for pod "redis-ha-server-0": Failed to bind volumes: '
        "timed out waiting for the condition",
        "volume-binding",
        (None, None),
        [
            (
                None,
                (
                    'error while running "VolumeBinding" prebind plugin for pod "redis-ha-server-0": Failed to bind '
                    "volumes: timed out waiting for the condition"
                ),
                "binding-timeout",
            )
        ],
    ),
    Case(
        "arianitu/postgres-statefulset#6 (1.17)",
        'error while running "VolumeBinding" filter plugin for pod "postgres-replica-0": pod has unbound immediate '
        "PersistentVolumeClaims",
        "volume-binding",
        (None, None),
        [
            (
                None,
                (
                    'error while running "VolumeBinding" filter plugin for pod "postgres-replica-0": pod has unbound '
                    "immediate PersistentVolumeClaims"
                ),
                "pvc-unbound",
            )
        ],
    ),
    Case(
        "kubernetes-sigs/scheduler-plugins#416 (0.22.6)",
        "0/10 nodes are available: 10 pre-filter pod ray-head-urm-exp--1-klbn8 cannot find enough sibling pods, "
        "current pods number: 1, minMember of group: 8.",
        "current",
        (0, 10),
        [
            (
                10,
                (
                    "pre-filter pod ray-head-urm-exp--1-klbn8 cannot find enough sibling pods, current pods number: 1, "
                    "minMember of group: 8"
                ),
                "gang-not-ready",
            )
        ],
    ),
    Case(
        "kubernetes-sigs/scheduler-plugins#416 (0.22.6)",
        "0/10 nodes are available: 10 pod with pgName: default/ray-pg last failed in 3s, deny.",
        "current",
        (0, 10),
        [(10, "pod with pgName: default/ray-pg last failed in 3s, deny", "gang-sibling-unschedulable")],
    ),
    Case(
        "kubernetes-sigs/scheduler-plugins#416 (0.22.6)",
        "optimistic rejection in PostFilter",
        "coscheduling",
        (None, None),
        [(None, "optimistic rejection in PostFilter", "gang-sibling-unschedulable")],
    ),
]
VENDORS = [
    Case(
        "volcano-sh/volcano#2416",
        "1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Undetermined",
        "volcano",
        (None, None),
        [(None, "pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Undetermined", "gang-not-ready")],
    ),
    Case(
        "volcano-sh/volcano#519 (0.2)",
        "10/6 tasks in gang unschedulable: job is not ready, 10 minAvailable, 6 Pending.",
        "volcano",
        (None, None),
        [(None, "job is not ready, 10 minAvailable, 6 Pending", "gang-not-ready")],
    ),
    Case(
        "volcano-sh/volcano#4117, a reason with a comma",
        "all nodes are unavailable: 1 plugin InterPodAffinity predicates failed node(s) didn't match pod "
        "affinity/anti-affinity, node(s) didn't match pod affinity rules, 2 node(s) resource fit failed.",
        "volcano",
        (0, None),
        [
            (
                1,
                (
                    "plugin InterPodAffinity predicates failed node(s) didn't match pod affinity/anti-affinity, "
                    "node(s) didn't match pod affinity rules"
                ),
                "pod-affinity",
            ),
            (2, "node(s) resource fit failed", "insufficient-resources-unspecified"),
        ],
    ),
    Case(
        "volcano-sh/volcano#604",
        "1/0 tasks in gang unschedulable: 0 nodes are available",
        "volcano",
        (None, None),
        [(None, "0 nodes are available", "no-nodes")],
    ),
    Case(
        "kai-scheduler/KAI-Scheduler#577",
        "PodSchedulingErrors: Resources were found for 5 pods while 17 are required for gang scheduling. Additional "
        "pods cannot be scheduled due to: no nodes with enough resources were found: 12 cannot allocate all claims. ",
        "kai",
        (0, None),
        [
            (
                None,
                "Resources were found for 5 pods while 17 are required for gang scheduling",
                "gang-sibling-unschedulable",
            ),
            (12, "cannot allocate all claims", "dra-claim-not-allocated"),
        ],
    ),
    Case(
        "kubernetes-sigs/aws-efs-csi-driver#589",
        "Pod not supported on Fargate: fields not supported: HostNetwork, invalid SecurityContext fields: Privileged, "
        "port contains HostIP or HostPort",
        "fargate",
        (None, None),
        [
            (None, "fields not supported: HostNetwork", "platform-unsupported-pod-spec"),
            (None, "invalid SecurityContext fields: Privileged", "platform-unsupported-pod-spec"),
            (None, "port contains HostIP or HostPort", "platform-unsupported-pod-spec"),
        ],
    ),
    Case(
        "aws/containers-roadmap#1382",
        "Pod not supported on Fargate: volumes not supported: persistence not supported because: "
        'persistentvolumeclaim "test-pvc" not found',
        "fargate",
        (None, None),
        [
            (
                None,
                'volumes not supported: persistence not supported because: persistentvolumeclaim "test-pvc" not found',
                "pvc-not-found",
            )
        ],
    ),
    Case(
        "yunikorn-core 2026-07, scheduler.go, as the Pod's condition",
        "request is waiting for cluster resources become available",
        "yunikorn",
        (None, None),
        [
            (
                None,
                "request is waiting for cluster resources become available",
                "insufficient-resources-unspecified",
            )
        ],
    ),
]
PROVISIONERS = [
    Case(
        "kubernetes/autoscaler#1470",
        "pod didn't trigger scale-up (it wouldn't fit if a new node is added)",
        "cluster-autoscaler",
        (None, None),
        [(None, "pod didn't trigger scale-up (it wouldn't fit if a new node is added)", "autoscaler-no-scale-up")],
    ),
    Case(
        "2i2c-org/infrastructure#2185 (GKE)",
        "pod didn't trigger scale-up: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had taint "
        "{k8s.dask.org_dedicated: worker}, that the pod didn't tolerate, 1 in backoff after failed scale-up",
        "cluster-autoscaler",
        (None, None),
        [
            (1, *AFFINITY),
            (
                1,
                "node(s) had taint {k8s.dask.org_dedicated: worker}, that the pod didn't tolerate",
                "untolerated-taint",
            ),
            (1, "in backoff after failed scale-up", "autoscaler-no-scale-up"),
        ],
    ),
    Case(
        "kubernetes/autoscaler 1.20, core/scale_up_test.go: resource names with a comma",
        "pod didn't trigger scale-up: 2 max cluster cpu, memory limit reached, 1 max node group size reached",
        "cluster-autoscaler",
        (None, None),
        [
            (2, "max cluster cpu, memory limit reached", "autoscaler-no-scale-up"),
            (1, "max node group size reached", "autoscaler-no-scale-up"),
        ],
    ),
    Case(
        "aws/karpenter-provider-aws#7574 (1.0.6)",
        'Failed to schedule pod, incompatible with nodepool "gpu", daemonset overhead={"cpu":"605m","memory":"1288Mi",'
        '"pods":"12"}, did not tolerate nvidia.com/gpu=1:NoSchedule; incompatible with nodepool "app", daemonset '
        'overhead={"cpu":"605m","memory":"1288Mi","pods":"12"}, incompatible requirements, label '
        '"eks.amazonaws.com/nodegroup" does not have known values',
        "karpenter",
        (None, None),
        [
            (
                None,
                (
                    'incompatible with nodepool "gpu", daemonset overhead={"cpu":"605m","memory":"1288Mi","pods":"12"}'
                    ", did not tolerate nvidia.com/gpu=1:NoSchedule"
                ),
                "karpenter-incompatible",
            ),
            (
                None,
                (
                    'incompatible with nodepool "app", daemonset overhead={"cpu":"605m","memory":"1288Mi","pods":"12"}'
                    ', incompatible requirements, label "eks.amazonaws.com/nodegroup" does not have known values'
                ),
                "karpenter-incompatible",
            ),
        ],
    ),
    Case(
        "kueue 2026-08, scheduler_test.go",
        "couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor on-demand, 5 more "
        "needed, untolerated taint {key val NoSchedule <nil>} in flavor spot-tainted",
        "kueue",
        (None, None),
        [
            (
                None,
                "insufficient unused quota for cpu in flavor on-demand, 5 more needed",
                "queue-quota-exhausted",
            ),
            (
                None,
                "untolerated taint {key val NoSchedule <nil>} in flavor spot-tainted",
                "untolerated-taint",
            ),
        ],
    ),
]
ALL = [*KUBERNETES, *CYCLE, *VENDORS, *PROVISIONERS]


def _parts(reasons: tuple[Reason, ...]) -> list[tuple[int | None, str, str | None]]:
    return [(reason.count, reason.text, reason.cause) for reason in reasons]


@pytest.mark.parametrize("case", ALL, ids=[f"{number}-{case.where}" for number, case in enumerate(ALL)])
def test_recorded(case: Case) -> None:
    message = parse_scheduling_message(case.text)
    assert message.text == case.text
    assert (message.nodes_available, message.nodes_total) == case.nodes
    assert _parts(message.reasons) == case.reasons
    assert _parts(message.preemption) == case.preemption
    assert message.rest == case.rest
    assert message.family == case.family
    assert message.family in FAMILIES
    assert not message.truncated


def test_nodes_and_plugins_are_named_where_the_wording_names_them() -> None:
    old = parse_scheduling_message("fit failure on node (a): MatchNodeSelector\nfit failure on node (b): HostName")
    volcano = parse_scheduling_message("0/1 nodes are unavailable: 1 plugin NodePorts predicates failed x.")
    assert [reason.node for reason in old.reasons] == ["a", "b"]
    assert volcano.reasons[0].plugin == "NodePorts"
    assert volcano.reasons[0].cause is None


def test_facts_of_the_head() -> None:
    volcano = parse_scheduling_message(
        "1/2 tasks in gang unschedulable: pod group is not ready, 2 Pending, 2 minAvailable; Pending: 1 Unschedulable, "
        "1 Undetermined. Origin reason is vjtest-test-1: 0/1 nodes are unavailable: 1 Insufficient cpu."
    )
    group = parse_scheduling_message(
        "0/2 placements are available, first placement status: 0/3 nodes are available: 3 Insufficient cpu."
    )
    assert volcano.details == (("unschedulable", "1"), ("tasks", "2"), ("task", "vjtest-test-1"))
    assert _parts(volcano.reasons)[1:] == [(1, *CPU)]
    assert volcano.nodes_total == 1
    assert group.details == (("placements", "0/2"),)
    assert group.nodes_total == 3


def test_what_is_started_is_told_without_a_cause() -> None:
    up = parse_scheduling_message("pod triggered scale-up: [{group-a 3->5 (max: 6)}]").reasons[0]
    nominated = parse_scheduling_message("Pod should schedule on: nodeclaim/default-x, node/ip-1").reasons[0]
    assert up.cause is None
    assert up.details == (
        ("group", "group-a"),
        ("from", "3"),
        ("to", "5"),
        ("max", "6"),
        ("says", "scale-up-triggered"),
    )
    assert nominated.details == (("nodeclaim", "default-x"), ("node", "ip-1"), ("says", "nominated"))


def test_a_cluster_without_nodes() -> None:
    message = parse_scheduling_message("0/0 nodes are available: .")
    assert message.nodes_total == 0
    assert _parts(message.reasons) == [(None, "0/0 nodes are available", "no-nodes")]


def test_preemption_that_may_not_happen_has_no_counts() -> None:
    message = parse_scheduling_message(
        "0/3 nodes are available: 3 Insufficient cpu. preemption: not eligible due to preemptionPolicy=Never.."
    )
    assert _parts(message.reasons) == [(3, *CPU)]
    assert _parts(message.preemption) == [
        (None, "not eligible due to preemptionPolicy=Never", "preemption-not-possible")
    ]
    assert message.preemption_total is None


def test_a_count_inside_a_known_text_opens_no_reason() -> None:
    message = parse_scheduling_message(
        "0/1 nodes are available: 1 minCount (3) cannot be satisfied: 1 scheduled, 1 remaining."
    )
    assert _parts(message.reasons) == [
        (1, "minCount (3) cannot be satisfied: 1 scheduled, 1 remaining", "gang-sibling-unschedulable")
    ]


def test_the_vaguer_affinity_text_is_read_by_the_exact_one_beside_it() -> None:
    message = parse_scheduling_message(
        "0/2 nodes are available: 2 node(s) didn't match pod affinity rules, "
        "2 node(s) didn't match pod affinity/anti-affinity."
    )
    assert {reason.cause for reason in message.reasons} == {"pod-affinity"}


def test_an_unknown_text_is_kept_whole() -> None:
    message = parse_scheduling_message("the flux capacitor is empty, 3 times.")
    assert message.family == "unknown"
    assert message.reasons == ()
    assert message.rest == "the flux capacitor is empty, 3 times."


def test_an_unknown_reason_keeps_its_commas() -> None:
    message = parse_scheduling_message(
        '0/5 nodes are available: 2 gizmo {a, 3 b} said "x, 1 y", twice, 3 Insufficient cpu.'
    )
    assert _parts(message.reasons) == [(2, 'gizmo {a, 3 b} said "x, 1 y", twice', None), (3, *CPU)]
