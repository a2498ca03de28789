"""Version 1 of the JSON: every name in it is a promise, fields are only ever added (schema/v1.json describes them)."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from whypending import __version__
from whypending.diagnosis import Citation, Diagnosis, Finding, Link, Moment, Reading, Remedy, SchedulerMetrics
from whypending.evidence import Gap
from whypending.objects.times import in_utc
from whypending.renderers.escape import escape_json
from whypending.renderers.metrics import missing_words
from whypending.renderers.schedulers_v1 import trees

SCHEMA_VERSION = "1"


def render(diagnosis: Diagnosis, _canvas: object = None) -> str:
    """The diagnosis as an indented JSON document."""
    return write(tree(diagnosis))


def render_line(diagnosis: Diagnosis, _canvas: object = None) -> str:
    """The diagnosis as JSON on one line (`-o ndjson`)."""
    return write(tree(diagnosis), indent=None)


def write(document: object, *, indent: int | None = 2) -> str:
    """Any document as JSON text, with what a terminal would act on as an escape, and a line break at the end."""
    separators = (",", ": ") if indent else (",", ":")
    return escape_json(json.dumps(document, indent=indent, separators=separators, ensure_ascii=False)) + "\n"


def tree(diagnosis: Diagnosis) -> dict[str, Any]:
    """The document as dicts and lists; null is "does not apply" or "not known", never "none"."""
    return {
        "schemaVersion": SCHEMA_VERSION,
        "tool": {"name": "whypending", "version": __version__},
        "observedAt": timestamp(diagnosis.observed_at),
        "source": {"kind": diagnosis.source, **{k: v for k, v in diagnosis.source_details if k != "kind"}},
        "target": {
            "kind": diagnosis.target.kind,
            "namespace": diagnosis.target.namespace,
            "name": diagnosis.target.name,
            "uid": diagnosis.target.uid or None,
        },
        "triage": diagnosis.triage,
        "confidence": diagnosis.confidence,
        "summary": diagnosis.summary,
        "findings": [_finding(finding) for finding in diagnosis.findings],
        "nodes": None,
        "schedulers": None if diagnosis.schedulers is None else trees(diagnosis.schedulers),
        **({"chain": [_link(link) for link in diagnosis.chain]} if diagnosis.chain else {}),
        **({"timeline": [_moment(moment) for moment in diagnosis.timeline]} if diagnosis.timeline else {}),
        **({"metrics": [_metrics(m) for m in diagnosis.metrics]} if diagnosis.metrics is not None else {}),
        "notEvaluated": [gap_tree(gap) for gap in diagnosis.not_evaluated],
    }


def timestamp(when: datetime | None) -> str | None:
    """RFC 3339 in UTC with `Z`; a fraction only where there is one."""
    return in_utc(when).isoformat().replace("+00:00", "Z") if when else None


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "name": finding.name,
        "role": finding.role,
        "confidence": finding.confidence,
        "refines": finding.refines or None,
        "explainedBy": finding.explained_by or None,
        "message": finding.message,
        "citations": [_citation(citation) for citation in finding.citations],
        "remedies": [_remedy(remedy) for remedy in finding.remedies],
    }


def _link(link: Link) -> dict[str, Any]:
    return {
        "chain": link.chain,
        "text": link.text,
        "state": link.state,
        "detail": link.detail or None,
        "at": timestamp(link.at),
    }


def _citation(citation: Citation) -> dict[str, Any]:
    return {
        "object": citation.object,
        "field": citation.field,
        "value": citation.value,
        "at": timestamp(citation.at),
    }


def _remedy(remedy: Remedy) -> dict[str, Any]:
    return {
        "text": remedy.text,
        "command": remedy.command or None,
        "patch": remedy.patch or None,
        "safety": remedy.safety,
        "verified": {"by": remedy.verified} if remedy.verified else None,
    }


def _moment(moment: Moment) -> dict[str, Any]:
    return {"at": timestamp(moment.at), "text": moment.text, "source": moment.source}


def _metrics(scheduler: SchedulerMetrics) -> dict[str, Any]:
    return {
        "origin": scheduler.origin,
        "how": scheduler.how,
        "at": timestamp(scheduler.at),
        "version": scheduler.version or None,
        "started": timestamp(scheduler.started),
        "readings": [_reading(reading) for reading in scheduler.readings],
        "warnings": list(scheduler.warnings),
    }


def _reading(reading: Reading) -> dict[str, Any]:
    return {
        "question": reading.question,
        "metric": reading.metric or None,
        "missing": None if reading.metric else missing_words(lazy=reading.lazy),
        "unit": reading.unit or None,
        "figures": [{"labels": dict(f.labels), "statistic": f.statistic, "value": f.value} for f in reading.figures],
    }


def gap_tree(gap: Gap) -> dict[str, Any]:
    """An entry of `notEvaluated`."""
    return {
        "what": gap.what,
        "reason": gap.reason,
        "wouldDecide": gap.would_decide or None,
        "grant": gap.grant or None,
        "detail": gap.detail or None,
    }
