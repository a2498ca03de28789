"""Texts of /metrics: of four real releases, of other components, broken, cut, hostile and large."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.metrics.kit import HOME, RELEASES, captured
from whypending.metrics.exposition import ForeignError, parse
from whypending.metrics.names import is_kept

ONE = 'scheduler_pending_pods{queue="active"} 3\n'


@pytest.mark.parametrize("release", RELEASES)
def test_what_is_kept_of_a_real_text(release: str) -> None:
    exposed = parse(captured(release))
    names = {sample.name for sample in exposed.samples}
    assert exposed.warnings == ()
    assert {"scheduler_pending_pods", "scheduler_schedule_attempts_total", "kubernetes_build_info"} <= names
    assert not {name for name in names if name.startswith(("go_", "workqueue_", "scheduler_framework"))}
    assert all(is_kept(name) for name in names)


def test_the_values_of_a_real_text() -> None:
    found = {(s.name, s.labels): s.value for s in parse(captured("1.37")).samples}
    assert found["scheduler_pending_pods", (("queue", "unschedulable"),)] == 2
    labels = (("profile", "default-scheduler"), ("result", "scheduled"))
    assert found["scheduler_schedule_attempts_total", labels] == 1
    assert found["process_start_time_seconds", ()] == pytest.approx(1.79612700315e9)


def test_the_api_servers_metrics_are_not_a_schedulers() -> None:
    text = (HOME / "kube-apiserver-1.37.prom").read_text()
    with pytest.raises(ForeignError, match="these are the metrics of an API server, not of a scheduler"):
        parse(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "it is empty"),
        (" \n\n", "it is empty"),
        ("<!DOCTYPE html><title>Login</title>", "it is a web page"),
        ("\n<html>", "it is a web page"),
        ('{"status": "success"}', "it is JSON"),
        ("Forbidden, go away\nplease now\n", "it holds no metrics"),
        ("node_cpu_seconds_total 3\n", "the metrics of node-exporter"),
        ('cluster_autoscaler_nodes_count 3\nscheduler_pending_pods{queue="active"} 0\n', "cluster-autoscaler"),
        ("kubelet_running_pods 3\n", "the metrics of a kubelet"),
        ("karpenter_nodes_total 3\n", "the metrics of Karpenter"),
        ("volcano_e2e_job_scheduling_latency_milliseconds 3\n", "the metrics of Volcano"),
        ("my_app_total 3\n", "these metrics are not a scheduler's"),
        ("scheduler_of_my_own_total 3\n", "these metrics are not a scheduler's"),
        ("\x00\x01\x02\xff" * 100, "it holds no metrics"),
    ],
)
def test_what_is_no_schedulers_text(text: str, says: str) -> None:
    with pytest.raises(ForeignError, match=says):
        parse(text)


def test_a_text_that_ends_in_the_middle() -> None:
    exposed = parse(ONE + 'scheduler_pending_pods{queue="backo')
    assert [s.value for s in exposed.samples] == [3]
    assert exposed.warnings == ("The text ends in the middle of a line: what follows is missing.",)


def test_a_last_line_without_a_line_break_is_whole() -> None:
    exposed = parse(ONE + 'scheduler_pending_pods{queue="backoff"} 4')
    assert ([s.value for s in exposed.samples], exposed.warnings) == ([3, 4], ())


@pytest.mark.parametrize(
    "line",
    [
        'scheduler_pending_pods{queue="a} 1',
        "scheduler_pending_pods{queue=a} 1",
        "scheduler_pending_pods",
        "scheduler_pending_pods one",
        'scheduler_pending_pods{queue="a",queue="b"} 1',
        'scheduler_pending_pods{queue="' + "x" * 30_000 + '"} 1',
    ],
)
def test_a_broken_line_costs_itself_alone(line: str) -> None:
    exposed = parse(f"{line}\n{ONE}")
    assert [s.value for s in exposed.samples] == [3]
    assert exposed.warnings[0].startswith("1 broken lines were left out, the first is: scheduler_pending_pods")


def test_what_was_not_measured_is_left_out() -> None:
    exposed = parse(f"{ONE}scheduler_preemption_attempts_total NaN\nscheduler_queue_age +Inf\n")
    assert [s.name for s in exposed.samples] == ["scheduler_pending_pods"]


def test_windows_line_ends_times_and_escapes() -> None:
    exposed = parse('scheduler_pending_pods{queue="a\\"b\\\\c\\nd"} 3 1796127060500\r\n')
    assert [(s.label("queue"), s.value) for s in exposed.samples] == [('a"b\\c\nd', 3)]


def test_a_huge_text_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whypending.metrics.exposition.MAX_SAMPLES", 500)
    exposed = parse("".join(f'scheduler_pending_pods{{queue="q{n}"}} 1\n' for n in range(20_000)))
    assert len(exposed.samples) == 500
    assert exposed.warnings == ("Only the first 500 values were read.",)


@given(st.text())
def test_any_text(text: str) -> None:
    exposed = parse(f"{ONE}{text}\n{ONE}")
    assert {s.value for s in exposed.samples if s.label("queue") == "active"} >= {3}
