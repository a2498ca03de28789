"""Messages built from parts give the parts back, and no text loses a character."""

from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from whypending.messages import parse_scheduling_message
from whypending.messages.cover import Kind
from whypending.messages.scheduler import tiles

Counted = list[tuple[int, str]]

NAMES = st.from_regex(r"[a-z][a-z0-9-]{0,8}[a-z0-9]", fullmatch=True)
CHUNKS = st.one_of(
    st.from_regex(r"[b-hj-z][a-z']{0,9}", fullmatch=True),
    st.sampled_from(["node(s)", "{a, 3 b: c}", '"x, 2 y"', "[p q, 1 r]", "f/g", "k: v", "1.2.3", "(s, 4 t)", "é"]),
)
JOINTS = st.sampled_from([" ", ", ", ": ", "; "])
FILTERS = st.sampled_from(
    [
        "Insufficient cpu",
        "Insufficient nvidia.com/gpu",
        "node(s) had untolerated taint {dedicated: gpu}",
        "node(s) had taint {a/b: }, that the pod didn't tolerate",
        "node(s) didn't match pod affinity rules",
        "node(s) didn't satisfy plugin(s) [NodeAffinity]",
    ]
)


@st.composite
def free_texts(draw: st.DrawFn) -> str:
    first = draw(st.from_regex(r"zz[a-z]{1,6}", fullmatch=True))
    parts = draw(st.lists(st.tuples(JOINTS, CHUNKS), max_size=4))
    text = first
    for joint, chunk in parts:
        text += (" " if chunk[0].isdecimal() else joint) + chunk
    return text


REASONS = st.one_of(FILTERS, free_texts())
HISTOGRAMS = st.lists(st.tuples(st.integers(1, 5_000), REASONS), min_size=1, max_size=6)
TOTALS = st.integers(5_000, 15_000)


def joined(parts: Counted) -> str:
    return ", ".join(f"{count} {text}" for count, text in parts)


def reasons_of(text: str) -> Counted:
    return [(reason.count or 0, reason.text) for reason in parse_scheduling_message(text).reasons]


@given(HISTOGRAMS, TOTALS, st.sampled_from([".", ""]))
def test_current(parts: Counted, total: int, stop: str) -> None:
    message = parse_scheduling_message(f"0/{total} nodes are available: {joined(parts)}{stop}")
    assert [(reason.count, reason.text) for reason in message.reasons] == parts
    assert (message.nodes_available, message.nodes_total, message.rest) == (0, total, "")
    assert message.family == ("braces" if "taint {" in joined(parts) else "current")


@given(HISTOGRAMS, HISTOGRAMS, TOTALS, st.sampled_from([".", "..", ""]))
def test_preemption(parts: Counted, tail: Counted, total: int, stop: str) -> None:
    text = f"0/{total} nodes are available: {joined(parts)}. preemption: 0/{total} nodes are available: {joined(tail)}"
    message = parse_scheduling_message(text + stop)
    assert [(reason.count, reason.text) for reason in message.reasons] == parts
    assert [(reason.count, reason.text) for reason in message.preemption] == tail
    assert (message.preemption_total, message.rest) == (total, "")


@given(REASONS, TOTALS, HISTOGRAMS)
def test_prefilter(text: str, total: int, tail: Counted) -> None:
    message = parse_scheduling_message(
        f"0/{total} nodes are available: {text}. preemption: 0/{total} nodes are available: {joined(tail)}."
    )
    assert [(reason.count, reason.text) for reason in message.reasons] == [(None, text)]
    assert len(message.preemption) == len(tail)
    assert message.family == "prefilter"


@given(HISTOGRAMS, st.booleans())
def test_volcano(parts: Counted, counted: bool) -> None:
    head = "0/5000 nodes are unavailable" if counted else "all nodes are unavailable"
    assert reasons_of(f"{head}: {joined(parts)}.") == parts
    gang = f"1/2 tasks in gang unschedulable: pod group is not ready, 2 Pending. Origin reason is a: {head}: "
    assert reasons_of(f"{gang}{joined(parts)}.")[1:] == parts


