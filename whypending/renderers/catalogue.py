"""The catalogue of causes and the page of one, for a person and for a program."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from whypending.classifiers.cause import Classifier
from whypending.diagnosis import Triage
from whypending.renderers import Format
from whypending.renderers.layout import Canvas, Line, Span, Style, cells, draw, readable
from whypending.renderers.words import CLASS_WORDS

_PAGE = 100
"""Columns of a page in a pipe: it is prose, to be read with a pager."""
_ITEM = ("- ", "* ")


def render_list(known: Sequence[Classifier], form: Format, canvas: Canvas) -> str:
    """Every cause by class; as data `{"schemaVersion", "causes": […]}`, or one cause a line."""
    if form in {Format.TEXT, Format.WIDE}:
        return draw(_list(known), canvas)
    causes = [_tree(classifier) for classifier in known]
    if form is Format.NDJSON:
        return "".join(_write(cause, form) for cause in causes)
    return _write({"schemaVersion": "1", "causes": causes}, form)


def render_page(classifier: Classifier, form: Format, canvas: Canvas) -> str:
    """One cause's page under a heading; as data the cause with its `page`."""
    if form in {Format.TEXT, Format.WIDE}:
        return draw(_page(classifier), readable(canvas._replace(width=canvas.width or _PAGE)))
    return _write({**_tree(classifier), "page": classifier.page.strip()}, form)


def meaning_of(classifier: Classifier) -> str:
    """The sentence after the name in the page's first line."""
    first = classifier.page.strip().partition("\n")[0]
    return first.partition(": ")[2] or first


def _tree(classifier: Classifier) -> dict[str, Any]:
    cause = classifier.cause
    return {
        "code": cause.code,
        "name": cause.name,
        "triage": cause.triage,
        "meaning": meaning_of(classifier),
        "refines": list(cause.refines),
        "explainedBy": list(cause.explained_by),
    }


def _write(document: dict[str, Any], form: Format) -> str:
    if form is Format.YAML:
        from whypending.renderers import yaml_v1  # noqa: PLC0415 (YAML costs 20 ms)

        return yaml_v1.write(document)
    from whypending.renderers import json_v1  # noqa: PLC0415

    return json_v1.write(document, indent=None if form is Format.NDJSON else 2)


def _list(known: Sequence[Classifier]) -> Iterator[Line]:
    size = max((cells(classifier.cause.name) for classifier in known), default=0)
    classes = [class_ for class_ in Triage if any(classifier.cause.triage is class_ for classifier in known)]
    for class_ in classes:
        found = [classifier for classifier in known if classifier.cause.triage is class_]
        if class_ is not classes[0]:
            yield Line()
        yield Line((Span(f"{CLASS_WORDS[class_]} ({class_})", Style.STRONG),))
        for classifier in found:
            cause = classifier.cause
            gap = " " * (size - cells(cause.name) + 2)
            spans = (
                Span(f"{cause.code}  ", Style.DIM),
                Span(cause.name, Style.STRONG),
                Span(gap + meaning_of(classifier)),
            )
            yield Line(spans, 2, 10)


def _page(classifier: Classifier) -> Iterator[Line]:
    """The heading, the meaning, then the docstring's own headings with their paragraphs."""
    cause = classifier.cause
    heading = Span(f"{cause.code} {cause.name}", Style.STRONG)
    yield Line((heading, Span(f" ({CLASS_WORDS[cause.triage]})")), hang=2)
    yield Line((Span(meaning_of(classifier)[:1].upper() + meaning_of(classifier)[1:]),))
    for block in classifier.page.strip().partition("\n")[2].strip("\n").split("\n\n"):
        yield Line()
        yield from _block(textwrap.dedent(block).split("\n"))
    for relation, names in (("Refines", cause.refines), ("Explained by", cause.explained_by)):
        if names:
            yield Line()
            yield Line((Span(relation, Style.STRONG), Span(" " + ", ".join(names))), hang=4)


def _block(rows: list[str]) -> Iterator[Line]:
    """A heading and its text: rows of one sentence are joined, list items and commands keep their own row."""
    for heading in rows[:1]:
        yield Line((Span(heading, Style.STRONG),))
    text = textwrap.dedent("\n".join(rows[1:])).split("\n")
    paragraph: list[str] = []
    for row in text:
        if row.startswith("    "):
            yield from _flow(paragraph)
            yield Line((Span(row.strip(), Style.COMMAND),), 8, 8, wrap=False)
            paragraph = []
        elif row.startswith(_ITEM) or (_is_item(paragraph) and not row.startswith(" ")):
            yield from _flow(paragraph)
            paragraph = [row]
        else:
            paragraph.append(row.strip())
    yield from _flow(paragraph)


def _flow(paragraph: list[str]) -> Iterator[Line]:
    joined = " ".join(filter(None, paragraph))
    if joined:
        yield Line((Span(joined),), 4, 6 if _is_item(paragraph) else 4)


def _is_item(paragraph: list[str]) -> bool:
    return bool(paragraph) and paragraph[0].startswith(_ITEM)
