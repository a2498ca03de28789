from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whypending.renderers.layout import Canvas, Line, Span, Style, cells, draw, readable

WORDS = st.lists(st.text("abc漢", min_size=1, max_size=12), min_size=1, max_size=20)


def text(line: Line, width: int | None = None, *, color: bool = False) -> str:
    return draw([line], Canvas(width, color))


def test_a_pipe_gets_one_row() -> None:
    assert text(Line((Span("word " * 50),), 2, 4)) == "  " + ("word " * 50).rstrip() + "\n"


def test_rows_hang() -> None:
    assert text(Line((Span("one two three"),), 2, 4), 10) == "  one two\n    three\n"


def test_a_long_word_stays_whole() -> None:
    name = "x" * 60
    assert name in text(Line((Span(f"Pod {name} waits"),)), 40).split("\n")


def test_a_command_is_never_wrapped() -> None:
    command = "kubectl -n shop get pod checkout-6d4b9c7f5-x2x8q -o yaml"
    assert text(Line((Span(command),), 4, 4, wrap=False), 20) == f"    {command}\n"


def test_a_word_of_several_styles_is_not_torn() -> None:
    assert text(Line((Span("aa "), Span("bb", Style.STRONG), Span("cc"))), 6) == "aa\nbbcc\n"


def test_a_whole_span_is_not_torn() -> None:
    assert text(Line((Span("take it"), Span(" (3 m ago)", whole=True))), 12) == "take it\n(3 m ago)\n"


def test_a_line_break_in_data_starts_a_row_that_hangs() -> None:
    assert text(Line((Span("a\n b\r\nc"),), 2, 4)) == "  a\n     b\n    c\n"


def test_style_is_only_around_text() -> None:
    assert text(Line((Span("a"), Span(" b", Style.BAD)), 2), color=True) == "  a\x1b[1;31m b\x1b[0m\n"


def test_wide_characters_count_two_columns() -> None:
    assert (cells("漢字"), cells("a\u0301"), cells("é")) == (4, 1, 1)


def test_marks_have_ascii_forms() -> None:
    canvas = Canvas(unicode=False)
    assert draw([Line((Span("a · b \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} c…"),))], canvas) == "a - b > c...\n"


@pytest.mark.parametrize(("width", "used"), [(None, None), (40, 40), (120, 120), (300, 120)])
def test_prose_is_no_wider_than_it_reads_well(width: int | None, used: int | None) -> None:
    assert readable(Canvas(width)).width == used


@given(WORDS, st.integers(20, 60))
def test_wrapping_keeps_the_words_and_the_width(words: list[str], width: int) -> None:
    drawn = text(Line((Span(" ".join(words)),)), width)
    assert drawn.split() == words
    assert all(cells(row) <= width for row in drawn.splitlines())
