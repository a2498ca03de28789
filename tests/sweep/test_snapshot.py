"""What a sweep read, saved and swept again: the same answer, Gaps included."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.sweep.kit import MIXED, Counting, event, replica_set, source_of
from whypending.cli.sweep import sweep
from whypending.renderers.sweep_v1 import document
from whypending.sources.base import Query
from whypending.sources.files import FilesSource
from whypending.sources.snapshot import RecordingSource
from whypending.sweep.model import Scope

SHOP = Scope(namespace="shop")
WORDS = 'pods "web-" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1'
OBJECTS = (*MIXED, event("big-1", "FailedScheduling", "0/1 nodes are available: 1 Insufficient cpu."),
           replica_set("short", 3, 0, WORDS), event("short", "FailedCreate", WORDS, kind="ReplicaSet"))  # fmt: skip


def answer(swept: Any) -> Any:
    """All but what was not read: a snapshot holds no ConfigMap that a live look has no use for."""
    told = document(swept)
    left_out = {"source", "notEvaluated"}
    pods = [{key: value for key, value in diagnosis.items() if key not in left_out} for diagnosis in told["pods"]]
    return told["scope"], told["counts"], told["groups"], pods


def saved(folder: Path, source: Counting) -> tuple[Any, FilesSource]:
    recording = RecordingSource(source)
    swept = sweep(recording, SHOP)
    recording.save(folder / "snapshot")
    return swept, FilesSource.open([str(folder / "snapshot")])


def test_a_snapshot_of_a_sweep_gives_the_same(tmp_path: Path) -> None:
    live, again = saved(tmp_path, Counting(source_of(tmp_path, *OBJECTS)))
    assert (live.pods, live.workloads) == (7, 1)
    assert answer(sweep(again, SHOP)) == answer(live)


def test_and_so_it_does_where_much_was_forbidden(tmp_path: Path) -> None:
    def refuse(query: Query[Any]) -> bool:
        return not query.namespace or query.kind.plural == "events"

    live, again = saved(tmp_path, Counting(source_of(tmp_path, *OBJECTS), refuse))
    assert live.not_evaluated
    assert answer(sweep(again, SHOP)) == answer(live)
