"""Texts that mean harm: control characters, megabytes, and shapes that make regular expressions slow."""

from __future__ import annotations

import time

import pytest

from whypending.messages import parse_scheduling_message

MEGABYTE = 1_000_000
HEAD = "0/3 nodes are available: "
SECONDS = 1.0

HUGE = {
    "reasons": HEAD + ", ".join(f"1 node(s) had untolerated taint {{k{number}: v}}" for number in range(22_000)),
    "short reasons": HEAD + ", ".join(f"1 a{number}" for number in range(110_000)),
    "quotes": HEAD + "1 x" + '"' * MEGABYTE,
    "braces": HEAD + "1 " + "{" * MEGABYTE,
    "pairs": HEAD + "1 " + "()" * (MEGABYTE // 2),
    "spaces": HEAD + " " * MEGABYTE + "1 x",
    "commas": HEAD + "1 x" + ", " * (MEGABYTE // 2),
    "stops": HEAD + "x" + ". " * (MEGABYTE // 2),
    "escapes": HEAD + "1 x" + "\\n" * (MEGABYTE // 2),
    "digits": "1" * MEGABYTE,
    "slashes": "0/" * (MEGABYTE // 2) + " available",
    "heads": HEAD * (MEGABYTE // len(HEAD)),
    "tails": HEAD + "1 x. " + "preemption: " * (MEGABYTE // 12),
    "node lines": "pod (x) failed to fit in any node\n" + "fit failure on node (a): b,c\n" * (MEGABYTE // 29),
    "brackets": "No nodes are available that match all of the predicates: " + "a (1), " * (MEGABYTE // 7),
    "open brackets": "No nodes are available that match all of the predicates: " + "(" * MEGABYTE,
    "kai": "no nodes with enough resources were found: " + "1 a. \n" * (MEGABYTE // 6),
    "yunikorn": "Unschedulable request 'x': " * (MEGABYTE // 27),
    "karpenter": "Failed to schedule pod, " + 'incompatible with nodepool "p", x; ' * (MEGABYTE // 35),
    "kueue": "couldn't assign flavors to pod set main: " * (MEGABYTE // 41),
    "autoscaler": "pod didn't trigger scale-up: " + "1 max cluster cpu, memory limit reached, " * (MEGABYTE // 41),
    "volcano": "1/1 tasks in gang unschedulable: x" + ". Origin reason is " * (MEGABYTE // 18),
    "fargate": "Pod not supported on Fargate: " + "fields not supported: a, " * (MEGABYTE // 25),
    "hami": HEAD + "1 " + "1/2 a1" * (MEGABYTE // 6),
    "plugin": "plugin x predicates failed " + "a, " * (MEGABYTE // 3),
    "letters": "a" * MEGABYTE,
    "NUL": "\0" * MEGABYTE,
    "bidi": "\u202e" * MEGABYTE,
}


@pytest.mark.parametrize("name", HUGE)
def test_a_megabyte_is_parsed_in_well_under_a_second(name: str) -> None:
    started = time.process_time()
    message = parse_scheduling_message(HUGE[name])
    assert time.process_time() - started < SECONDS
    assert message.text == HUGE[name]


@pytest.mark.parametrize("noise", ["\x1b[31m", "\u202e", "\0", "\x07", "\ufeff", "\ud800"])
def test_control_characters_are_kept_and_fool_nobody(noise: str) -> None:
    inside = parse_scheduling_message(f"{HEAD}1 Insufficient {noise}cpu, 2 Insufficient memory.")
    assert [(reason.count, reason.text) for reason in inside.reasons] == [
        (1, f"Insufficient {noise}cpu"),
        (2, "Insufficient memory"),
    ]
    assert inside.reasons[0].cause != "insufficient-cpu"
    assert noise in parse_scheduling_message(f"{noise}x {HEAD}1 Insufficient cpu.").rest


@pytest.mark.parametrize("text", ["", " ", "\n", ".", ":", "0/3", "0/3 nodes are available", f"{HEAD}.", '"', "..."])
def test_little_is_no_message(text: str) -> None:
    message = parse_scheduling_message(text)
    assert message.reasons == ()
    assert message.preemption == ()


def test_numbers_too_large_for_a_count_are_text() -> None:
    message = parse_scheduling_message(f"{HEAD}{'9' * 5_000} Insufficient cpu.")
    assert message.reasons[0].count is None
