"""Causes of no_pod: what the refusals' texts and the workload's fields decide."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whypending.classifiers import no_pod
from whypending.classifiers.no_pod import (
    controller_not_running,
    cronjob_missed_schedule,
    limit_range_violation,
    no_matching_node_for_daemonset,
    ordered_rollout_wait,
    pod_changed_by_webhook,
    pod_creation_rejected,
    quota_exceeded,
    quota_requires_requests,
    scaled_to_zero,
    webhook_unavailable,
)
from whypending.classifiers.no_pod._pod_security import Rule, parse, patch
from whypending.classifiers.no_pod._refusal import refusal
from whypending.diagnosis import Confidence, Finding, Safety
from whypending.evidence import Evidence, Gap, GapReason, Target
from whypending.objects.base import Condition, ObjectMeta, OwnerReference
from whypending.objects.container import Container
from whypending.objects.cron import due_times
from whypending.objects.event import Event, ObjectReference
from whypending.objects.node import Node, NodeSpec, Taint
from whypending.objects.pod import PodSpec, PodTemplate
from whypending.objects.policy import QuotaValues, ResourceQuota
from whypending.objects.workload import Workload, WorkloadSpec, WorkloadStatus

NOW = datetime(2026, 5, 12, 9, 30, tzinfo=UTC)
GAP = Gap(what="x", reason=GapReason.FORBIDDEN)


def workload(
    kind: str = "StatefulSet", spec: WorkloadSpec | None = None, status: WorkloadStatus | None = None
) -> Workload:
    return Workload(
        kind=kind,
        metadata=ObjectMeta(
            name="web", namespace="shop", uid="u", generation=1, creation_timestamp=NOW - timedelta(hours=1)
        ),
        spec=spec or template("web"),
        status=status or WorkloadStatus(observed_generation=1),
    )


def template(*containers: str) -> WorkloadSpec:
    return WorkloadSpec(template=PodTemplate(spec=PodSpec(containers=tuple(Container(name=c) for c in containers))))


def event(message: str, reason: str = "FailedCreate", minutes: int = 1, kind: str = "StatefulSet") -> Event:
    about = ObjectReference(kind=kind, namespace="shop", name="web", uid="u")
    return Event(reason=reason, message=message, involved_object=about, last_timestamp=NOW - timedelta(minutes=minutes))


def evidence(*owners: Workload, events: tuple[Event, ...] | Gap = (), **fields: object) -> Evidence:
    target = Target(kind=owners[0].kind if owners else "Deployment", namespace="shop", name="web")
    return Evidence(target=target, now=NOW, pod=(), owners=owners, owner_events=events, **fields)  # type: ignore[arg-type]


def refused(text: str, **fields: object) -> Evidence:
    return evidence(workload(), events=(event(f"create Pod web-0 in StatefulSet web failed error: {text}"),), **fields)


def only(findings: Iterator[Finding]) -> Finding:
    (finding,) = findings
    return finding


@pytest.mark.parametrize("module", no_pod.MODULES, ids=lambda m: m.CAUSE.name)
def test_nothing_is_said_of_nothing(module: object) -> None:
    for owners in ((), GAP):
        bare = Evidence(target=Target(namespace="", name=""), now=NOW, owners=owners)
        assert list(module.classify(bare)) == []  # type: ignore[attr-defined]


@given(
    st.text(max_size=300),
    st.sampled_from(["", "exceeded quota: ", 'failed calling webhook "', "is forbidden: violates PodSecurity "]),
)
def test_any_text_is_quoted_and_breaks_nothing(text: str, start: str) -> None:
    found = [f for m in no_pod.MODULES for f in m.classify(refused(start + text))]
    assert all(f.message.endswith(".") for f in found)
    assert [f.name for f in found][:1] == ["pod-creation-rejected"]


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ('Error creating: pods "web-x" is forbidden: no', "no"),
        ('(combined from similar events): Error creating: pods "web-x" is forbidden: no', "no"),
        ("create Claim data-web-0 for Pod web-0 in StatefulSet web failed error: no", "no"),
        ("Internal error occurred: no", "no"),
    ],
)
def test_the_controllers_prefix_is_taken_off(message: str, words: str) -> None:
    found = refusal(evidence(workload(), events=(event(message),)))
    assert found is not None
    assert found.words == words


def test_a_refused_claim_is_called_a_claim() -> None:
    text = (
        'persistentvolumeclaims "data-web-0" is forbidden: exceeded quota: q, requested: a=1, used: a=1, limited: a=1'
    )
    assert "creating a claim of its Pod" in only(pod_creation_rejected.classify(refused(text))).message


def test_a_later_success_ends_a_refusal() -> None:
    events = (event("Error creating: no", minutes=9), event("create Pod web-0 …", "SuccessfulCreate", 2))
    assert refusal(evidence(workload(), events=events)) is None


def test_a_newer_event_is_believed_before_the_condition() -> None:
    old = Condition(
        type="ReplicaFailure",
        status="True",
        reason="FailedCreate",
        message="old",
        last_transition_time=NOW - timedelta(hours=1),
    )
    item = workload("ReplicaSet", status=WorkloadStatus(conditions=(old,)))
    found = refusal(evidence(item, events=(event("Error creating: new", kind="ReplicaSet"),)))
    assert found is not None
    assert found.words == "new"


def test_events_of_another_object_do_not_count() -> None:
    other = Event(reason="FailedCreate", message="no", involved_object=ObjectReference(kind="Job", name="web"))
    assert refusal(evidence(workload(), events=(other,))) is None


def test_a_workload_that_has_all_its_pods_is_not_refused() -> None:
    item = workload(status=WorkloadStatus(replicas=1))
    assert refusal(evidence(item, events=(event("Error creating: no"),))) is None


NAME = st.from_regex(r"[a-z]([a-z0-9-]{0,8}[a-z0-9])?", fullmatch=True)
DETAIL = st.builds(
    "{} {} must set securityContext.{}".format,
    st.sampled_from(["container", "pod or container"]),
    NAME.map(lambda n: f'"{n}"'),
    st.sampled_from(["allowPrivilegeEscalation=false", 'capabilities.drop=["ALL"]', 'type to "A" or "B", (c)']),
)
RULES = st.lists(
    st.builds(Rule, st.sampled_from(["allowPrivilegeEscalation != false", "host namespaces", "runAsUser=0"]), DETAIL),
    min_size=1,
    max_size=5,
)


@given(RULES)
def test_pod_security_rules_are_read_back(rules: list[Rule]) -> None:
    text = ", ".join(f"{r.reason} ({r.detail})" for r in rules)
    found = parse(f'violates PodSecurity "restricted:v1.30": {text}')
    assert found is not None
    assert (found.level, list(found.rules)) == ("restricted:v1.30", rules)


def test_no_patch_where_a_person_must_decide() -> None:
    spec = PodSpec(containers=(Container(name="web"),))
    must_not = parse(
        'violates PodSecurity "baseline:latest": '
        'privileged (container "web" must not set securityContext.privileged=true)'
    )
    foreign = parse(
        'violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false '
        '(container "proxy" must set securityContext.allowPrivilegeEscalation=false)'
    )
    assert must_not is not None
    assert foreign is not None
    assert patch(must_not, spec) is None
    assert patch(foreign, spec) is None


def test_old_quota_text_names_the_containers_of_the_template() -> None:
    finding = only(
        quota_requires_requests.classify(
            refused('pods "web-0" is forbidden: failed quota: q: must specify requests.cpu')
        )
    )
    assert (
        finding.message
        == 'ResourceQuota shop/q demands requests.cpu, which container "web" of StatefulSet shop/web does not set.'
    )


def test_thousandths_of_a_byte_are_pointed_out() -> None:
    quota = ResourceQuota(
        metadata=ObjectMeta(name="q", namespace="shop"), spec=QuotaValues(hard={"requests.memory": "500m"})
    )
    text = 'pods "web-0" is forbidden: failed quota: q: must specify requests.memory for: web'
    remedies = only(quota_requires_requests.classify(refused(text, quotas=(quota,)))).remedies
    assert any("thousandths of a byte" in r.text for r in remedies)


def test_several_exceeded_resources_keep_their_numbers() -> None:
    text = "exceeded quota: q, requested: cpu=1,pods=1, used: cpu=2,pods=5, limited: cpu=2,pods=5"
    finding = only(quota_exceeded.classify(refused(text)))
    assert "cpu (asks for 1, 2 of 2 used) and pods (asks for 1, 5 of 5 used)" in finding.message


def test_a_scope_without_a_quota_is_its_own_sentence() -> None:
    finding = only(quota_exceeded.classify(refused("insufficient quota to consume: pods")))
    assert finding.message.startswith("No ResourceQuota of namespace shop allows")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (
            "minimum cpu usage per Pod is 100m.  No request is specified",
            "cpu no request is set where the minimum per Pod is 100m",
        ),
        (
            "maximum memory usage per Container is 1Gi, but limit is 2Gi",
            "memory limit is 2Gi where the maximum per Container is 1Gi",
        ),
        (
            "cpu max limit to request ratio per Container is 2, but provided ratio is 4.000000",
            "cpu limit to request ratio is 4.000000 where the ratio per Container must not be above 2",
        ),
    ],
)
def test_limit_range_bounds_are_read(text: str, part: str) -> None:
    assert part in only(limit_range_violation.classify(refused(text))).message


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("dial tcp 10.0.0.1:443: connect: connection refused", "nothing listens at its address"),
        ('no endpoints available for service "s"', "its Service has no ready Pod"),
        ("context deadline exceeded", "it does not answer in time"),
        ("x509: certificate signed by unknown authority", "its certificate is not trusted by the API server"),
        ('service "s" not found', "its Service does not exist"),
        ("strange", 'Post "https://s.ns.svc:443/x": strange'),
    ],
)
def test_why_a_webhook_cannot_be_called(words: str, why: str) -> None:
    text = f'failed calling webhook "w.example.com": failed to call webhook: Post "https://s.ns.svc:443/x": {words}'
    message = only(webhook_unavailable.classify(refused(text))).message
    assert "(Service ns/s)" in message
    assert why in message


def test_a_container_that_the_template_lacks_was_put_in() -> None:
    finding = only(pod_changed_by_webhook.classify(refused("must specify limits.cpu for: proxy,web")))
    assert 'container "proxy"' in finding.message
    assert '"web"' not in finding.message


def test_without_a_template_nothing_is_called_foreign() -> None:
    bare = evidence(workload(spec=WorkloadSpec()), events=(event('Error creating: container "proxy" must not'),))
    assert list(pod_changed_by_webhook.classify(bare)) == []


@pytest.mark.parametrize(
    ("schedule", "newest"),
    [
        ("*/10 * * * *", "09:30"),
        ("15 3 * * *", "03:15"),
        ("0 9 * * mon-fri", "09:00"),
        ("@hourly", "09:00"),
        ("0 0 1 1 *", "00:00"),
        ("5,25 8-9 * may tue", "09:25"),
    ],
)
def test_last_due_time(schedule: str, newest: str) -> None:
    assert f"{due_times(schedule, '', NOW)[0]:%H:%M}" == newest


def test_day_of_month_and_of_week_are_alternatives_when_both_are_given() -> None:
    assert f"{due_times('0 0 11 * sun', '', NOW)[0]:%m-%d}" == "05-11"


def test_time_zone_moves_the_due_time() -> None:
    assert f"{due_times('0 9 * * *', 'Europe/Berlin', NOW)[0]:%H:%M}" == "07:00"


@pytest.mark.parametrize("schedule", ["", "* * * *", "61 * * * *", "a b c d e", "*/0 * * * *", "5-1 * * * *"])
def test_schedules_that_are_not_understood_say_nothing(schedule: str) -> None:
    assert due_times(schedule, "", NOW) == ()


@given(st.text(alphabet="0123456789*/,-?@ monhly", max_size=25))
def test_any_schedule_is_survived(schedule: str) -> None:
    assert all(t <= NOW for t in due_times(schedule, "", NOW))


def test_a_cronjob_of_which_the_controller_says_nothing_is_only_likely() -> None:
    job = workload(
        "CronJob", WorkloadSpec(schedule="*/5 * * * *"), WorkloadStatus(last_schedule_time=NOW - timedelta(hours=2))
    )
    assert only(cronjob_missed_schedule.classify(evidence(job))).confidence is Confidence.LIKELY
    assert only(cronjob_missed_schedule.classify(evidence(job, events=GAP))).confidence is Confidence.POSSIBLE


def test_a_cronjob_that_was_served_is_left_alone() -> None:
    job = workload(
        "CronJob", WorkloadSpec(schedule="*/5 * * * *"), WorkloadStatus(last_schedule_time=NOW - timedelta(minutes=1))
    )
    assert list(cronjob_missed_schedule.classify(evidence(job))) == []


@pytest.mark.parametrize(
    ("kind", "spec"), [("Deployment", WorkloadSpec(replicas=0)), ("Job", WorkloadSpec(parallelism=0))]
)
def test_zero_is_asked_for(kind: str, spec: WorkloadSpec) -> None:
    assert only(scaled_to_zero.classify(evidence(workload(kind, spec)))).confidence is Confidence.PROVED


def test_no_replicas_field_means_one() -> None:
    assert list(scaled_to_zero.classify(evidence(workload("Deployment", WorkloadSpec())))) == []


def test_a_young_workload_without_status_is_normal() -> None:
    young = Workload(kind="Deployment", metadata=ObjectMeta(name="a", generation=1, creation_timestamp=NOW))
    assert list(controller_not_running.classify(evidence(young))) == []


def test_daemon_pods_tolerate_what_the_controller_adds() -> None:
    status = WorkloadStatus(observed_generation=1, desired_number_scheduled=0)
    cordoned = Node(
        metadata=ObjectMeta(name="n1"),
        spec=NodeSpec(taints=(Taint(key="node.kubernetes.io/unschedulable", effect="NoSchedule"),)),
    )
    finding = only(
        no_matching_node_for_daemonset.classify(evidence(workload("DaemonSet", status=status), nodes=(cordoned,)))
    )
    assert "taint" not in finding.message


def test_a_stale_zero_of_a_daemonset_proves_nothing() -> None:
    status = WorkloadStatus(observed_generation=0, desired_number_scheduled=0)
    assert list(no_matching_node_for_daemonset.classify(evidence(workload("DaemonSet", status=status)))) == []


def test_order_is_waited_for_only_without_a_refusal() -> None:
    item = workload(
        spec=WorkloadSpec(replicas=3), status=WorkloadStatus(observed_generation=1, replicas=2, ready_replicas=1)
    )
    assert only(ordered_rollout_wait.classify(evidence(item, siblings=GAP))).confidence is Confidence.LIKELY
    assert list(ordered_rollout_wait.classify(evidence(item, events=(event("Error creating: no"),)))) == []


def test_a_job_template_is_not_edited() -> None:
    text = 'Error creating: pods "web-" is forbidden: failed quota: q: must specify requests.cpu for: web'
    job = evidence(workload("Job"), events=(event(text, kind="Job"),))
    first = only(quota_requires_requests.classify(job)).remedies[0]
    assert first.safety is Safety.READ
    assert "create it anew" in first.text


def test_a_cronjob_owns_its_jobs_template() -> None:
    owner = OwnerReference(api_version="batch/v1", kind="CronJob", name="nightly", uid="c", controller=True)
    job = Workload(
        kind="Job",
        metadata=ObjectMeta(name="web", namespace="shop", uid="u", owner_references=(owner,)),
        spec=template("web"),
    )
    text = 'Error creating: pods "web-" is forbidden: failed quota: q: must specify requests.cpu for: web'
    found = only(quota_requires_requests.classify(evidence(job, events=(event(text, kind="Job"),))))
    assert found.remedies[0].command == "kubectl -n shop edit cronjob/nightly"
