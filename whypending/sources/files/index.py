"""All objects of the files, by kind, and what of each kind they hold completely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from whypending.objects.kinds import Kind
from whypending.sources.files.items import KINDS, Item, KindKey, is_secret, kind_key

ALL = ""
"""The namespace that stands for all of them."""


class Index:
    """Filled while the files are read, then only asked."""

    def __init__(self) -> None:
        self.items: dict[KindKey, list[Item]] = {}
        self.complete: dict[KindKey, set[str]] = {}
        self.errors: dict[KindKey, dict[str, str]] = {}
        self.unknown: Counter[str] = Counter()
        self.secrets = 0
        self.repeated: list[Item] = []
        self._by_identity: dict[tuple[KindKey, str], int] = {}

    def add(self, item: Item) -> None:
        """Keep an object of a known kind; the newest of several copies."""
        if item.key not in KINDS:
            if is_secret(item.key):
                self.secrets += 1
            else:
                self.unknown[item.key[0]] += 1
            return
        if not item.name:
            self.unknown[f"{item.key[0]} without a name"] += 1
            return
        known = self.items.setdefault(item.key, [])
        identity = (item.key, item.uid or f"{item.namespace}/{item.name}")
        at = self._by_identity.setdefault(identity, len(known))
        if at == len(known):
            known.append(item)
            return
        if known[at].version != item.version:
            self.repeated.append(item)
        if _age(item) > _age(known[at]):
            known[at] = item

    def list_of(self, items: Sequence[Item], key: KindKey | None) -> None:
        """The items came in one List: of one kind only, it is complete (its namespace, or all where it has several)."""
        keys = {item.key for item in items} or ({key} if key else set())
        if len(keys) != 1:
            return
        only = keys.pop()
        namespaces = {item.namespace for item in items}
        self.has_all(only, namespaces.pop() if len(namespaces) == 1 else ALL if namespaces else None)

    def has_all(self, key: KindKey, namespace: str | None) -> None:
        """All objects of the kind in that namespace are here; None = of a namespace that is not known."""
        places = self.complete.setdefault(key, set())
        if namespace is not None or (key in KINDS and not KINDS[key].namespaced):
            places.add(namespace or ALL)

    def is_complete(self, kind: Kind[Any], namespace: str) -> bool:
        """Whether a name that is not here did not exist."""
        places = self.complete.get(kind_key(kind), set())
        return ALL in places or (bool(namespace) and kind.namespaced and namespace in places)

    def occurs(self, kind: Kind[Any], namespace: str) -> bool:
        """Whether the files say anything at all of this kind in that namespace."""
        key = kind_key(kind)
        if not kind.namespaced or not namespace:
            return bool(self.items.get(key)) or key in self.complete
        unplaced = key in self.complete and not self.complete[key]
        return unplaced or self.is_complete(kind, namespace) or any(True for _ in self.within(kind, namespace))

    def within(self, kind: Kind[Any], namespace: str) -> Iterable[Item]:
        """The objects of that kind and namespace; one without a namespace could be in any."""
        items = self.items.get(kind_key(kind), [])
        if not namespace or not kind.namespaced:
            return items
        return (item for item in items if item.namespace == namespace or not item.namespace)

    def error(self, kind: Kind[Any], namespace: str) -> str:
        """The server's words, where whoever made the files was refused this read."""
        told = self.errors.get(kind_key(kind), {})
        return told.get(namespace) or told.get(ALL) or ""

    def __len__(self) -> int:
        """How many objects there are."""
        return sum(len(items) for items in self.items.values())


def _age(item: Item) -> tuple[int, int]:
    """resourceVersion; of equal ones the fuller copy (a snapshot also holds reduced ones) is the newer."""
    return (int(item.version) if item.version.isdecimal() else 0, len(memoryview(item.raw)))
