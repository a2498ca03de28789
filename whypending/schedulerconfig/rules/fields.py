"""unknown-field, repeated-field, wrong-type: what strict decoding refuses.

Source: pkg/scheduler/apis/config/scheme (EnableStrict); names are case-sensitive.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from whypending.schedulerconfig import schema
from whypending.schedulerconfig.finding import Facts, Finding, at
from whypending.schedulerconfig.model import Configuration
from whypending.schedulerconfig.schema import ListOf, MapOf, Object, Scalar, Type
from whypending.schedulerconfig.tree import Node, Shape, whole
from whypending.schedulerconfig.values import duration, is_base64

_LIMITS = {Scalar.INT32: 2**31, Scalar.INT64: 2**63}
_SHAPES = {Scalar.BOOL: Shape.BOOL, Scalar.FLOAT: Shape.NUMBER}


def check(configuration: Configuration, facts: Facts) -> Iterator[Finding]:
    """The whole document, and the arguments of the plugins that have known ones."""
    release = str(facts.release)
    yield from _value(configuration.root, schema.configuration(facts.minor), release)
    for given in (args for profile in configuration.profiles for args in profile.args):
        wanted = schema.args_type(given.name, facts.minor)
        if given.args is not None and wanted is not None:
            yield from _value(given.args, wanted, release)


def _value(node: Node, wanted: Type, release: str) -> Iterator[Finding]:
    if node.shape is Shape.NULL:
        if wanted is Scalar.DURATION and not node.path.endswith(("filterTimeout", "bindingTimeout")):
            yield _wrong(node, wanted.value)
    elif isinstance(wanted, Object):
        yield from _fields(node, wanted.fields, release) if node.shape is Shape.MAP else (_wrong(node, "a mapping"),)
    elif isinstance(wanted, ListOf):
        yield from _items(node, wanted, release) if node.shape is Shape.LIST else (_wrong(node, "a list"),)
    elif isinstance(wanted, MapOf):
        if node.shape is not Shape.MAP:
            yield _wrong(node, "a mapping")
        for entry in node.entries:
            yield from _value(entry.value, wanted.value, release)
    elif not _fits(node, wanted):
        yield _wrong(node, wanted.value)


def _items(node: Node, wanted: ListOf, release: str) -> Iterator[Finding]:
    for item in node.items:
        yield from _value(item, wanted.item, release)


def _fields(node: Node, fields: Mapping[str, Type], release: str) -> Iterator[Finding]:
    for entry in node.entries:
        path = f"{node.path}.{entry.key}" if node.path else entry.key
        here = Node(entry.line, path, Shape.NULL)
        if entry.key not in fields:
            yield at(
                here,
                "unknown-field",
                f'There is no field "{entry.key}" here in {release}: kube-scheduler refuses the whole text.',
                _hint(entry.key, fields),
            )
            continue
        if entry.repeated:
            yield at(here, "repeated-field", f'"{entry.key}" is given twice.', "Keep one of them.")
        yield from _value(entry.value, fields[entry.key], release)


def _hint(key: str, fields: Mapping[str, Type]) -> str:
    near = [f for f in fields if f.lower() == key.lower()] or get_close_matches(key, fields, n=1)
    return (
        f'Write "{near[0]}", if that is meant, or remove it.'
        if near
        else f"Remove it; known here: {', '.join(fields)}."
    )


def _fits(node: Node, wanted: Scalar) -> bool:
    if wanted is Scalar.ANY:
        return True
    if wanted in _LIMITS:
        number = whole(node)
        return number is not None and -_LIMITS[wanted] <= number < _LIMITS[wanted]
    if wanted in _SHAPES:
        return node.shape is _SHAPES[wanted]
    if not isinstance(node.value, str):
        return False
    if wanted is Scalar.DURATION:
        return duration(node.value) is not None
    return wanted is not Scalar.BYTES or is_base64(node.value)


def _wrong(node: Node, wanted: str) -> Finding:
    shown = f" ({node.value})" if node.value is not None else ""
    return at(
        node,
        "wrong-type",
        f"{node.path or 'The document'} has to be {wanted}, not {_called(node)}{shown}.",
        _quoted(node, wanted),
    )


def _called(node: Node) -> str:
    return "empty" if node.shape is Shape.NULL else node.shape.value


def _quoted(node: Node, wanted: str) -> str:
    if wanted == Scalar.DURATION and node.shape is Shape.NUMBER:
        return f"Write {node.value}s, if seconds are meant."
    if wanted in {Scalar.INT32, Scalar.INT64} and str(node.value).isdigit():
        return "Write a number in range, without quotes."
    return "Write a value of that kind, or remove the field."
