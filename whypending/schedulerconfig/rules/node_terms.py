"""Terms of a node affinity, as the scheduler parses them.

Source: k8s.io/component-helpers/scheduling/corev1/nodeaffinity, labels.NewRequirement of apimachinery.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.schedulerconfig.finding import Finding, at
from whypending.schedulerconfig.tree import Node
from whypending.schedulerconfig.values import is_label_value, is_qualified

_LISTED, _BARE, _COMPARED = {"In", "NotIn"}, {"Exists", "DoesNotExist"}, {"Gt", "Lt"}
_REQUIRED, _PREFERRED = (f"{kind}DuringSchedulingIgnoredDuringExecution" for kind in ("required", "preferred"))


def check_affinity(affinity: Node, rule: str) -> Iterator[Finding]:
    """What is wrong with the terms; those that the scheduler skips (empty, weight 0) are not judged."""
    required = affinity.get(_REQUIRED)
    terms = list(required.list("nodeSelectorTerms")) if required else []
    for item in affinity.list(_PREFERRED):
        preference = item.get("preference")
        if preference and item.integer("weight"):
            terms.append(preference)
    for term in terms:
        for each in term.list("matchExpressions"):
            yield from _expression(each, rule)
        for each in term.list("matchFields"):
            if each.text("operator") not in _LISTED or len(each.list("values")) != 1:
                yield at(each, rule, "A field is matched by In or NotIn with one value.", "Write it so.")


def _expression(each: Node, rule: str) -> Iterator[Finding]:
    key, operator, values = each.text("key") or "", each.text("operator") or "", each.list("values")
    texts = [v.value for v in values if isinstance(v.value, str)]
    if operator not in _LISTED | _BARE | _COMPARED:
        known = "In, NotIn, Exists, DoesNotExist, Gt or Lt"
        yield at(each.get("operator") or each, rule, f'There is no operator "{operator}".', f"Write {known}.")
        return
    if not is_qualified(key):
        yield at(each.get("key") or each, rule, f'"{key}" is no key of a label.', "Write a label of Nodes.")
    if operator in _LISTED and not values:
        yield at(each, rule, f"{operator} needs values.", "Add at least one value.")
    if operator in _BARE and values:
        yield at(each, rule, f"{operator} takes no values.", "Remove the values.")
    if operator in _COMPARED and not (len(texts) == 1 and _is_whole(texts[0])):
        yield at(each, rule, f"{operator} needs one whole number, in quotes.", "Write one value.")
    if not all(is_label_value(text) for text in texts):
        yield at(each, rule, "A value can't be that of a label.", "Write up to 63 letters, digits, - _ and dots.")


def _is_whole(text: str) -> bool:
    digits = text[1:] if text[:1] in {"+", "-"} else text
    return digits.isascii() and digits.isdigit()