@given(HISTOGRAMS, NAMES)
def test_brackets(parts: Counted, name: str) -> None:
    listed = ", ".join(f"{text} ({count})" for count, text in parts)
    assert reasons_of(f"No nodes are available that match all of the predicates: {listed}.") == parts
    old = parse_scheduling_message(f"pod ({name}) failed to fit in any node\nfit failure summary on nodes : {listed}")
    assert [(reason.count, reason.text) for reason in old.reasons] == parts
    assert old.details == (("pod", name),)


@given(st.dictionaries(NAMES, st.sampled_from(["Insufficient cpu", "HostName"]), min_size=1), NAMES)
def test_per_node(nodes: dict[str, str], name: str) -> None:
    lines = "".join(f"fit failure on node ({node}): {text}\n" for node, text in nodes.items())
    message = parse_scheduling_message(f"pod ({name}) failed to fit in any node\n{lines}")
    assert {reason.node: reason.text for reason in message.reasons} == nodes
    assert message.nodes_total == len(nodes)


@given(HISTOGRAMS, st.booleans())
def test_cluster_autoscaler(parts: Counted, old: bool) -> None:
    explained = " (it wouldn't fit if a new node is added)" if old else ""
    assert reasons_of(f"pod didn't trigger scale-up{explained}: {joined(parts)}") == parts


@given(HISTOGRAMS, NAMES)
def test_yunikorn(parts: Counted, name: str) -> None:
    listed = "".join(f"{text} ({count}x); " for count, text in parts)
    assert reasons_of(f"Unschedulable request '{name}': {listed}") == parts


@given(HISTOGRAMS, NAMES)
def test_kai(parts: Counted, name: str) -> None:
    listed = ". \n".join(f"{count} {text}" for count, text in parts)
    head = f"Resources were not found for pod ns/{name} due to: no nodes with enough resources were found: "
    assert reasons_of(f"{head}{listed}.") == parts


@given(st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=6))
def test_karpenter(pools: list[tuple[str, str]]) -> None:
    texts = [
        f'incompatible with nodepool "{pool}", daemonset overhead={{"cpu":"1","pods":"2"}}, did not tolerate {key}='
        for pool, key in pools
    ]
    message = parse_scheduling_message("Failed to schedule pod, " + "; ".join(texts))
    assert [reason.text for reason in message.reasons] == texts
    assert [dict(reason.details)["nodepool"] for reason in message.reasons] == [pool for pool, _ in pools]


@given(st.dictionaries(NAMES, st.lists(NAMES, min_size=1, max_size=3), min_size=1, max_size=3))
def test_kueue(sets: dict[str, list[str]]) -> None:
    texts = {
        name: [f"insufficient unused quota for cpu in flavor {flavor}, 5 more needed" for flavor in flavors]
        for name, flavors in sets.items()
    }
    built = "; ".join(f"couldn't assign flavors to pod set {name}: {', '.join(parts)}" for name, parts in texts.items())
    message = parse_scheduling_message(built)
    assert [(dict(reason.details)["podSet"], reason.text) for reason in message.reasons] == [
        (name, text) for name, parts in texts.items() for text in parts
    ]


@given(st.lists(st.sampled_from(["HostNetwork", "HostPID", "HostIPC"]), min_size=1, unique=True), NAMES)
def test_fargate(fields: list[str], volume: str) -> None:
    parts = [f"fields not supported: {', '.join(fields)}", f"volumes not supported: {volume} is of an unsupported Type"]
    message = parse_scheduling_message("Pod not supported on Fargate: " + ", ".join(parts))
    assert [reason.text for reason in message.reasons] == parts


