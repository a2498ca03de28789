"""Pasted text into documents: prompts, code fences, tabs, missing `---`, and text that is no object at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

_SIGNS = "$#%>\N{HEAVY RIGHT-POINTING ANGLE QUOTATION MARK ORNAMENT}\N{HEAVY ROUND-TIPPED RIGHTWARDS ARROW}"
_PROMPT = re.compile(rf"^(?:[^\s{{].{{0,120}}?)?[{_SIGNS}]\s?.{{0,60}}?\b(?:kubectl|oc|k)\s+\S.*$")
_BARE_PROMPT = re.compile(rf"^(?:[^\s{{].{{0,120}})?[{_SIGNS}]\s*$")
_FIELD = re.compile(r"[A-Za-z]\w*:(?:\s|$)")
_OBJECT = re.compile(r"^(?:apiVersion:|kind:|items:|metadata:|\{|\[)", re.MULTILINE)
_SPECIAL = re.compile(rf"^(?:---|\.\.\.|[ \t]*(?:```|~~~)|[^\s{{-].*[{_SIGNS}])", re.MULTILINE)
_BREAK = re.compile(r"^(?:---(?:\s|$)|\.\.\.\s*$)")
_DESCRIBE = re.compile(r"\A\s*Name:\s+\S.*\n(?s:.*?)^(?:Namespace|Labels|Annotations|Status|Roles):", re.MULTILINE)
_TABLE = re.compile(r"\A\s*(?:NAMESPACE\s+)?(?:NAME|LAST SEEN)\s+[A-Z]")
_SERVER_ERROR = re.compile(r"\A\s*(?:Error from server|error:|No resources found|The connection to the server)[^\n]*")
_DECIDES = "which leaves out what decides; save the same with -o yaml"


class Chunk(NamedTuple):
    """One document, or one item of a List: its text and the line (from 1) where it begins."""

    text: str
    line: int


def to_utf8(data: bytes) -> bytes:
    """UTF-16, as PowerShell redirects it, as UTF-8; anything else as it is."""
    return data.decode("utf-16", "replace").encode() if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else data


def to_text(data: bytes) -> str | None:
    """The text without BOM and carriage returns; None for binary."""
    if b"\0" in data[:8192]:
        return None
    return data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")


def looks_like_objects(head: bytes) -> bool:
    """Whether the beginning of a file shows an object or a paste of one."""
    return _OBJECT.search(to_text(to_utf8(head)) or "") is not None


def foreign(text: str) -> str:
    """What this text is, if it is something that people paste but that holds no objects; else an empty string."""
    if error := _SERVER_ERROR.match(text):
        return f"holds kubectl's answer instead of objects: {error[0].strip()}"
    if _DESCRIBE.match(text):
        return f"is the output of kubectl describe, {_DECIDES}"
    if _TABLE.match(text):
        return f"is a table of kubectl get, {_DECIDES}"
    return "is a web page, not objects" if text.lstrip()[:15].lower().startswith(("<!doctype", "<html")) else ""


def chunks(text: str) -> Iterator[Chunk]:
    """The documents of a text, with the shell prompts and code fences around them left out."""
    text = _dedent(text)
    if text.startswith("apiVersion:") and "\napiVersion:" not in text and not _SPECIAL.search(text):
        yield Chunk(text, 1)  # what kubectl wrote, untouched
        return
    lines = _clean(text.split("\n"))
    start, versions = 0, 0
    for number, line in enumerate(lines):
        if line.startswith("apiVersion:"):
            versions += 1
        elif line[:3] not in {"---", "..."} or not _BREAK.match(line):
            continue
        elif line.startswith("-"):
            lines[number] = line[3:].lstrip()
            versions = 2
        if versions > 1 or line.startswith("."):
            yield from _chunk(lines, start, number)
            start, versions = number + line.startswith("."), int(line.startswith("a"))
    yield from _chunk(lines, start, len(lines))


def _chunk(lines: list[str], start: int, end: int) -> Iterator[Chunk]:
    while start < end and (not lines[start].strip() or lines[start].lstrip().startswith("#")):
        start += 1
    if start < end:
        yield Chunk("\n".join(lines[start:end]), start + 1)


def items(chunk: Chunk) -> tuple[Chunk, tuple[Chunk, ...]] | None:
    """A YAML List as kubectl writes it: its head without the items, and each item apart. None for anything else.

    One broken item then costs that item only, and memory follows what is kept.
    """
    lines = chunk.text.split("\n")
    at = lines.index("items:") if "items:" in lines else -1
    if at < 0 or not "".join(lines[at + 1 : at + 2]).startswith("- "):
        return None
    inner = range(at + 1, len(lines))
    end = next((n for n in inner if lines[n] and lines[n][0] not in " -#"), len(lines))
    starts = [n for n in range(at + 1, end) if lines[n].startswith("- ")]
    head = Chunk("\n".join([*lines[:at], *lines[end:]]), chunk.line)
    parts = (Chunk(_item(lines[a:b]), chunk.line + a) for a, b in pairwise([*starts, end]))
    return head, tuple(parts)


def _item(lines: list[str]) -> str:
    return "\n".join([f" {lines[0][1:]}", *lines[1:]])


def without_preamble(chunk: Chunk) -> Chunk | None:
    """The document without words before it and with tabs made spaces; None where there is nothing to better."""
    text = chunk.text.replace("\t", "  ")
    start = _OBJECT.search(text)
    skipped = text[: start.start()] if start else ""
    if text == chunk.text and not skipped:
        return None
    return Chunk(text[len(skipped) :], chunk.line + skipped.count("\n"))


def _dedent(text: str) -> str:
    """A text that was pasted with an indent, without it."""
    first = re.search(r"^[ \t]*(?=\S)", text, re.MULTILINE)
    indent = first[0] if first else ""
    return re.sub(f"^{indent}", "", text, flags=re.MULTILINE) if indent else text


def _clean(lines: list[str]) -> list[str]:
    """Blank what is not YAML; a prompt before the next object becomes a document break. Line numbers stay."""
    fences = [n for n, line in enumerate(lines) if line.lstrip()[:3] in {"```", "~~~"}]
    if fences:
        lines = _fenced(lines, fences)
    for number, line in enumerate(lines):
        if line[:1] in {" ", "", "-"} or _FIELD.match(line):
            continue
        if _PROMPT.match(line):
            following = next((x for x in lines[number + 1 : number + 20] if x.strip()), "")
            lines[number] = "---" if _OBJECT.match(following) else ""
        elif _BARE_PROMPT.match(line):
            lines[number] = ""
    return lines


def _fenced(lines: list[str], fences: list[int]) -> list[str]:
    kept = [""] * len(lines)
    for start, end in zip(fences[::2], [*fences[1::2], len(lines)], strict=False):
        kept[start] = "---"
        kept[start + 1 : end] = lines[start + 1 : end]
    return kept
