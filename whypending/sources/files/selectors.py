"""Field and label selectors as the API writes them, evaluated on objects of files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from whypending.objects.base import LabelSelectorRequirement
from whypending.objects.selectors import matches
from whypending.sources.files.items import Item

_PART = re.compile(r",(?![^(]*\))")
_SET = re.compile(r"^(\S+)\s+(in|notin)\s*\(([^)]*)\)$")
_EQUAL = re.compile(r"^([^=!\s]+)\s*(==|=|!=)\s*([^=!\s]*)$")
_PLAIN = re.compile(r"[\w.:-]+", re.ASCII)


class FieldTest(NamedTuple):
    """One `path=value` or `path!=value`."""

    path: tuple[str, ...]
    value: str
    equal: bool


class Selection(NamedTuple):
    """Parsed selectors; all of them must hold. `needles` occur in the bytes of whatever matches."""

    fields: tuple[FieldTest, ...]
    labels: tuple[LabelSelectorRequirement, ...]
    needles: tuple[bytes, ...]

    @property
    def is_any(self) -> bool:
        """Whether anything is selected at all."""
        return bool(self.fields or self.labels)


def parse(fields: str, labels: str) -> Selection:
    """Both selectors of a query. ValueError names the part that is none."""
    tests = tuple(_field(part) for part in fields.split(",") if part.strip())
    wanted = tuple(_label(part.strip()) for part in _PART.split(labels) if part.strip())
    exact = [t.value for t in tests if t.equal] + [r.values[0] for r in wanted if _is_exact(r)]
    return Selection(tests, wanted, tuple(v.encode() for v in exact if _PLAIN.fullmatch(v)))


def _is_exact(requirement: LabelSelectorRequirement) -> bool:
    return requirement.operator == "In" and len(requirement.values) == 1


def _field(part: str) -> FieldTest:
    match = _EQUAL.match(part.strip())
    if not match:
        raise ValueError(f'"{part}" is no field selector')
    return FieldTest(tuple(match[1].split(".")), match[3], match[2] != "!=")


def _label(part: str) -> LabelSelectorRequirement:
    if match := _SET.match(part):
        values = tuple(v.strip() for v in match[3].split(","))
        return LabelSelectorRequirement(key=match[1], operator="In" if match[2] == "in" else "NotIn", values=values)
    if match := _EQUAL.match(part):
        operator = "NotIn" if match[2] == "!=" else "In"
        return LabelSelectorRequirement(key=match[1], operator=operator, values=(match[3],))
    if re.fullmatch(r"!?\s*[^\s=!()]+", part):
        key = part.lstrip("! ")
        return LabelSelectorRequirement(key=key, operator="DoesNotExist" if part.startswith("!") else "Exists")
    raise ValueError(f'"{part}" is no label selector')


class _Meta(msgspec.Struct, gc=False):
    labels: dict[str, str] | None = None


class _Spec(msgspec.Struct, gc=False, rename="camel"):
    node_name: str | None = None
    scheduler_name: str | None = None


class _Status(msgspec.Struct, gc=False):
    phase: str | None = None


class _Reference(msgspec.Struct, gc=False):
    kind: str | None = None
    namespace: str | None = None
    name: str | None = None
    uid: str | None = None


class _Selectable(msgspec.Struct, gc=False, rename="camel"):
    metadata: _Meta | None = None
    spec: _Spec | None = None
    status: _Status | None = None
    involved_object: _Reference | None = None
    regarding: _Reference | None = None


_DECODER = msgspec.json.Decoder(_Selectable)
_TYPED: dict[tuple[str, ...], tuple[str, ...]] = {
    ("spec", "nodeName"): ("spec", "node_name"),
    ("spec", "schedulerName"): ("spec", "scheduler_name"),
    ("status", "phase"): ("status", "phase"),
    **{("involvedObject", f): ("involved_object", f) for f in _Reference.__struct_fields__},
}


def selects(selection: Selection, item: Item) -> bool:
    """Whether the item fulfils the selectors; JSON items are decoded only as far as that needs."""
    if selection.needles:
        text = bytes(item.raw)
        if not all(needle in text for needle in selection.needles):
            return False
    if not all(_meta(test, item) for test in selection.fields if test.path[0] == "metadata"):
        return False
    rest = [test for test in selection.fields if test.path[0] != "metadata"]
    if not rest and not selection.labels:
        return True
    if all(test.path in _TYPED for test in rest):
        try:
            return _selects_typed(rest, selection.labels, _DECODER.decode(item.raw))
        except (msgspec.DecodeError, RecursionError):
            pass
    return _selects_plain(rest, selection.labels, _plain(item))


def _meta(test: FieldTest, item: Item) -> bool:
    value = {"name": item.name, "namespace": item.namespace}.get(".".join(test.path[1:]), "")
    return (value == test.value) is test.equal


def _selects_typed(tests: list[FieldTest], labels: tuple[LabelSelectorRequirement, ...], found: _Selectable) -> bool:
    about = found.involved_object or found.regarding
    for test in tests:
        part, field = _TYPED[test.path]
        holder = about if part == "involved_object" else getattr(found, part)
        if ((getattr(holder, field, None) or "") == test.value) is not test.equal:
            return False
    own = (found.metadata.labels if found.metadata else None) or {}
    return all(matches(requirement, own) for requirement in labels)


def _plain(item: Item) -> Mapping[str, Any]:
    value = msgspec.json.decode(bytes(item.raw).decode("utf-8", "replace"))
    return value if isinstance(value, Mapping) else {}


def _selects_plain(
    tests: list[FieldTest], labels: tuple[LabelSelectorRequirement, ...], value: Mapping[str, Any]
) -> bool:
    about = value.get("involvedObject") or value.get("regarding")
    seen = {**value, "involvedObject": about}
    if not all((_at(seen, test.path) == test.value) is test.equal for test in tests):
        return False
    own = _step(_step(value, "metadata"), "labels")
    texts = {str(k): str(v) for k, v in own.items() if v is not None} if isinstance(own, Mapping) else {}
    return all(matches(requirement, texts) for requirement in labels)


def _at(value: object, path: tuple[str, ...]) -> str:
    for step in path:
        value = _step(value, step)
    return "" if value is None or isinstance(value, Mapping | list) else str(value)


def _step(value: object, step: str) -> object:
    return value.get(step) if isinstance(value, Mapping) else None
