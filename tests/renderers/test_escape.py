from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from whypending.renderers import json_v1, yaml_v1
from whypending.renderers.escape import is_harmless, visible, visible_lines

ANY = st.text(st.characters(codec=None), max_size=80)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain ü 漢字 🙂 a\u0301", "plain ü 漢字 🙂 a\u0301"),
        ("\x1b[31m", r"\x1b[31m"),
        ("\x9b2J\x7f\x00", r"\x9b2J\x7f\x00"),
        ("a\tb\nc\r", r"a\tb\nc\r"),
        ("\u202egnp\u2066\u200f", r"\u202egnp\u2066\u200f"),
        ("\u200b\u2060\ufeff", r"\u200b\u2060\ufeff"),
        ("\u2028\u2029\x85", r"\u2028\u2029\x85"),
        ("\ud800", r"\ud800"),
        ("\U000e0041", r"\U000e0041"),
        ("a\u00a0b\u3000c", "a\u00a0b\u3000c"),
    ],
)
def test_visible(raw: str, shown: str) -> None:
    assert visible(raw) == shown


@given(ANY)
def test_nothing_harmful_stays(text: str) -> None:
    assert all(is_harmless(char) for char in visible(text))


@given(st.text(st.characters(categories=["L", "M", "N", "P", "S", "Zs"], codec="utf-8")))
def test_printable_text_stays(text: str) -> None:
    assert visible(text) == text


def test_lines_end_at_line_feeds_alone() -> None:
    assert visible_lines("a\r\nb\rc\u2028d\n") == ["a", r"b\rc\u2028d", ""]


@given(ANY)
def test_json_shows_nothing_harmful_and_loses_nothing(text: str) -> None:
    written = json_v1.write({text: text})
    assert all(char == "\n" or is_harmless(char) for char in written)
    assert json.loads(written) == {text: text}


@given(ANY)
def test_yaml_shows_nothing_harmful_and_loses_nothing(text: str) -> None:
    written = yaml_v1.write({"key": text})
    assert all(char == "\n" or is_harmless(char) for char in written)
    assert yaml.safe_load(written) == {"key": text}
