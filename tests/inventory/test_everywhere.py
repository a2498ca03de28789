"""The inventory of every fixture and shared case: it never fails, and says what the schema allows."""

from __future__ import annotations

import pytest
from jsonschema import Draft202012Validator

from tests.cases import Case, fixtures, shared_cases
from tests.renderers.documents import published, strict
from whypending.collectors.inventory import roster
from whypending.inventory.roster import records
from whypending.renderers import Format
from whypending.renderers.layout import Canvas
from whypending.renderers.schedulers import document, render
from whypending.sources.files import FilesSource

WHOLE = strict(published())
VALIDATOR = Draft202012Validator({"$defs": WHOLE["$defs"], **WHOLE["$defs"]["inventory"]})


@pytest.mark.parametrize("case", [*fixtures(), *shared_cases()], ids=lambda c: c.id)
def test_inventory(case: Case) -> None:
    source = FilesSource.open(case.inputs, now=case.now)
    evidence = roster(source)
    found = records(evidence)
    VALIDATOR.validate(document(evidence, source.details, found))
    text = render(evidence, source.details, found, Format.TEXT, Canvas(80))
    for name in (n for record in found for n in record.names):
        assert f"{name.name} · " in text
        assert name.reason
        assert name.untouched <= name.waiting
        assert name.meant != name.name


def test_one_name_has_one_state_unless_several_serve_it() -> None:
    for case in fixtures():
        evidence = roster(FilesSource.open(case.inputs, now=case.now))
        without = [n.name for record in records(evidence) if record.process is None for n in record.names]
        assert len(without) == len(set(without))
