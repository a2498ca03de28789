from __future__ import annotations

import json

import pytest
import yaml

from whypending.classifiers.cause import Cause, Classifier
from whypending.diagnosis import Triage
from whypending.renderers import Format, catalogue
from whypending.renderers.layout import Canvas

PAGE = """door-jammed: the door does not open.

What it means
    Somebody pushed a door that has to be pulled. It is a long sentence that
    goes on in the next row.

What to do
    - pull
    - if it is still shut, then
      pull harder
    Run
        kubectl pull --hard --with-both-hands --and-with-a-foot-against-the-wall --until-it-opens --or-not

References
    Door 1.0
"""
JAMMED = Classifier(
    Cause("WP901", "door-jammed", Triage.HELD, refines=("door",), explained_by=("wall",)), PAGE, lambda _: ()
)
OPEN = Classifier(Cause("WP902", "open", Triage.NOT_STUCK), "open: it is open.", lambda _: ())


def test_the_list_is_by_class() -> None:
    assert catalogue.render_list((JAMMED, OPEN), Format.TEXT, Canvas()) == (
        "held on purpose (held)\n"
        "  WP901  door-jammed  the door does not open.\n"
        "\n"
        "not stuck (not_stuck)\n"
        "  WP902  open         it is open.\n"
    )


def test_a_page_is_reflowed_and_keeps_lists_and_commands() -> None:
    assert catalogue.render_page(JAMMED, Format.TEXT, Canvas(60)) == (
        "WP901 door-jammed (held on purpose)\n"
        "The door does not open.\n"
        "\n"
        "What it means\n"
        "    Somebody pushed a door that has to be pulled. It is a\n"
        "    long sentence that goes on in the next row.\n"
        "\n"
        "What to do\n"
        "    - pull\n"
        "    - if it is still shut, then pull harder\n"
        "    Run\n"
        "        kubectl pull --hard --with-both-hands --and-with-a-foot-against-the-wall --until-it-opens --or-not\n"
        "\n"
        "References\n"
        "    Door 1.0\n"
        "\n"
        "Refines door\n"
        "\n"
        "Explained by wall\n"
    )


@pytest.mark.parametrize("load", [json.loads, yaml.safe_load])
def test_the_list_as_data(load: object) -> None:
    form = Format.JSON if load is json.loads else Format.YAML
    document = load(catalogue.render_list((JAMMED,), form, Canvas()))  # type: ignore[operator]
    assert document == {
        "schemaVersion": "1",
        "causes": [
            {
                "code": "WP901",
                "name": "door-jammed",
                "triage": "held",
                "meaning": "the door does not open.",
                "refines": ["door"],
                "explainedBy": ["wall"],
            }
        ],
    }


def test_one_cause_a_line() -> None:
    rows = catalogue.render_list((JAMMED, OPEN), Format.NDJSON, Canvas()).splitlines()
    assert [json.loads(row)["code"] for row in rows] == ["WP901", "WP902"]


def test_a_page_as_data() -> None:
    document = json.loads(catalogue.render_page(JAMMED, Format.JSON, Canvas()))
    assert document["page"] == PAGE.strip()
