"""What a scheduler's metrics say: real releases, older names, absent ones, labels that are not there, histograms."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.metrics.kit import RELEASES, captured, evidence, figures, sample, scrape
from whypending.evidence import Gap, GapReason, Scrape
from whypending.metrics import profiles, readings, shown
from whypending.metrics.histogram import quantile
from whypending.metrics.questions import QUESTIONS

ASKED = [
    "pending by queue",
    "attempts by profile and result",
    "unschedulable by plugin",
    "permit waits",
    "preemption attempts",
    "preemption victims",
    "API requests refused as too many",
    "waits for the client's own rate limit",
    "leader status",
    "attempt latency",
]


def of(*samples: object) -> Scrape:
    return Scrape(origin="x", how="file", samples=samples)  # type: ignore[arg-type]


@pytest.mark.parametrize("release", RELEASES)
def test_every_release_answers_all_but_what_never_happened(release: str) -> None:
    found = readings(scrape(captured(release)))
    assert [reading.question for reading in found] == ASKED == [question.name for question in QUESTIONS]
    assert [reading.question for reading in found if not reading.metric] == ["permit waits"]
    assert all(bool(reading.figures) == bool(reading.metric) for reading in found)


def test_the_figures_of_1_37() -> None:
    saved = scrape(captured("1.37"))
    assert figures(saved, "pending by queue") == {
        ("active", "value"): 0, ("backoff", "value"): 0, ("gated", "value"): 1, ("incomplete", "value"): 0,
        ("pending", "value"): 0, ("unschedulable", "value"): 2,
    }  # fmt: skip
    assert figures(saved, "unschedulable by plugin") == {
        ("NodeAffinity", "default-scheduler", "value"): 1,
        ("NodeResourcesFit", "default-scheduler", "value"): 1,
        ("SchedulingGates", "default-scheduler", "value"): 1,
    }
    assert figures(saved, "preemption attempts") == {("value",): 2}
    assert figures(saved, "preemption victims") == {("value",): 0}
    assert figures(saved, "API requests refused as too many") == {("429", "value"): 0, ("count",): 41}
    assert figures(saved, "leader status") == {("kube-scheduler", "value"): 1}
    latency = figures(saved, "attempt latency")
    assert latency["scheduled", "count"] == 1
    assert latency["scheduled", "mean"] == pytest.approx(0.017901182)
    assert 0.016 < latency["scheduled", "p99"] <= 0.032


def test_version_and_start_of_the_process() -> None:
    (found,) = shown(evidence((scrape(captured("1.30")),))) or ()
    assert (found.version, found.origin, found.how) == ("v1.30.14", "saved.prom", "file")
    assert found.started is not None
    assert found.started.isoformat() == "2026-12-01T12:10:15+00:00"


@pytest.mark.parametrize("value", [0, -1, 1e300, 5e9])
def test_a_start_that_is_none(value: float) -> None:
    metrics = (of(sample("process_start_time_seconds", value), sample("scheduler_pending_pods", 1)),)
    assert [m.started for m in shown(evidence(metrics)) or ()] == [None]


def test_older_names() -> None:
    old = of(
        sample("scheduler_total_preemption_attempts", 4),
        sample("scheduler_pod_preemption_victims", 2),
        sample("scheduler_schedule_attempts_total", 7, result="scheduled"),
        sample("scheduler_e2e_scheduling_duration_seconds_count", 2),
        sample("scheduler_e2e_scheduling_duration_seconds_sum", 3),
    )
    assert figures(old, "preemption attempts") == {("value",): 4}
    assert figures(old, "preemption victims") == {("value",): 2}
    assert figures(old, "attempts by profile and result") == {("scheduled", "value"): 7}
    assert figures(old, "attempt latency") == {("count",): 2, ("mean",): 1.5}


def test_the_present_name_goes_before_an_older_one() -> None:
    both = of(sample("scheduler_total_preemption_attempts", 4), sample("scheduler_preemption_attempts_total", 5))
    assert figures(both, "preemption attempts") == {("value",): 5}


def test_labels_that_are_not_known_tell_figures_apart_where_the_known_are_missing() -> None:
    new = of(sample("scheduler_pending_pods", 1, pool="a"), sample("scheduler_pending_pods", 2, pool="b"))
    assert figures(new, "pending by queue") == {("a", "value"): 1, ("b", "value"): 2}


def test_labels_beside_the_known_are_added_up() -> None:
    more = of(
        sample("scheduler_pending_pods", 1, queue="active", shard="0"),
        sample("scheduler_pending_pods", 2, queue="active", shard="1"),
    )
    assert figures(more, "pending by queue") == {("active", "value"): 3}


def test_throttling_and_a_standby() -> None:
    standby = of(
        sample("rest_client_requests_total", 90, code="200", method="GET"),
        sample("rest_client_requests_total", 8, code="429", method="GET"),
        sample("rest_client_requests_total", 2, code="429", method="PUT"),
        sample("rest_client_rate_limiter_duration_seconds_count", 10, verb="GET"),
        sample("rest_client_rate_limiter_duration_seconds_sum", 5, verb="GET"),
        sample("leader_election_master_status", 0, name="kube-scheduler"),
    )
    assert figures(standby, "API requests refused as too many") == {("429", "value"): 10, ("count",): 100}
    assert figures(standby, "waits for the client's own rate limit") == {("count",): 10, ("mean",): 0.5}
    assert figures(standby, "leader status") == {("kube-scheduler", "value"): 0}


def test_permit_waits() -> None:
    waits = of(
        sample("scheduler_permit_wait_duration_seconds_count", 4, result="allowed"),
        sample("scheduler_permit_wait_duration_seconds_sum", 8, result="allowed"),
        sample("scheduler_permit_wait_duration_seconds_bucket", 4, result="allowed", le="+Inf"),
        sample("scheduler_permit_wait_duration_seconds_bucket", 4, result="allowed", le="4"),
    )
    assert figures(waits, "permit waits") == {
        ("allowed", "count"): 4, ("allowed", "mean"): 2, ("allowed", "p99"): pytest.approx(3.96),
    }  # fmt: skip


def test_a_histogram_of_nothing() -> None:
    none = of(sample("scheduler_scheduling_attempt_duration_seconds_count", 0))
    assert figures(none, "attempt latency") == {("count",): 0}


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ({}, None),
        ({"+Inf": 5}, None),
        ({"1": 0, "+Inf": 0}, None),
        ({"1": 100, "+Inf": 100}, 0.99),
        ({"1": 50, "2": 100, "+Inf": 100}, 1.98),
        ({"1": 50, "2": 60, "+Inf": 100}, 2),
        ({"nonsense": 3, "1": 100, "+Inf": 100}, 0.99),
        ({"nan": 3, "1": 100, "+Inf": 100}, 0.99),
    ],
)
def test_a_quantile(bounds: dict[str, float], expected: float | None) -> None:
    found = quantile(0.99, [sample("x_bucket", value, le=le) for le, value in bounds.items()])
    assert found == (None if expected is None else pytest.approx(expected))


@given(st.lists(st.tuples(st.floats(0.001, 1e6), st.integers(0, 1000)), min_size=1, max_size=8))
def test_a_quantile_lies_within_its_bounds(counts: list[tuple[float, int]]) -> None:
    total, buckets = 0, []
    for bound, more in sorted(dict(counts).items()):
        total += more
        buckets.append(sample("x_bucket", total, le=repr(bound)))
    buckets.append(sample("x_bucket", total, le="+Inf"))
    found = quantile(0.99, buckets)
    assert (found is None) == (total == 0)
    assert found is None or 0 <= found <= max(b for b, _ in counts) + 1e-9


def test_profiles_that_the_metrics_prove() -> None:
    first = of(
        sample("scheduler_schedule_attempts_total", 3, profile="b", result="scheduled"),
        sample("scheduler_schedule_attempts_total", 2, profile="b", result="error"),
        sample("scheduler_schedule_attempts_total", 1, profile="a", result="scheduled"),
        sample("scheduler_unschedulable_pods", 1, profile="c", plugin="NodeAffinity"),
    )
    found = profiles(evidence((first, scrape(captured("1.37")))))
    assert [(p.name, p.attempts, p.origin) for p in found] == [
        ("a", 1, "x"), ("b", 5, "x"), ("default-scheduler", 3, "saved.prom"),
    ]  # fmt: skip
    assert {p.metric for p in found} == {"scheduler_schedule_attempts_total"}


def test_no_profile_is_claimed_where_none_is_named() -> None:
    old = of(sample("scheduler_schedule_attempts_total", 7, result="scheduled"))
    assert profiles(evidence((old,))) == ()


def test_metrics_that_could_not_be_read_prove_and_show_nothing() -> None:
    gap = Gap(what="the scheduler's metrics", reason=GapReason.TIMED_OUT)
    assert profiles(evidence(gap)) == ()
    assert shown(evidence(gap)) is None


def test_no_figure_is_infinite() -> None:
    found = [f.value for release in RELEASES for r in readings(scrape(captured(release))) for f in r.figures]
    assert found
    assert all(math.isfinite(value) for value in found)
