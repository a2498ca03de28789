"""From a text to configurations: a plain file, several documents, or ConfigMaps that hold them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from whypending.schedulerconfig.errors import UnreadableTextError
from whypending.schedulerconfig.model import Configuration, read
from whypending.schedulerconfig.releases import GROUP, KIND
from whypending.schedulerconfig.tree import Entry, Node, Shape, documents

_TEMPLATE = re.compile(r"\{\{.*?\}\}|\{\{[-%]")


class Texts(msgspec.Struct, frozen=True):
    """The configurations of a text, and what was passed over, a sentence each."""

    configurations: tuple[Configuration, ...]
    notes: tuple[str, ...] = ()


def read_text(text: str, file: str) -> Texts:
    """Every configuration of a file. Raises UnreadableTextError where there is none."""
    found: list[Configuration] = []
    notes: list[str] = []
    others: list[str] = []
    _refuse_templates(text)
    for root in documents(text):
        for item in _items(root):
            if is_configuration(item):
                plain = sum(1 for c in found if not c.holder)
                found.append(read(item, file, number=plain + 1))
            elif item.text("kind") == "ConfigMap":
                found += _of_config_map(item, file, notes)
            else:
                others.append(_called(item))
                notes.append(f"{file}, line {item.line}: passed over {others[-1]}, which is no {KIND}.")
    if not found:
        raise UnreadableTextError(f"it holds no {KIND}" + (f", but {others[0]}" if others else ""))
    return Texts(tuple(found), tuple(notes))


def read_key(text: str, file: str, holder: str) -> tuple[Configuration, ...]:
    """The configurations in one key of a ConfigMap, whose lines are counted from the key's first."""
    _refuse_templates(text)
    roots = [root for root in documents(text) if is_configuration(root)]
    return tuple(read(root, file, holder, number) for number, root in enumerate(roots, 1))


def holds_configuration(text: str) -> bool:
    """Whether a key's text could be one, valid or not."""
    return KIND in text or GROUP in text


def is_configuration(node: Node) -> bool:
    """By kind, or by the apiVersion where the kind is missing."""
    kind = node.text("kind")
    return kind == KIND or (kind is None and (node.text("apiVersion") or "").startswith(GROUP))


def _refuse_templates(text: str) -> None:
    for number, line in enumerate(text.split("\n"), 1):
        if _TEMPLATE.search(line.partition("#")[0]):
            raise UnreadableTextError("it is a template ({{ … }}): render it first, as with helm template", number)


def _items(root: Node) -> tuple[Node, ...]:
    """The objects of a list; the configuration of a scheduler's /configz; else the document itself."""
    if served := root.get("componentconfig"):
        return (served,)
    is_list = (root.text("kind") or "").endswith("List") and root.get("items")
    return root.list("items") if is_list else (root,)


def _called(item: Node) -> str:
    name = item.at("metadata", "name")
    kind = item.text("kind") or ("a document without kind" if item.shape is Shape.MAP else item.shape.value)
    return f"{kind} {name.value}" if name else kind


def _of_config_map(item: Node, file: str, notes: list[str]) -> Iterator[Configuration]:
    name, namespace = item.at("metadata", "name"), item.at("metadata", "namespace")
    holder = "/".join(str(n.value) for n in (namespace, name) if n)
    data = item.get("data")
    for entry in data.entries if data else ():
        if not isinstance(entry.value.value, str) or not holds_configuration(entry.value.value):
            notes.append(
                f"{file}, line {entry.line}: passed over key {entry.key} of ConfigMap {holder}, which is no {KIND}."
            )
            continue
        yield from _of_key(entry, file, holder)


def _of_key(entry: Entry, file: str, holder: str) -> Iterator[Configuration]:
    value = entry.value
    try:
        found = read_key(str(value.value), file, f"{holder}:{entry.key}")
    except UnreadableTextError as error:
        line = value.line + error.line if value.block else value.line
        raise UnreadableTextError(f"key {entry.key} of ConfigMap {holder}: {error.reason}", line) from error
    for configuration in found:
        root = _moved(configuration.root, value)
        yield read(root, file, configuration.holder, configuration.number)


def _moved(node: Node, holder: Node) -> Node:
    """The same tree with the lines of the file around it; only a literal block keeps lines of its own."""
    line = holder.line + node.line if holder.block else holder.line
    items = tuple(_moved(item, holder) for item in node.items)
    entries = tuple(
        msgspec.structs.replace(
            e, line=holder.line + e.line if holder.block else holder.line, value=_moved(e.value, holder)
        )
        for e in node.entries
    )
    return msgspec.structs.replace(node, line=line, items=items, entries=entries)
