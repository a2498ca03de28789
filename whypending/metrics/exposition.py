"""The text of a `/metrics` endpoint, read with prometheus_client's parser: only what is kept, and whose it is."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from whypending.evidence import Sample
from whypending.metrics.names import are_of_a_scheduler, is_kept, whose

MAX_SAMPLES = 50_000
"""A scheduler with a hundred profiles has fewer; what is beyond that is left out, with a warning."""
_NAME = re.compile(r"[a-zA-Z_:][\w:]*", re.ASCII)
_LINE = re.compile(r"[a-zA-Z_:][\w:]*(?:\{[^\n]*\})?[ \t]+[-+]?(?:\.?\d\S*|[Ii]nf|NaN)(?:[ \t]+-?\d+)?\s*", re.ASCII)
_LONGEST = 20_000


class Exposed(NamedTuple):
    """What a text holds; `warnings` say what of it was left out."""

    samples: tuple[Sample, ...]
    warnings: tuple[str, ...] = ()


class ForeignError(ValueError):
    """The text is not what a scheduler exposes; the message says what it is."""


def parse(text: str) -> Exposed:
    """The samples of a scheduler's text, or ForeignError.

    A last line that is cut off and lines that are broken are left out; so is NaN, which stands for nothing measured.
    """
    lines = text.split("\n")
    cut = bool(lines[-1].strip()) and not _LINE.fullmatch(lines[-1])
    names = {match[0] for line in lines if (match := _NAME.match(line))}
    if not are_of_a_scheduler(names):
        raise ForeignError(_what(text, names))
    kept = [line for line in lines[: -1 if cut else None] if (m := _NAME.match(line)) and is_kept(m[0])]
    broken: list[str] = []
    samples = tuple(_samples(kept[:MAX_SAMPLES], broken))
    warnings = ["The text ends in the middle of a line: what follows is missing."] if cut else []
    warnings += [f"{len(broken)} broken lines were left out, the first is: {broken[0][:120]}"] if broken else []
    warnings += [f"Only the first {MAX_SAMPLES} values were read."] if len(kept) > MAX_SAMPLES else []
    return Exposed(samples, tuple(warnings))


def _samples(lines: list[str], broken: list[str]) -> Iterator[Sample]:
    """Line by line, without TYPE: the parser renames counters by it."""
    from prometheus_client.parser import text_string_to_metric_families  # noqa: PLC0415 - costs 150 ms

    for line in lines:
        if len(line) > _LONGEST:
            broken.append(line)
            continue
        try:
            found = [s for family in text_string_to_metric_families(line) for s in family.samples]
        except (ValueError, IndexError):
            broken.append(line)
            continue
        for name, labels, value, *_ in found:
            if math.isfinite(value):
                yield Sample(name=name, labels=tuple(sorted(labels.items())), value=float(value))


def _what(text: str, names: set[str]) -> str:
    head = text.lstrip()[:500].lower()
    if head.startswith(("<!doctype", "<html", "<")):
        return "it is a web page, not metrics"
    if head.startswith(("{", "[")):
        return "it is JSON, not the text of a /metrics endpoint"
    if not head:
        return "it is empty"
    lines = [line for line in text.split("\n", 2000)[:2000] if line.strip() and not line.startswith("#")]
    if not any(_LINE.fullmatch(line) for line in lines):
        return "it holds no metrics"
    owner = whose(names)
    return f"these are the metrics of {owner}, not of a scheduler" if owner else "these metrics are not a scheduler's"
