"""Label selectors and node selector terms, matched as apimachinery `labels` and component-helpers `nodeaffinity` do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from whypending.objects.base import LabelSelector, LabelSelectorRequirement
from whypending.objects.node import Node
from whypending.objects.pod import NodeSelector, NodeSelectorTerm, PodSpec
from whypending.patterns import Pattern

_INTEGER = Pattern(r"[+-]?[0-9]+", re.ASCII)
_LIMIT = 2**63
_SIGNS = {"Gt": ">", "Lt": "<"}


def matches(requirement: LabelSelectorRequirement, labels: Mapping[str, str]) -> bool:
    """Whether the labels fulfil it. NotIn also matches where the key is absent; Gt and Lt need integers."""
    value = labels.get(requirement.key)
    match requirement.operator:
        case "In":
            return value is not None and value in requirement.values
        case "NotIn":
            return value is None or value not in requirement.values
        case "Exists":
            return value is not None
        case "DoesNotExist":
            return value is None
        case "Gt" | "Lt":
            return _compare(requirement, value)
        case _:
            return False


def _compare(requirement: LabelSelectorRequirement, value: str | None) -> bool:
    if value is None or len(requirement.values) != 1:
        return False
    texts = (value, requirement.values[0])
    if not all(_INTEGER.fullmatch(text) for text in texts):
        return False
    left, right = (int(text) for text in texts)
    if not all(-_LIMIT <= number < _LIMIT for number in (left, right)):
        return False
    return left > right if requirement.operator == "Gt" else left < right


def matches_selector(selector: LabelSelector | None, labels: Mapping[str, str]) -> bool:
    """Whether the labels fulfil a `metav1.LabelSelector`: None matches nothing, an empty one everything."""
    if selector is None:
        return False
    exact = all(labels.get(key) == value for key, value in selector.match_labels.items())
    return exact and all(matches(r, labels) for r in selector.match_expressions)


def matches_term(term: NodeSelectorTerm, node: Node) -> bool:
    """Whether the node fulfils all of one term; an empty term matches no node."""
    if not term.match_expressions and not term.match_fields:
        return False
    fields = {"metadata.name": node.name}
    return all(matches(r, node.metadata.labels) for r in term.match_expressions) and all(
        r.operator in {"In", "NotIn"} and r.key in fields and matches(r, fields) for r in term.match_fields
    )


def matches_node_selector(selector: NodeSelector | None, node: Node) -> bool:
    """Whether the node fulfils any of the terms; None demands nothing, a selector without terms matches nothing."""
    return selector is None or any(matches_term(term, node) for term in selector.node_selector_terms)


def required_terms(spec: PodSpec) -> tuple[NodeSelectorTerm, ...]:
    """The ORed terms of `spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution`."""
    affinity = spec.affinity.node_affinity if spec.affinity else None
    return affinity.required.node_selector_terms if affinity and affinity.required else ()


def matches_pod(spec: PodSpec, node: Node) -> bool:
    """Whether the NodeAffinity plugin lets the node pass: nodeSelector and the required terms."""
    if any(node.metadata.labels.get(key) != value for key, value in spec.node_selector.items()):
        return False
    affinity = spec.affinity.node_affinity if spec.affinity else None
    return matches_node_selector(affinity.required if affinity else None, node)


def as_requirements(labels: Mapping[str, str]) -> Iterator[LabelSelectorRequirement]:
    """`nodeSelector` or `matchLabels`, as requirements."""
    for key, value in labels.items():
        yield LabelSelectorRequirement(key=key, operator="In", values=(value,))


def show(requirement: LabelSelectorRequirement) -> str:
    """As kubectl writes a selector: `disk=ssd`, `zone in (a,b)`, `!spot`, `gen>3`."""
    key, values = requirement.key, requirement.values
    match requirement.operator:
        case "In":
            return f"{key}={values[0]}" if len(values) == 1 else f"{key} in ({','.join(values)})"
        case "NotIn":
            return f"{key}!={values[0]}" if len(values) == 1 else f"{key} notin ({','.join(values)})"
        case "Exists":
            return key
        case "DoesNotExist":
            return f"!{key}"
        case operator:
            return f"{key}{_SIGNS.get(operator, f' {operator} ')}{','.join(values)}"


def show_all(requirements: Iterable[LabelSelectorRequirement]) -> str:
    """Several requirements, all of which must hold."""
    return ",".join(show(r) for r in requirements)


def show_selector(selector: LabelSelector | None) -> str:
    """A label selector on one line, `<none>` where it matches nothing, `<all>` where it matches everything."""
    if selector is None:
        return "<none>"
    return show_all((*as_requirements(selector.match_labels), *selector.match_expressions)) or "<all>"
