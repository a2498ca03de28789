"""Times, severities and continuation lines of klog's text and JSON, whole or cut."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whypending.classifiers.no_scheduler._refusals import FORBIDDEN
from whypending.evidence import LogLine
from whypending.scheduler_logs import lines_of

NOW = datetime(2026, 11, 30, 22, 15, tzinfo=UTC)
AT = datetime(2026, 11, 30, 22, 14, 5, 250000, tzinfo=UTC)
KLOG = 'E1130 22:14:05.250000       1 leaderelection.go:441] "Error retrieving lease lock" err="no"'


def read(*texts: str, now: datetime = NOW) -> list[LogLine]:
    return list(lines_of(texts, "scheduler.log", now))


@pytest.mark.parametrize(
    "front",
    [
        "",
        "2026-11-30T22:14:05.250001234Z ",
        "2026-11-30T22:14:05.250001234Z stderr F ",
        "[pod/kube-system/second-5d4-x2/scheduler] ",
        "[pod/second-5d4-x2/scheduler] 2026-11-30T22:14:05.250001234Z ",
    ],
)
def test_klog_behind_what_kubectl_or_a_runtime_writes_in_front(front: str) -> None:
    (line,) = read(front + KLOG)
    assert (line.at, line.severity, line.text) == (AT, "E", front + KLOG)


@pytest.mark.parametrize("severity", "IWEF")
def test_each_severity(severity: str) -> None:
    assert read(severity + KLOG[1:])[0].severity == severity


@pytest.mark.parametrize(
    ("now", "text", "year"),
    [
        (datetime(2026, 1, 1, 0, 5, tzinfo=UTC), "I1231 23:59:58.1 1 x.go:1] a", 2025),
        (datetime(2026, 12, 31, 23, 59, tzinfo=UTC), "I0101 00:00:10.1 1 x.go:1] a", 2027),
        (datetime(2025, 1, 20, tzinfo=UTC), "I0229 00:00:10.1 1 x.go:1] a", 2024),
    ],
)
def test_the_year_is_that_nearest_to_the_clock(now: datetime, text: str, year: int) -> None:
    at = read(text, now=now)[0].at
    assert at is None if year == 2024 else at is not None and at.year == year


def test_a_line_that_begins_no_entry_belongs_to_the_one_before() -> None:
    lines = read("goroutine 1 [running]:", KLOG, "goroutine 7 [running]:", "", "\tmain.go:7")
    assert [(x.number, x.at, x.severity) for x in lines] == [(1, None, ""), (2, AT, "E"), (3, AT, "E"), (5, AT, "E")]


def test_json_is_put_into_klogs_form() -> None:
    text = (
        '{"ts":1796076845250.0,"caller":"scheduler/schedule_one.go:117","msg":"Attempting to schedule pod","v":3,'
        '"pod":{"name":"web","namespace":"shop"},"nodes":3}'
    )
    (line,) = read(text)
    assert (line.at, line.severity) == (AT, "I")
    assert line.text == (
        'I1130 22:14:05.250000 1 schedule_one.go:117] "Attempting to schedule pod" pod="shop/web" nodes=3'
    )


def test_an_error_in_json_has_no_v() -> None:
    (line,) = read('{"ts":1796076845250.0,"caller":"x.go:1","msg":"command failed","err":"no kind \\"X\\""}')
    assert line.severity == "E"
    assert line.text.endswith('"command failed" err="no kind \\"X\\""')


def test_a_refusal_is_found_in_json_as_in_text() -> None:
    err = 'leases "s" is forbidden: User "u" cannot get resource "leases" in API group "g" in the namespace "n"'
    told = '{"ts":1796076845250.0,"caller":"x.go:1","msg":"Error retrieving lease lock","err":%s}'
    (line,) = read(told % ('"' + err.replace('"', '\\"') + '"'))
    match = FORBIDDEN.search(line.text)
    assert match is not None
    assert match.groupdict() == {"user": "u", "verb": "get", "resource": "leases", "group": "g", "namespace": "n"}


@pytest.mark.parametrize("text", ['{"ts":179607684525', '{"ts":1, "msg": 7}', "{}", "[1]", '{"msg":"x"', "null"])
def test_json_that_is_cut_or_foreign_is_left_as_it_is(text: str) -> None:
    (line,) = read(text)
    assert (line.text, line.at) == (text, None)


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("2026-11-30T22:14:05.250Z\tINFO\tcore\tscheduler/context.go:1\tstarted", "I"),
        ("2026-11-30 22:14:05.250 WARNING it waits", "W"),
        ("2026-11-30T22:14:05.250+00:00 error: no", "E"),
        ("2026-11-30T22:14:05,250Z panic", "F"),
        ("2026-11-30T22:14:05.250Z some words", ""),
    ],
)
def test_other_logs_that_begin_with_a_time(text: str, severity: str) -> None:
    (line,) = read(text)
    assert (line.at, line.severity) == (AT, severity)


def test_numbers_count_from_the_first_and_long_lines_are_cut() -> None:
    (line,) = lines_of(["x" * 100_000], "o", NOW, first=71, previous=True, pod="a/b")
    assert (line.number, len(line.text), line.previous, line.pod) == (71, 8_000, True, "a/b")


@given(st.lists(st.text(max_size=200), max_size=8), st.integers(0, 200))
def test_nothing_that_a_log_holds_stops_it(texts: list[str], cut: int) -> None:
    whole = [KLOG[:cut], '{"ts":1e999,"msg":"x","v":0}', '{"ts":-1e300,"msg":"x"}', *texts]
    assert all(line.text.strip() for line in read(*whole))
