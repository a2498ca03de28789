from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from whypending.sources.live.plain_yaml import load

KUBECONFIG = {
    "apiVersion": "v1",
    "kind": "Config",
    "preferences": {},
    "current-context": "kind",
    "clusters": [
        {"name": "kind", "cluster": {"server": "https://127.0.0.1:6443", "certificate-authority-data": "LS0tLS1=="}},
        {"name": "b", "cluster": {"server": "https://b.test/a%20b", "insecure-skip-tls-verify": True}},
    ],
    "contexts": [{"name": "kind", "context": {"cluster": "kind", "user": "arn:aws:eks:eu-1:1:cluster/x"}}],
    "users": [{"name": "me", "user": {"exec": {"args": ["token", "--id"], "env": None, "command": "aws"}}}],
}
_WORDS = st.one_of(
    st.text("abnoyeslf:.-/#'\" 0~=,{}[]&*!|>%@\\\t\u00e4", max_size=8),
    st.sampled_from(["yes", "No", "true", "FALSE", "null", "~", "on", "1e3", "0x1", "1:30", "2026-01-01", "a: b", "."]),
)
_VALUES = st.recursive(
    st.one_of(_WORDS, st.none(), st.booleans(), st.integers(0, 9)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_WORDS, inner, max_size=3)),
    max_leaves=8,
)
_PLAIN_LINE = st.builds(
    "{}{}{}".format,
    st.sampled_from(["", "", "  ", "    "]),
    st.sampled_from(["", "", "- "]),
    st.sampled_from(["a:", "b:", "c: x", "d: 'y z'", "e: https://f.test:6443/", "g: {}", "h: null", "i: true", "x"]),
)
_ODD = """|# x|---|...|-|- - x|? a|j: x y|k: x #y|l: >|m: &a x|n: *a|o: [a]|\tp: x|yes: x|1: x|q: 1e3|r: True|s: a:
|t: "a\\n"|u: >-|v: 'it''s'|'w': x|x: --id|y: x |z: -x|A: ~|B: a,b|C: .x|D: 0x1|E: @x|F: x: y|G:x|H : x"""
_ODD_LINE = st.sampled_from(_ODD.replace("\n", "").split("|"))
_LINES = st.one_of(
    st.lists(_PLAIN_LINE, max_size=6),
    st.lists(st.one_of(_PLAIN_LINE, _PLAIN_LINE, _ODD_LINE), max_size=5),
).map("\n".join)


def judged(text: str) -> Any:
    return yaml.load(text, yaml.CSafeLoader)


@pytest.mark.parametrize("sort_keys", [True, False])
def test_a_kubeconfig_needs_no_pyyaml(*, sort_keys: bool) -> None:
    assert load(yaml.safe_dump(KUBECONFIG, sort_keys=sort_keys)) == KUBECONFIG


def test_indented_sequences_comments_and_quotes() -> None:
    text = "# mine\nusers:\n  - name: 'a b'\n    user: {}\n\n  - name: \"c\"\ncontexts:\n"
    assert load(text) == {"users": [{"name": "a b", "user": {}}, {"name": "c"}], "contexts": None} == judged(text)


@given(_VALUES)
def test_what_pyyaml_wrote_is_read_alike_or_left_to_it(value: object) -> None:
    _agrees(yaml.safe_dump(value, default_flow_style=False, allow_unicode=True))


@given(_LINES)
def test_any_lines_are_read_alike_or_left_to_pyyaml(text: str) -> None:
    _agrees(text)


@pytest.mark.parametrize(
    "text", ["", "a", "a: 1", "a: b\n  c: d", "a: b\na: c", "a:\n- b\n  - c", "a: yes", "a: |\n  b"]
)
def test_left_to_pyyaml(text: str) -> None:
    with pytest.raises(ValueError, match="not plain"):
        load(text)


def _agrees(text: str) -> None:
    try:
        found = load(text)
    except ValueError:
        return
    assert found == judged(text)
