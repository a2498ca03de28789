"""A sweep asks for nothing beyond the rights that `whypending rights` prints."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.asked import NOW, AskedSource, everything, granted, in_namespace
from tests.sweep.kit import node
from tests.worlds import NAMESPACE, WORLDS
from whypending import rbac
from whypending.cli.sweep import sweep
from whypending.sources.base import Query
from whypending.sources.files import FilesSource
from whypending.sweep.model import Scope


@pytest.mark.parametrize(
    ("text", "allowed", "namespace"),
    [(rbac.cluster_role(), everything, ""), (rbac.role(), in_namespace, NAMESPACE)],
    ids=["ClusterRole", "Role"],
)
def test_the_shipped_rights_are_enough(
    tmp_path: Path, text: str, allowed: Callable[[Query[Any]], bool], namespace: str
) -> None:
    used = set()
    for number, world in enumerate(WORLDS):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [*world.objects, node()]}))
        source = AskedSource(FilesSource.open([str(path)], now=NOW), allowed)
        source.read = _nothing_missing(source.read)  # type: ignore[method-assign, assignment]
        sweep(source, Scope(namespace=namespace))
        used |= source.granted
    assert used <= set(granted(text))
    assert len(used) > 10
    assert {right.verb for right in used} == {"get", "list"}


def _nothing_missing(read: Callable[[Query[Any]], Any]) -> Callable[[Query[Any]], Any]:
    """A cluster answers for every Pod list; a file without Pods is no world of that kind."""

    def answered(query: Query[Any]) -> Any:
        known = read(query)
        missing = query.kind.plural == "pods" and not isinstance(known, tuple) and "snapshot" in str(known.reason)
        return () if missing else known

    return answered
