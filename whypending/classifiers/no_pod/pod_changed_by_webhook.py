"""pod-changed-by-webhook: what is refused is not in the template: something changed the Pod on its way.

What it means
    A mutating webhook (a service mesh's sidecar injector, a default setter) adds to each new Pod. The refusal speaks of
    what was added, so mending the template does not help.

How it is recognised
    The refusal names a container that the template has not, points at a container index beyond the template's, or says
    that priority was computed otherwise than the Pod that came in says (`the integer value of priority (N) must not be
    provided in pod spec`) where the template sets no priority. Likely: the template can have been changed since.

What to do
    Set the injector's own options (annotations for the sidecar's resources or security), or exempt the Pods from it.

Limits
    Which webhook did it is not in the text. In-process admission (LimitRanger, ServiceAccount) adds values, but no
    containers.

References
    https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/;
    plugin/pkg/admission/priority/admission.go (v1.37).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.no_pod._refusal import refusal
from whypending.classifiers.no_pod._template import change_template, pod_spec
from whypending.classifiers.words import kubectl, names
from whypending.diagnosis import Confidence, Finding, Triage
from whypending.evidence import Evidence
from whypending.objects.pod import PodSpec
from whypending.patterns import Pattern

CAUSE = Cause(
    "WP510",
    "pod-changed-by-webhook",
    Triage.NO_POD,
    refines=(
        "pod-security-violation",
        "quota-requires-requests",
        "limit-range-violation",
        "scc-denied",
        "invalid-pod-template",
        "pod-creation-rejected",
    ),
)

_QUOTED = Pattern(r'containers? ((?:"[^"]+"(?:, )?)+)')
_FOR = Pattern(r" for: ([a-z0-9,-]+)")
_INDEX = Pattern(r"\b(containers|initContainers)\[(\d+)\]")
_PRIORITY = Pattern(r"the integer value of priority \((-?\d+)\) must not be provided in pod spec")


def classify(evidence: Evidence) -> Iterator[Finding]:
    """What the refusal names that the template has not."""
    found = refusal(evidence)
    spec = pod_spec(evidence)
    if found is None or not spec.containers:
        return
    added = tuple(_added(found.words, spec))
    if not added:
        return
    configurations = kubectl("", "get", "mutatingwebhookconfigurations", "-o", "yaml")
    yield CAUSE.finding(
        f"What is refused is {names(added)}, which the template of {found.target.ref} does not have: "
        "a mutating webhook put it into the Pod.",
        confidence=Confidence.LIKELY,
        citations=(found.proof,),
        remedies=(
            look("Find the webhook that changes new Pods of this namespace.", configurations),
            change_template(evidence, "Set that webhook's annotations (its options, or its opt-out)"),
        ),
    )


def _added(words: str, spec: PodSpec) -> Iterator[str]:
    """Containers by name, by index, or a priority that the template does not set."""
    own = {c.name for c in (*spec.init_containers, *spec.containers)}
    quoted = [name for found in _QUOTED.finditer(words) for name in re.findall(r'"([^"]+)"', found[1])]
    listed = [name for found in _FOR.finditer(words) for name in found[1].split(",")]
    yield from (f'container "{name}"' for name in dict.fromkeys((*quoted, *listed)) if name not in own)
    for match in _INDEX.finditer(words):
        count = len(spec.containers if match[1] == "containers" else spec.init_containers)
        if int(match[2]) >= count:
            yield f"{match[1]}[{match[2]}]"
    priority = _PRIORITY.search(words)
    if priority and spec.priority is None:
        yield f"priority {priority[1]}"
