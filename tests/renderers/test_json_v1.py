from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator, ValidationError

from tests.renderers.documents import published, validate
from tests.renderers.samples import SAMPLES, SECRET_KEY
from whypending import __version__
from whypending.diagnosis import Confidence, Diagnosis, Role, Safety, Triage
from whypending.evidence import GapReason
from whypending.renderers import Format, render
from whypending.renderers.json_v1 import timestamp
from whypending.renderers.layout import Canvas


def document(diagnosis: Diagnosis, form: Format = Format.JSON) -> Any:
    return json.loads(render(diagnosis, form, Canvas()))


@pytest.mark.parametrize("diagnosis", SAMPLES.values(), ids=SAMPLES)
@pytest.mark.parametrize("form", [Format.JSON, Format.NDJSON])
def test_output_fits_the_schema_and_says_no_more(diagnosis: Diagnosis, form: Format) -> None:
    validate(document(diagnosis, form))


@pytest.mark.parametrize("diagnosis", SAMPLES.values(), ids=SAMPLES)
def test_yaml_is_the_same_document(diagnosis: Diagnosis) -> None:
    assert yaml.safe_load(render(diagnosis, Format.YAML, Canvas())) == document(diagnosis)


@pytest.mark.parametrize("diagnosis", SAMPLES.values(), ids=SAMPLES)
def test_ndjson_is_one_line(diagnosis: Diagnosis) -> None:
    written = render(diagnosis, Format.NDJSON, Canvas())
    assert (written.count("\n"), len(written.splitlines())) == (1, 1)
    assert json.loads(written) == document(diagnosis)


def test_the_document_in_the_order_of_the_design() -> None:
    written = document(SECRET_KEY)
    assert list(written) == [
        "schemaVersion",
        "tool",
        "observedAt",
        "source",
        "target",
        "triage",
        "confidence",
        "summary",
        "findings",
        "nodes",
        "schedulers",
        "notEvaluated",
    ]
    assert written["tool"] == {"name": "whypending", "version": __version__}
    assert written["target"] == {
        "kind": "Pod",
        "namespace": "shop",
        "name": "checkout-6d4b9c7f5-x2x8q",
        "uid": "5f1c9a52-6a51-4b6e-9a8e-0b8f6c1f7a11",
    }
    assert written["source"] == {"kind": "live", "server": "https://10.0.0.1:6443", "version": "v1.37.2"}


def test_what_does_not_apply_is_null() -> None:
    written = document(SAMPLES["no-pod"])
    assert (written["nodes"], written["schedulers"], written["target"]["uid"]) == (None, None, None)
    assert written["findings"][0]["remedies"] == [
        {
            "text": "Set requests in the Deployment.",
            "command": None,
            "patch": None,
            "safety": "change",
            "verified": None,
        }
    ]
    assert written["findings"][0]["refines"] is None


def test_ties_between_findings() -> None:
    written = document(SECRET_KEY)["findings"]
    assert [(f["name"], f["refines"], f["explainedBy"]) for f in written] == [
        ("container-config-error", None, None),
        ("secret-key-missing", "container-config-error", None),
        ("deadline-near", None, None),
        ("stale-scheduling-event", None, "container-config-error"),
    ]


def test_times_are_in_utc() -> None:
    east = timezone(timedelta(hours=5, minutes=30))
    assert timestamp(datetime(2026, 1, 1, 5, 30, 0, 250000, tzinfo=east)) == "2026-01-01T00:00:00.250000Z"
    assert timestamp(datetime(2026, 1, 1, tzinfo=UTC)) == "2026-01-01T00:00:00Z"
    assert timestamp(None) is None


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(published())


def test_the_schema_lists_every_word() -> None:
    schema = published()
    defs = schema["$defs"]
    assert schema["properties"]["triage"]["enum"] == list(Triage)
    assert defs["confidence"]["enum"] == list(Confidence)
    assert defs["finding"]["properties"]["role"]["enum"] == list(Role)
    assert defs["remedy"]["properties"]["safety"]["enum"] == list(Safety)
    assert defs["gap"]["properties"]["reason"]["enum"] == list(GapReason)


def test_validation_is_strict() -> None:
    written = document(SECRET_KEY)
    written["findings"][0]["surprise"] = 1
    with pytest.raises(ValidationError, match="surprise"):
        validate(written)
    Draft202012Validator(published()).validate(written)


def test_the_schema_knows_nodes() -> None:
    written = document(SECRET_KEY)
    outcome = {"outcome": "fail", "reasons": ["Insufficient cpu"], "detail": "short by 250m", "preemptionMayHelp": True}
    filters = {"NodeResourcesFit": outcome}
    written["nodes"] = {
        "total": 1,
        "groups": [{"count": 1, "names": ["a"], "filters": filters}],
        "byNode": {"a": filters},
    }
    validate(written)
