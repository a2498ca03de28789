"""Copies of messages: cut, quoted, escaped, wrapped, with something before them."""

from __future__ import annotations

import json

import pytest

from whypending.messages import NOTE_LIMIT, parse_scheduling_message

TAINTS = ", ".join(f"{number} node(s) had untolerated taint {{key-{number}: value}}" for number in range(1, 40))
LONG = f"0/300 nodes are available: {TAINTS}. preemption: 0/300 nodes are available: 300 Preemption is not helpful."
MESSAGE = '0/3 nodes are available: 3 persistentvolumeclaim "nope" not found.'


def cut(text: str) -> str:
    """As truncateMessage does it in kube-scheduler and in Kueue."""
    return text[: NOTE_LIMIT - 4] + " ..."


def test_a_cut_note() -> None:
    message = parse_scheduling_message(cut(LONG))
    last = message.reasons[-1]
    assert message.truncated
    assert message.rest == ""
    assert message.nodes_total == 300
    assert LONG.startswith(message.text[:-4])
    assert last.text == "node(s)"
    assert (last.count, last.cause, last.details) == (21, None, (("cut", "true"),))
    assert all(reason.cause == "untolerated-taint" for reason in message.reasons[:-1])


@pytest.mark.parametrize("size", range(30, NOTE_LIMIT, 7))
def test_a_cut_anywhere_keeps_what_came_before(size: int) -> None:
    whole = parse_scheduling_message(LONG)
    message = parse_scheduling_message(LONG[:size] + " ...")
    assert message.truncated
    assert message.reasons[:-1] == whole.reasons[: max(0, len(message.reasons) - 1)]


def test_a_cut_in_the_preemption_tail() -> None:
    message = parse_scheduling_message("0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are a ...")
    assert [reason.text for reason in message.reasons] == ["Insufficient cpu"]
    assert [reason.details for reason in message.preemption] == [(("cut", "true"),)]


@pytest.mark.parametrize("ending", ["", "."])
def test_a_whole_message_is_not_called_cut(ending: str) -> None:
    assert not parse_scheduling_message(f"0/3 nodes are available: 3 Insufficient cpu{ending}").truncated


def test_a_message_of_just_the_limit_with_a_full_stop_is_whole() -> None:
    text = "0/3 nodes are available: 3 " + "x" * (NOTE_LIMIT - 28) + "."
    assert len(text) == NOTE_LIMIT
    assert not parse_scheduling_message(text).truncated
    assert parse_scheduling_message(text[:-1] + "x").truncated


@pytest.mark.parametrize(
    "copy",
    [
        MESSAGE,
        json.dumps(MESSAGE),
        json.dumps({"message": MESSAGE}),
        f"'{MESSAGE}'",
        MESSAGE.replace(" ", "\n    "),
        MESSAGE.replace("\n", "\r\n") + "\r\n",
        f"Warning  FailedScheduling  3s (x5 over 1m)  default-scheduler  {MESSAGE}",
        f'"Unable to schedule pod; no fit; waiting" pod="default/a" err="{json.dumps(MESSAGE)[1:-1]}"',
    ],
)
def test_copies(copy: str) -> None:
    message = parse_scheduling_message(copy)
    assert (message.nodes_available, message.nodes_total) == (0, 3)
    assert [reason.count for reason in message.reasons] == [3]
    assert message.reasons[0].cause == "pvc-not-found"
    assert message.reasons[0].details == (("claim", "nope"),)


def test_what_stands_before_the_head_is_rest() -> None:
    message = parse_scheduling_message(f"Warning  FailedScheduling  3s  default-scheduler  {MESSAGE}")
    assert message.rest == "Warning  FailedScheduling  3s  default-scheduler"


def test_doubled_and_curly_quotes() -> None:
    doubled = parse_scheduling_message("0/1 nodes are available: 1 node(s) didn''t match node selector.")
    curly = parse_scheduling_message("pod didn\u2019t trigger scale-up: 1 node(s) didn\u2019t match node selector")
    assert doubled.reasons[0].cause == "node-selector-mismatch"
    assert curly.reasons[0].cause == "node-selector-mismatch"
