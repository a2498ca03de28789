"""Pasted text into documents: prompts, code fences, tabs, missing `---`, and text that is no object at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_PROMPT = re.compile(r"^(?:\S.{0,120}?)?[$#%>❯➜]\s?.{0,40}?\b(?:kubectl|oc|k)\s+\S.*$")
_BARE_PROMPT = re.compile(r"^(?:\S*[@:~]\S*\s?)?[$#%❯➜]\s*$")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_STARTS = re.compile(r"^(?:apiVersion:|kind:|items:|metadata:|\{|\[)")
_BREAK = re.compile(r"^(?:---(?:\s|$)|\.\.\.\s*$)")
_API_VERSION = re.compile(r"^apiVersion:")
_ITEM = re.compile(r"^- ")
_DESCRIBE = re.compile(r"\A\s*Name:\s+\S.*$(?s:.*?)^(?:Namespace|Labels|Annotations|Status|Roles):", re.MULTILINE)
_TABLE = re.compile(r"\A\s*(?:NAMESPACE\s+)?(?:NAME|LAST SEEN)\s+[A-Z]")
_SERVER_ERROR = re.compile(r"\A\s*(?:Error from server|error:|No resources found|The connection to the server)[^\n]*")


class Chunk(NamedTuple):
    """One document: its text and the line (from 1) where it begins; `in_list` = one item of a List."""

    text: str
    line: int
    in_list: bool = False


def to_text(data: bytes) -> str | None:
    """UTF-8, or UTF-16 as PowerShell writes it, without BOM and carriage returns; None for binary."""
    if data[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        text = data.decode("utf-16", "replace")
    elif b"\0" in data[:8192]:
        return None
    else:
        text = data.decode("utf-8-sig", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def foreign(text: str) -> str:
    """What this text is, if it is something that people paste but that holds no objects; else an empty string."""
    if error := _SERVER_ERROR.match(text):
        return f"holds kubectl's answer: {error[0].strip()}"
    if _DESCRIBE.match(text):
        return "is the output of kubectl describe, which leaves out what decides"
    if _TABLE.match(text):
        return "is a table of kubectl get, which leaves out what decides"
    return "is a web page, not objects" if text.lstrip()[:15].lower().startswith(("<!doctype", "<html")) else ""


def chunks(text: str) -> Iterator[Chunk]:
    """The documents of a text, with the shell prompts and code fences around them left out."""
    lines = _clean(_dedent(text).split("\n"))
    start, has_version = 0, False
    for number, line in enumerate(lines):
        again = has_version and line.startswith("apiVersion:")
        if again or (line[:3] in {"---", "..."} and _BREAK.match(line)):
            yield from _chunk(lines, start, number)
            start, has_version = number, False
            if not again:
                start, lines[number] = number, line[3:] if line.startswith("---") else ""
        has_version = has_version or line.startswith("apiVersion:")
    yield from _chunk(lines, start, len(lines))


def _chunk(lines: list[str], start: int, end: int) -> Iterator[Chunk]:
    while start < end and not lines[start].strip():
        start += 1
    if start < end:
        yield Chunk("\n".join(lines[start:end]), start + 1)


def items(chunk: Chunk) -> tuple[Chunk, tuple[Chunk, ...]] | None:
    """A YAML List as kubectl writes it: its head without the items, and each item apart. None for anything else."""
    lines = chunk.text.split("\n")
    if "items:" not in lines:
        return None
    at = lines.index("items:")
    starts = [at + 1]
    while starts[0] < len(lines) and not lines[starts[0]].strip():
        starts[0] += 1
    end = starts[0]
    for end in range(starts[0], len(lines) + 1):
        if end == len(lines) or (lines[end][:1] not in {" ", "", "-", "#"}):
            break
        if end > starts[0] and lines[end].startswith("- "):
            starts.append(end)
    if starts[0] >= len(lines) or not lines[starts[0]].startswith("- "):
        return None
    head = Chunk("\n".join(lines[:at] + ["items: []"] + lines[end:]), chunk.line)
    edges = [*starts, end]
    parts = (Chunk(_item(lines[a:b]), chunk.line + a, in_list=True) for a, b in zip(edges, edges[1:], strict=False))
    return head, tuple(parts)


def _item(lines: list[str]) -> str:
    return "\n".join([" " + lines[0][1:], *lines[1:]])


def _dedent(text: str) -> str:
    """A text that was pasted with an indent, without it."""
    first = re.search(r"^[ \t]*(?=\S)", text, re.MULTILINE)
    indent = first[0] if first else ""
    return re.sub(f"^{indent}", "", text, flags=re.MULTILINE) if indent else text


def _clean(lines: list[str]) -> list[str]:
    """Blank what is not YAML; a prompt before the next object becomes a document break. Line numbers stay."""
    fences = [n for n, line in enumerate(lines) if line.lstrip()[:3] in {"```", "~~~"} and _FENCE.match(line)]
    if fences:
        lines = _fenced(lines, fences)
    for number, line in enumerate(lines):
        if line[:1] in {" ", "", "-"} or (":" in line and line[0].isalpha() and "kubectl" not in line and " k " not in line and " oc " not in line):
            continue
        if _PROMPT.match(line):
            following = next((x for x in lines[number + 1 : number + 20] if x.strip()), "")
            lines[number] = "---" if _STARTS.match(following) else ""
        elif _BARE_PROMPT.match(line):
            lines[number] = ""
    return lines


def _fenced(lines: list[str], fences: list[int]) -> list[str]:
    kept = [""] * len(lines)
    for start, end in zip(fences[::2], [*fences[1::2], len(lines)], strict=False):
        kept[start] = "---"
        kept[start + 1 : end] = lines[start + 1 : end]
    return kept
