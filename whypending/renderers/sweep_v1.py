"""A sweep as a document of version 1: `pods` are diagnoses as `pod -o json` has them, `groups` what they share.

Pods in the same trouble share a diagnosis: it is the one of its `target`, and `alike` names the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from whypending import __version__
from whypending.evidence import Target
from whypending.renderers.json_v1 import SCHEMA_VERSION, gap_tree, timestamp, tree, write
from whypending.sweep.model import Case, Group, Member, Sweep


def render_json(sweep: Sweep) -> str:
    """One indented document."""
    return write(document(sweep))


def render_yaml(sweep: Sweep) -> str:
    """One YAML document."""
    from whypending.renderers.yaml_v1 import write as write_yaml  # noqa: PLC0415 (YAML costs 20 ms)

    return write_yaml(document(sweep))


def render_ndjson(sweep: Sweep) -> str:
    """One diagnosis a line, in the order of the groups; nothing where nothing is stuck."""
    return "".join(write(diagnosis, indent=None) for diagnosis in _diagnoses(sweep))


def document(sweep: Sweep) -> dict[str, Any]:
    """The document as dicts and lists; null is "does not apply" or "not known", never "none"."""
    return {
        "schemaVersion": SCHEMA_VERSION,
        "tool": {"name": "whypending", "version": __version__},
        "observedAt": timestamp(sweep.observed_at),
        "source": {"kind": sweep.source, **{k: v for k, v in sweep.source_details if k != "kind"}},
        "scope": {
            "namespace": sweep.scope.namespace or None,
            "selector": sweep.scope.labels or None,
            "notReady": sweep.scope.not_ready,
        },
        "counts": {"stuckPods": sweep.pods, "workloadsWithoutPods": sweep.workloads, "tooYoung": sweep.young},
        "groups": [_group(group) for group in sweep.groups],
        "pods": list(_diagnoses(sweep)),
        "notEvaluated": [gap_tree(gap) for gap in sweep.not_evaluated],
    }


def _diagnoses(sweep: Sweep) -> Iterator[dict[str, Any]]:
    for case in (case for group in sweep.groups for case in group.cases):
        yield {**tree(case.diagnosis), "alike": [_target(member.target) for member in case.members[1:]]}


def _group(group: Group) -> dict[str, Any]:
    remedy = group.remedy
    return {
        "triage": group.triage,
        "code": group.code or None,
        "name": group.causes[0] if group.causes else None,
        "refinedBy": list(group.causes[1:]),
        "confidence": group.confidence,
        "schedulerName": group.scheduler_name or None,
        "nearestName": group.nearest or None,
        "lastBind": timestamp(group.last_bind),
        "pods": group.pods,
        "workloads": group.workloads,
        "oldest": timestamp(group.oldest),
        "namespaces": list(group.namespaces),
        "owners": list(group.owners),
        "example": _target(group.example.diagnosis.target),
        "summary": group.example.diagnosis.summary,
        "remedy": remedy and {"text": remedy.text, "command": remedy.command or None, "safety": remedy.safety},
        "members": [_member(case, member) for case in group.cases for member in case.members],
    }


def _member(case: Case, member: Member) -> dict[str, Any]:
    """`diagnosedAs`: the target of the diagnosis in `pods` that holds for it."""
    return {
        **_target(member.target),
        "since": timestamp(member.since),
        "owner": member.owner or None,
        "diagnosedAs": _target(case.diagnosis.target),
    }


def _target(target: Target) -> dict[str, Any]:
    return {"kind": target.kind, "namespace": target.namespace, "name": target.name, "uid": target.uid or None}
