"""The shared wording."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from whypending.classifiers.words import (
    age,
    condition_citation,
    event_citation,
    field_citation,
    kubectl,
    names,
    newest,
    owning_workload,
    plural,
    resource,
    sentence,
    since,
)
from whypending.evidence import Evidence, Gap, GapReason, Target
from whypending.objects.base import Condition, KubeObject, ObjectMeta, OwnerReference
from whypending.objects.event import Event, ObjectReference
from whypending.objects.pod import Pod
from whypending.objects.workload import Workload

NOW = datetime(2026, 5, 12, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "0 seconds"),
        (0, "0 seconds"),
        (1, "1 second"),
        (60, "1 minute"),
        (119, "119 seconds"),
        (120, "2 minutes"),
        (7200, "2 hours"),
        (86400, "1 day"),
        (200_000, "2 days"),
    ],
)
def test_age_is_in_its_largest_fitting_unit(seconds: int, words: str) -> None:
    assert age(timedelta(seconds=seconds)) == words


def test_unknown_age_is_said() -> None:
    assert age(None) == age(timedelta.max) == since(None, NOW) == "an unknown time"


@pytest.mark.parametrize(
    ("items", "words"),
    [
        ("", ""),
        ("a", "a"),
        ("ab", "a and b"),
        ("abcd", "a, b, c and d"),
        ("abcde", "a, b, c and 2 more"),
        ("aab", "a and b"),
    ],
)
def test_names_are_listed(items: str, words: str) -> None:
    assert names(items) == words


def test_plural_counts() -> None:
    assert (plural(1, "Pod"), plural(2, "Pod"), plural(3, "entry", "entries")) == ("1 Pod", "2 Pods", "3 entries")


def test_sentence_has_one_line_and_one_period() -> None:
    assert sentence("no\n  room...") == "no room."


def test_commands_are_quoted_as_needed() -> None:
    assert kubectl("prod", "get", "pod", "web-1") == "kubectl -n prod get pod web-1"
    assert kubectl("", "patch", "x", "-p", '{"a":1}') == "kubectl patch x -p '{\"a\":1}'"


def test_resource_names_custom_kinds_with_their_group() -> None:
    meta = ObjectMeta(name="web")
    assert resource(Workload(api_version="apps/v1", kind="Deployment", metadata=meta)) == "deployment/web"
    custom = KubeObject(api_version="argoproj.io/v1alpha1", kind="Rollout", metadata=meta)
    assert resource(custom) == "rollout.argoproj.io/web"


def test_event_citation_names_reason_and_object() -> None:
    event = Event(
        reason="FailedMount",
        message="no such volume",
        involved_object=ObjectReference(kind="Pod", namespace="shop", name="web-0"),
        last_timestamp=NOW,
    )
    cited = event_citation(event)
    assert (cited.object, cited.value, cited.at) == ("Event FailedMount on Pod shop/web-0", "no such volume", NOW)
    assert event_citation(Event(note="x")).at is None


def test_condition_citation_shows_status_reason_and_message() -> None:
    pod = Pod(metadata=ObjectMeta(name="a", namespace="b"))
    cited = condition_citation(pod, Condition(type="Ready", status="False", reason="R", message="m"))
    assert (cited.object, cited.field, cited.value) == ("Pod b/a", "status.conditions[type=Ready]", "False, R: m")


@pytest.mark.parametrize(("value", "text"), [(True, "true"), (None, "absent"), (0, "0"), (NOW, "2026-05-12T09:30:00Z")])
def test_field_citation_writes_values_as_the_api_does(value: object, text: str) -> None:
    assert field_citation(Pod(), "f", value).value == text


def test_newest_event_of_a_reason() -> None:
    events = tuple(
        Event(reason=r, last_timestamp=NOW + timedelta(seconds=s)) for r, s in (("A", 1), ("B", 9), ("A", 5))
    )
    found = newest(events, "A")
    assert found is not None
    assert found.last_seen == NOW + timedelta(seconds=5)
    assert newest(Gap(what="Events", reason=GapReason.FORBIDDEN)) is None


def _owned(kind: str, name: str, owner: OwnerReference | None = None) -> Workload:
    references = (owner,) if owner else ()
    return Workload(
        kind=kind, metadata=ObjectMeta(name=name, namespace="n", uid=f"u-{name}", owner_references=references)
    )


def _controller(kind: str, name: str) -> OwnerReference:
    return OwnerReference(api_version="x.io/v1", kind=kind, name=name, uid=f"u-{name}", controller=True)


def _evidence(kind: str, owners: tuple[Workload, ...], pod: tuple[Pod, ...] = ()) -> Evidence:
    return Evidence(target=Target(kind=kind, namespace="n", name="t"), now=NOW, pod=pod, owners=owners)


def test_the_topmost_owner_keeps_the_template() -> None:
    rs, deployment = _owned("ReplicaSet", "rs", _controller("Deployment", "d")), _owned("Deployment", "d")
    assert owning_workload(_evidence("Pod", (rs, deployment))) == deployment
    assert owning_workload(_evidence("Deployment", (deployment, rs))) == deployment


def test_an_owner_that_was_not_read_is_named_by_its_reference() -> None:
    found = owning_workload(_evidence("Pod", (_owned("Job", "j", _controller("JobSet", "s")),)))
    assert found is not None
    assert found.ref == "JobSet n/s"


def test_a_mirror_pod_is_its_own() -> None:
    pod = Pod(metadata=ObjectMeta(name="p", owner_references=(_controller("Node", "n1"),)))
    assert owning_workload(_evidence("Pod", (), (pod,))) == pod
    assert owning_workload(_evidence("Pod", ())) is None
