"""What lines say of one Pod and of leader election."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from whypending.evidence import LogLine
from whypending.scheduler_logs import lines_of, rejections, speaks_of, waits_for_lease

NOW = datetime(2026, 11, 30, 22, 15, tzinfo=UTC)
HEAD = "I1130 22:14:05.250000       1 x.go:1] "
WAITS = HEAD + '"Attempting to acquire leader lease..." lock="kube-system/second"'
LEADS = HEAD + '"Successfully acquired lease" lock="kube-system/second"'


def lines(*texts: str) -> list[LogLine]:
    return list(lines_of(texts, "scheduler.log", NOW))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('"Attempting to schedule pod" pod="shop/web"', True),
        ("(shop/web)", True),
        ('pod="shop/web-1"', False),
        ('pod="shop/web.v2"', False),
        ('pod="my-shop/web"', False),
        ("shop/web.", True),
    ],
)
def test_a_pod_is_named_by_its_whole_name(text: str, named: bool) -> None:
    assert bool(list(speaks_of(lines(HEAD + text), "shop", "web"))) is named


@pytest.mark.parametrize(
    ("told", "taint"),
    [
        ('"&Taint{Key:gpu,Value:yes,Effect:NoSchedule,TimeAdded:<nil>,}"', "gpu=yes:NoSchedule"),
        ('{"key":"gpu","effect":"NoExecute"}', "gpu:NoExecute"),
        ('"&Taint{Key:a.example/b,Value:,Effect:NoSchedule,}"', "a.example/b:NoSchedule"),
        ("", ""),
    ],
)
def test_the_taint_that_the_message_leaves_out(told: str, taint: str) -> None:
    said = f'{HEAD}"node had untolerated taints" node="n1" pod="shop/web" untoleratedTaint={told}'
    (found,) = rejections(lines(said, said.replace("shop/web", "shop/other")), "shop", "web")
    assert (found.plugin, found.node, found.taint) == ("TaintToleration", "n1", taint)


@pytest.mark.parametrize(
    ("texts", "waits"),
    [((WAITS,), True), ((WAITS, LEADS), False), ((LEADS, WAITS), True), ((WAITS, LEADS, WAITS), True), ((), False)],
)
def test_a_log_that_ends_to_wait(texts: tuple[str, ...], waits: bool) -> None:
    assert (waits_for_lease(lines(*texts)) is not None) is waits
