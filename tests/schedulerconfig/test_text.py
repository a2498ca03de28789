"""Texts as people have them: ConfigMaps, several documents, templates, and what is no YAML."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.schedulerconfig.generate import generate
from tests.schedulerconfig.test_rules import HEAD
from whypending.schedulerconfig import Facts, UnreadableTextError, check, read_key, read_text
from whypending.schedulerconfig.tree import documents, whole
from whypending.schedulerconfig.values import duration, is_extended_resource, is_qualified

CONFIG_MAP = """apiVersion: v1
kind: ConfigMap
metadata: {name: mine, namespace: kube-system}
data:
  notes: hello
  config.yaml: |
    apiVersion: kubescheduler.config.k8s.io/v1
    kind: KubeSchedulerConfiguration
    parallelism: 0
  quoted.yaml: "apiVersion: kubescheduler.config.k8s.io/v1\\nkind: KubeSchedulerConfiguration\\nparallelism: 0\\n"
"""

ENDLESS = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in pairwise("abcdefgh")
)


def lines(text: str) -> list[int]:
    found = read_text(text, "f").configurations
    return [f.line for r in check(found, [Facts()] * len(found)) for f in r.findings if f.rule == "value-out-of-range"]


def test_lines_inside_a_config_map_are_those_of_the_file() -> None:
    assert lines(CONFIG_MAP) == [9, 10]


def test_lines_in_a_list_of_config_maps() -> None:
    indented = CONFIG_MAP.replace("\n", "\n  ").rstrip()
    assert lines(f"apiVersion: v1\nkind: List\nitems:\n- {indented}\n") == [12, 13]


def test_other_keys_are_named() -> None:
    found = read_text(CONFIG_MAP, "f")
    assert found.notes == (
        "f, line 5: passed over key notes of ConfigMap kube-system/mine, which is no KubeSchedulerConfiguration.",
    )
    assert [c.holder for c in found.configurations] == ["kube-system/mine:config.yaml", "kube-system/mine:quoted.yaml"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it holds no KubeSchedulerConfiguration"),
        ("kind: Pod\n", "it holds no KubeSchedulerConfiguration, but Pod"),
        ("- 1\n", "it holds no KubeSchedulerConfiguration, but a list"),
        (f"{HEAD}parallelism: {{{{ .Values.n }}}}\n", "it is a template"),
        (f"{HEAD}{{{{- if .Values.n }}}}\n", "it is a template"),
        (f"{HEAD}profiles: [\n", "it is not valid YAML"),
        (f"{HEAD}\tparallelism: 1\n", "it is not valid YAML"),
        (f"{HEAD}a: &a [*a]\n", "no end"),
        (HEAD + ENDLESS, "no end"),
        (f"{HEAD}a: {'[' * 200}{']' * 200}\n", "nested deeper"),
        ("x" * 4_000_001, "longer than"),
    ],
)  # fmt: skip
def test_what_can_not_be_read(text: str, said: str) -> None:
    with pytest.raises(UnreadableTextError, match=said):
        read_text(text, "f")


def test_a_broken_key_names_its_line_in_the_file() -> None:
    broken = CONFIG_MAP.replace("    parallelism: 0\n  quoted", "    a: ]\n  quoted")
    with pytest.raises(UnreadableTextError, match=r"key config\.yaml of ConfigMap kube-system/mine") as raised:
        read_text(broken, "f")
    assert raised.value.line == 9


def test_a_comment_with_braces_is_no_template() -> None:
    assert read_text(f"{HEAD}# {{{{ .Values.n }}}}\n", "f").configurations


def test_documents_of_one_key() -> None:
    assert [c.number for c in read_key(f"{HEAD}---\n{HEAD}", "f", "a/b:c")] == [1, 2]


@settings(deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = read_text(HEAD + text, "f").configurations
    except UnreadableTextError:
        return
    check(found, [Facts()] * len(found))


@settings(deadline=None)
@given(st.integers(0, 10_000), st.data())
def test_any_value_anywhere_is_judged(seed: int, data: st.DataObject) -> None:
    rows = generate(seed, 37).splitlines()
    at = data.draw(st.integers(2, max(2, len(rows) - 1)))
    if at < len(rows):
        head, colon, _ = rows[at].partition(":")
        rows[at] = (
            head
            + colon
            + data.draw(st.sampled_from([" null", " []", " {}", " [1, {a: b}]", " x", " 1.5", " .nan", " true"]))
        )
    try:
        found = read_text("\n".join(rows), "f").configurations
    except UnreadableTextError:
        return
    check(found, [Facts()] * len(found))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("16", 16),
        ("16.0", 16),
        ("0x10", 16),
        ("1e3", 1000),
        ('"1e3"', None),
        ("010", 8),
        ("1_6", 16),
        ("true", None),
        ('"16"', None),
        ("1:30", None),
        (".inf", None),
    ],
)
def test_whole_numbers(text: str, value: int | None) -> None:
    (root,) = documents(f"a: {text}")
    node = root.get("a")
    assert node
    assert whole(node) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("15s", 15 * 10**9), ("1m30s", 90 * 10**9), ("1.5s", 1_500_000_000), ("-1s", -(10**9)), ("0", 0),
        ("1h0.5ms", 3_600_000_500_000), ("15", None), ("", None), ("1m30", None), ("5 s", None),
    ],
)  # fmt: skip
def test_durations(text: str, value: int | None) -> None:
    assert duration(text) == value


def test_names() -> None:
    assert is_qualified("topology.kubernetes.io/zone")
    assert not is_qualified("a/b/c")
    assert not is_qualified("")
    assert is_extended_resource("example.com/gpu")
    assert not any(
        is_extended_resource(n) for n in ("cpu", "kubernetes.io/x", "a.kubernetes.io/x", "requests.a/b", "a b/c")
    )
