"""invalid-pod-template: the API server calls the Pod invalid.

What it means
    Something in the template can't be right, whoever asks: a field that is missing, has a wrong value or does not fit
    another one. The workload was accepted because not every rule is checked there, or because admission added a value.

How it is recognised
    The refusal reads `Pod "NAME" is invalid: FIELD: WHY` (one, or a list in square brackets): proved.

What to do
    Correct the named field in the template.

Limits
    If a webhook or a LimitRange set the value, the template is innocent: see pod-changed-by-webhook.

References
    apimachinery pkg/api/errors/errors.go NewInvalid; kubernetes pkg/apis/core/validation (v1.37).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whypending.classifiers.cause import Cause
from whypending.classifiers.no_pod._refusal import refusal
from whypending.classifiers.no_pod._template import change_template, pod_spec
from whypending.classifiers.words import names
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import PodSpec
from whypending.patterns import Pattern

CAUSE = Cause("WP513", "invalid-pod-template", Triage.NO_POD, refines=("pod-creation-rejected",))

_TEXT = Pattern(r'\w+(?:\.[\w.]+)? "[^"]*" is invalid: (?P<errors>.*)', re.DOTALL)
_ERROR = Pattern(
    r"(?P<field>(?:spec|metadata)[\w.\-\[\]/\"]*): (?P<why>.*?)(?=, (?:spec|metadata)[.\[][\w.\-\[\]/\"]*: |\]?$)",
    re.DOTALL,
)
_INDEX = Pattern(r"spec\.(containers|initContainers)\[(\d+)\]")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Each field that is wrong, and why."""
    found = refusal(evidence)
    match = _TEXT.search(found.words) if found else None
    if found is None or match is None:
        return
    spec = pod_spec(evidence)
    errors = [(m["field"], " ".join(m["why"].split())) for m in _ERROR.finditer(match["errors"].lstrip("["))]
    parts = [f"{_named(field, spec)}: {why}" for field, why in errors] or [match["errors"].strip()]
    yield CAUSE.finding(
        f"T{found.whose[1:]} are invalid: {'; '.join(parts).rstrip('.')}.",
        citations=(found.proof,),
        remedies=(change_template(evidence, f"Correct {names(f for f, _ in errors) or 'what the message names'}"),),
    )


def _named(field: str, spec: PodSpec) -> str:
    """`spec.containers[0].image of container "web"`."""
    match = _INDEX.match(field)
    if match is None:
        return field
    items = spec.containers if match[1] == "containers" else spec.init_containers
    index = int(match[2])
    return f'{field} of container "{items[index].name}"' if index < len(items) else field
