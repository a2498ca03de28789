"""Bytes of a file into objects in the index: JSON in any number of documents, YAML, and what people paste."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from whypending.sources.files import json_parts
from whypending.sources.files.index import Index
from whypending.sources.files.inputs import Blob
from whypending.sources.files.items import KINDS, Item, from_raw, key_of
from whypending.sources.files.layouts import Place, asked_in, place_of, plural_in
from whypending.sources.files.text import Chunk, chunks, foreign, items, to_text, without_preamble

MAX_YAML_BYTES = 32 << 20
"""In one run: YAML is read about fifty times slower than JSON."""
_TAIL = 200
"""Characters that tell one end of a text from another."""
TOO_MUCH_YAML = f"more than {MAX_YAML_BYTES >> 20} MiB of YAML"


class _Context(NamedTuple):
    """Where documents come from, and what the path says of them."""

    blob: Blob
    place: Place | None

    @property
    def origin(self) -> str:
        return self.blob.origin

    def defaults(self, kind: str, api_version: str) -> tuple[str, str, str]:
        """Kind, apiVersion and namespace of items that do not say: their typed List's, or the path's."""
        if self.place is None:
            return kind, api_version if kind else "", ""
        own = KINDS[self.place.key].versions[0]
        return kind or self.place.key[0], (api_version if kind else "") or own, self.place.namespace


class Documents:
    """Puts every object into `index` and gives every other mapping to `facts`.

    `problems` are told in any case, `remarks` (on files that nobody named) only where no object was found.
    """

    def __init__(self, index: Index, facts: Callable[[Mapping[str, Any]], None]) -> None:
        self._index = index
        self._facts = facts
        self._yaml_left = MAX_YAML_BYTES
        self.problems: list[str] = []
        self.remarks: list[str] = []

    def read(self, blob: Blob) -> int:
        """Take in a file; how many objects it held."""
        before = len(self.problems)
        context = _Context(blob, place_of(blob.path))
        count = self._json(context, blob.data) if json_parts.is_json(blob.data) else self._text(context, blob.data)
        sound = len(self.problems) == before
        if context.place is not None and sound:
            self._index.has_all(context.place.key, context.place.namespace)
        elif not count and sound:
            self._useless(context, "holds no Kubernetes objects.")
        return count

    def _useless(self, context: _Context, why: str) -> int:
        (self.problems if context.blob.asked else self.remarks).append(f"{context.origin} {why}")
        return 0

    def _json(self, context: _Context, data: bytes) -> int:
        view, count = memoryview(data.removeprefix(b"\xef\xbb\xbf")), 0
        while view:
            try:
                part = json_parts.first(view)
            except (msgspec.DecodeError, RecursionError) as error:
                self.problems.append(context.origin + json_parts.problem(data, view, error))
                return count
            count += self._document(context, part)
            view = part.rest
            if view and not json_parts.is_json(view):
                return count + self._text(context, bytes(view))
        return count

    def _document(self, context: _Context, part: json_parts.Part) -> int:
        kind, api_version, raws = part.kind, part.api_version, part.items
        if raws is not None and (kind.endswith("List") or not kind):
            return self._items(context, raws, kind[:-4], api_version)
        item = from_raw(msgspec.Raw(part.one), "", "", context.place.namespace if context.place else "")
        if item is None or kind == "Status":
            self._facts(json_parts.plain(part.one))
            return 0
        self._index.add(item)
        return 1

    def _items(self, context: _Context, raws: Sequence[msgspec.Raw], kind: str, api_version: str) -> int:
        kind, api_version, namespace = context.defaults(kind, api_version)
        peeked = (from_raw(raw, kind, api_version, namespace) for raw in raws)
        found: list[Item] = [item for item in peeked if item]
        for item in found:
            self._index.add(item)
        key = key_of(kind, api_version) if kind else plural_in(context.blob.path)
        self._index.list_of(found, key)
        asked = asked_in(context.blob.path)
        if asked is not None and key is not None:
            self._index.has_all(key, asked)
        if not raws and key is None:
            self._useless(context, "is an empty List: kubectl found nothing where it looked.")
        return len(found) + (not raws and key is not None)

    def _text(self, context: _Context, data: bytes) -> int:
        text = to_text(data)
        if text is None:
            return self._useless(context, "is a binary file.")
        if not text.strip():
            return self._useless(context, "is empty.")
        if what := foreign(text):
            return self._useless(context, f"{what}.")
        return sum(self._chunk(context, chunk) for chunk in chunks(text))

    def _chunk(self, context: _Context, chunk: Chunk) -> int:
        if chunk.text[0] in "{[" and json_parts.is_json(chunk.text[:256].encode()):
            return self._json(context, chunk.text.encode())
        if len(chunk.text) > self._yaml_left:
            self.problems.append(
                f"{context.origin}:{chunk.line} was skipped: {TOO_MUCH_YAML}. Saved with -o json it has no such limit."
            )
            return 0
        self._yaml_left -= len(chunk.text)
        return self._yaml(context, chunk)

    def _yaml(self, context: _Context, chunk: Chunk) -> int:
        """YAML becomes JSON, item by item: from there on there is one way, and it takes little memory."""
        listed = items(chunk)
        head = self._load(context, listed[0]) if listed else None
        if listed is None or head is None or not (part := json_parts.first(memoryview(head))).kind.endswith("List"):
            if listed and head is not None and not part.kind:
                self.problems.append(f"{context.origin} seems to be cut off: the end of its List is not there.")
            data = self._load(context, chunk)
            return 0 if data is None else self._document(context, json_parts.first(memoryview(data)))
        loaded = (self._load(context, item) for item in listed[1])
        raws = [msgspec.Raw(data) for data in loaded if data is not None]
        return self._items(context, raws, part.kind[:-4], part.api_version)

    def _load(self, context: _Context, chunk: Chunk) -> bytes | None:
        """The chunk as the JSON of an object or array; None for anything else, and where it is broken."""
        from whypending.sources.files.yaml_values import YamlError, load  # noqa: PLC0415 - only where there is YAML

        try:
            value = load(chunk.text)
            return msgspec.json.encode(value) if isinstance(value, dict | list) else None
        except (YamlError, UnicodeEncodeError) as error:
            better = without_preamble(chunk)
            if better is not None:
                return self._load(context, better)
            line, message = (error.line, error.message) if isinstance(error, YamlError) else (0, "it is not UTF-8")
            is_syntax = isinstance(error, YamlError) and not message.startswith("it ")
            early = "; the file seems to be cut off there" if is_syntax and _is_last(context, chunk, line) else ""
            self.problems.append(f"{context.origin}:{chunk.line + line} was skipped: {message}{early}.")
            return None


def _is_last(context: _Context, chunk: Chunk, line: int) -> bool:
    """Whether the text breaks where the file ends."""
    text = chunk.text.rstrip()
    whole = (to_text(context.blob.data) or "").rstrip()
    return line >= text.count("\n") - 1 and whole.endswith(text[-_TAIL:])