FRAGMENTS = st.sampled_from(
    [
        "0/3 nodes are available",
        "0/0 nodes are available: ",
        "0/2 nodes are unavailable: ",
        "all nodes are unavailable",
        ": ",
        ", ",
        ". ",
        "; ",
        " ",
        "\n",
        "\r\n",
        "\\n",
        '"',
        '\\"',
        "'",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "3 ",
        "12 ",
        "(4)",
        "(5x); ",
        "...",
        " ...",
        "Insufficient cpu",
        "node(s) had untolerated taint {a: b}",
        "preemption: ",
        "preemption: 0/3 nodes are available: ",
        "No nodes are available that match all of the predicates: ",
        "pod (x) failed to fit in any node\n",
        "fit failure summary on nodes : ",
        "fit failure on node (y): ",
        "1/2 tasks in gang unschedulable: ",
        "pod group is not ready, 1 Pending",
        ". Origin reason is z: ",
        "pod didn't trigger scale-up",
        "pod triggered scale-up: [{g 1->2 (max: 3)}]",
        "Failed to schedule pod, ",
        'incompatible with nodepool "p", ',
        "couldn't assign flavors to pod set main: ",
        "insufficient unused quota for cpu in flavor f, 1 more needed",
        "Resources were not found for pod a/b due to: ",
        "no nodes with enough resources were found: ",
        "Scheduling conditions were not met for pod a/b:\n",
        ". Additional pods cannot be scheduled due to: ",
        "Unschedulable request 'r': ",
        "2 nodes CardInsufficientMemory(n)",
        "Pod not supported on Fargate: ",
        "fields not supported: ",
        'running PreBind plugin "VolumeBinding": ',
        "Pod should schedule on: node/n",
        "In hyperNode h: ",
        "0/2 placements are available, first placement status: ",
    ]
)
ANY_TEXT = st.one_of(st.text(), st.lists(st.one_of(FRAGMENTS, st.text(max_size=6)), max_size=14).map("".join))
HEADS = """
    0/1 nodes are unavailable, all nodes are available, 0/1 placements are available, first placement status,
    In hyperNode, No nodes are available that match all of the following predicates, preemption, pod group preemption,
    pod failed to fit in any node, fit failure summary on nodes, fit failure on node,
    tasks in gang unschedulable, Origin reason is, pod didn't trigger scale-up,
    it wouldn't fit if a new node is added,
    pod triggered scale-up, Failed to schedule pod, Could not schedule pod, couldn't assign flavors to pod set,
    PodSchedulingErrors, Unable to schedule podgroup, Resources were not found for pod due to, Unschedulable request,
    Additional pods cannot be scheduled in this sub-group due to, no nodes with enough resources were found,
    Scheduling conditions were not met for pod, Pod not supported on Fargate, Node-Pool, \\n \\r \\t (5x)
"""
HEAD_WORDS = frozenset(re.findall(r"[^\W\d_]+", HEADS.lower()))


@given(ANY_TEXT)
def test_tiles_cover_the_text(text: str) -> None:
    laid = tiles(text)
    assert "".join(text[tile.start : tile.end] for tile in laid) == text
    assert all(tile.start < tile.end for tile in laid)
    assert all(before.end == after.start for before, after in pairwise(laid))


@given(ANY_TEXT)
def test_every_tile_but_glue_is_in_the_message(text: str) -> None:
    message = parse_scheduling_message(text)
    laid: dict[Kind, list[str]] = {kind: [] for kind in Kind}
    for tile in tiles(text):
        laid[tile.kind].append(text[tile.start : tile.end])
    assert [reason.text for reason in message.reasons] == laid[Kind.REASON]
    assert [reason.text for reason in message.preemption] == laid[Kind.PREEMPTION]
    assert message.rest == "\n".join(part.strip() for part in laid[Kind.REST])


@given(ANY_TEXT)
def test_only_heads_counts_and_punctuation_are_glue(text: str) -> None:
    glue = " ".join(text[tile.start : tile.end] for tile in tiles(text) if tile.kind is Kind.GLUE)
    named = {value.lower() for detail in parse_scheduling_message(text).details for value in detail}
    nodes = {reason.node or "" for reason in parse_scheduling_message(text).reasons}
    sets = {
        value for reason in parse_scheduling_message(text).reasons for key, value in reason.details if key == "podSet"
    }
    known = HEAD_WORDS.union(*(re.findall(r"[^\W\d_]+", part.lower()) for part in named | nodes | sets))
    assert set(re.findall(r"[^\W\d_]+", glue.lower())) <= known


@given(ANY_TEXT)
def test_texts_are_as_written(text: str) -> None:
    message = parse_scheduling_message(text)
    assert message.text == text
    assert all(reason.text in text for reason in (*message.reasons, *message.preemption))
    assert hash(message) == hash(parse_scheduling_message(text))
