r"""Cluster text is data: what a terminal would act on is shown as an escape (`\x1b`, `\u202e`), in every format.

Escaped is each character that `str.isprintable` refuses, apart from the space separators: the C0 and C1 controls,
DEL, bidi marks, zero-width characters, line and paragraph separators, tags, lone surrogates, private and unassigned
code points. Printable text of any language stays as it is.
"""

from __future__ import annotations

import unicodedata

_SHORT = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}


def is_harmless(char: str) -> bool:
    """Whether a terminal or a reader takes this character for what it is."""
    return char.isprintable() or unicodedata.category(char) == "Zs"


def visible(text: str) -> str:
    r"""The text on one line, with each harmful character as an escape; a line break becomes `\n`."""
    if text.isprintable():
        return text
    return "".join(char if is_harmless(char) else _SHORT.get(char) or _escape(char) for char in text)


def visible_lines(text: str) -> list[str]:
    r"""The lines of a text (`\n` and `\r\n` end one), each as `visible` shows it."""
    return [visible(line.removesuffix("\r")) for line in text.split("\n")]


def escape_json(document: str) -> str:
    r"""The same JSON document with each harmful character inside its strings as a `\uXXXX` escape."""
    if document.isprintable():
        return document
    return "".join(char if char == "\n" or is_harmless(char) else _escape_utf16(char) for char in document)


def _escape(char: str) -> str:
    code = ord(char)
    if code < 0x100:  # noqa: PLR2004 (the width of the escape)
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"  # noqa: PLR2004


def _escape_utf16(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
