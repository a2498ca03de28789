"""Which logs are read for whom, how much of them, and what becomes of those that can't be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.collectors.test_rbac import Live, Object, opened, scheduler
from tests.worlds import WEB
from whypending.collectors import collect
from whypending.collectors.wish import Wish
from whypending.engine import diagnose
from whypending.evidence import Evidence, Gap, GapReason, LogLine, seen
from whypending.sources.base import LogQuery
from whypending.sources.files import FilesSource
from whypending.sources.snapshot import RecordingSource

WAITS = 'I1130 22:00:00.250000       1 leaderelection.go:258] "Attempting to acquire leader lease..." lock="x"'
REFUSED = (
    'E1130 22:14:50.250000       1 leaderelection.go:441] "Error retrieving lease lock" err="leases \\"other\\" is '
    'forbidden: User \\"system:serviceaccount:kube-system:second\\" cannot get resource \\"leases\\" in API group '
    '\\"coordination.k8s.io\\" in the namespace \\"kube-system\\""'
)
Answer = Callable[[LogQuery], Any]


class Logging(Live):
    """A cluster whose Pods have logs."""

    def __init__(self, inner: FilesSource, answer: Answer, refused: tuple[str, ...] = ()) -> None:
        super().__init__(inner, refused)
        self.asked: list[LogQuery] = []
        self._answer = answer
        self.log = self._log

    def _log(self, query: LogQuery) -> Any:
        self.asked.append(query)
        return self._answer(query)


def restarted(count: int) -> list[Object]:
    objects = scheduler()
    pod = next(o for o in objects if o["kind"] == "Pod")
    pod["status"]["containerStatuses"] = [{"name": "main", "restartCount": count}]
    return objects


def logged(folder: Path, answer: Answer, *objects: Object, wish: Wish | None = None) -> tuple[Evidence, Logging]:
    source = Logging(opened(folder, *(objects or scheduler())), answer)
    return collect(source, *WEB, wish=wish or Wish()), source


def texts(found: Evidence) -> list[str]:
    return [line.text for line in seen(found.logs)]


def test_a_bounded_end_of_the_log_of_its_own_scheduler_is_read(tmp_path: Path) -> None:
    found, source = logged(tmp_path, lambda _: (WAITS, REFUSED))
    (query,) = source.asked
    assert (query.namespace, query.pod, query.container, query.previous) == ("kube-system", "second-1", "main", False)
    assert (query.since_seconds, query.limit_bytes, query.tail_lines) == (3600, 1_000_000, 2_000)
    first, second = seen(found.logs)
    assert isinstance(first, LogLine)
    assert (first.origin, first.pod, first.severity) == ("kube-system/second-1/main", "kube-system/second-1", "I")
    assert second.severity == "E"


def test_the_window_is_what_the_user_wants(tmp_path: Path) -> None:
    _, source = logged(tmp_path, lambda _: (WAITS,), wish=Wish(log_window=90.4))
    assert source.asked[0].since_seconds == 90


def test_a_log_that_is_quiet_in_the_window_is_read_from_before(tmp_path: Path) -> None:
    found, source = logged(tmp_path, lambda q: () if q.since_seconds else (WAITS,))
    assert [q.since_seconds for q in source.asked] == [3600, None]
    assert texts(found) == [WAITS]


def test_the_run_before_a_restart_comes_first(tmp_path: Path) -> None:
    found, _ = logged(tmp_path, lambda q: ("panic: no",) if q.previous else (WAITS,), *restarted(2))
    assert [(x.text, x.previous) for x in seen(found.logs)] == [("panic: no", True), (WAITS, False)]


def test_a_container_that_never_restarted_has_one_log(tmp_path: Path) -> None:
    _, source = logged(tmp_path, lambda _: (WAITS,), *restarted(0))
    assert [q.previous for q in source.asked] == [False]


@pytest.mark.parametrize("reason", [GapReason.FORBIDDEN, GapReason.UNREACHABLE, GapReason.TIMED_OUT])
def test_a_log_that_cannot_be_read_is_a_gap_with_its_grant(tmp_path: Path, reason: GapReason) -> None:
    gap = Gap(what="the log", reason=reason, grant='get pods/log in namespace "kube-system"')
    found, source = logged(tmp_path, lambda _: gap)
    assert found.logs == gap
    assert len(source.asked) == 1


def test_a_log_that_is_empty_is_no_gap(tmp_path: Path) -> None:
    assert logged(tmp_path, lambda _: ())[0].logs == ()


def test_nobody_elses_log_is_read(tmp_path: Path) -> None:
    objects = scheduler()
    objects[-1]["spec"]["schedulerName"] = "mistyped"
    found, source = logged(tmp_path, lambda _: (WAITS,), *objects)
    assert source.asked == []
    assert isinstance(found.logs, Gap)


@pytest.mark.parametrize(
    ("reason", "message", "count"),
    [
        ("SchedulerError", "binding rejected: no", 1),
        ("Unschedulable", 'Post "http://x/filter": dial tcp: no such host (extender)', 1),
        ("Unschedulable", "0/3 nodes are available: 3 Insufficient cpu.", 0),
    ],
)
def test_a_refusal_needs_a_log_only_where_scheduling_failed(
    tmp_path: Path, reason: str, message: str, count: int
) -> None:
    objects = scheduler()
    condition = {"type": "PodScheduled", "status": "False", "reason": reason, "message": message}
    objects[-1]["status"]["conditions"] = [condition]
    found, source = logged(tmp_path, lambda _: (WAITS,), *objects)
    assert len(source.asked) == count
    assert len(seen(found.logs)) == count


def test_what_the_log_says_is_the_verdict(tmp_path: Path) -> None:
    found, _ = logged(tmp_path, lambda _: (WAITS, REFUSED))
    first = next(f for f in diagnose(found, strict=True).findings if f.name == "scheduler-lease-rbac")
    assert first.confidence == "proved"
    assert first.citations[0].object == "log kube-system/second-1/main"


@pytest.mark.parametrize("wish", [Wish(), Wish(log_window=60)])
def test_a_snapshot_gives_the_same(tmp_path: Path, wish: Wish) -> None:
    inner = opened(tmp_path, *restarted(1))
    recording = RecordingSource(Logging(inner, lambda q: ("panic: no",) if q.previous else (WAITS, REFUSED)))
    before = collect(recording, *WEB, wish=wish).logs
    recording.save(tmp_path / "s.tgz")
    assert collect(FilesSource.open([str(tmp_path / "s.tgz")]), *WEB).logs == before


def test_a_bundle_has_the_log_of_a_scheduler_whose_name_does_not_say_so(tmp_path: Path) -> None:
    folder = tmp_path / "namespaces/kube-system/pods/second-1/main/main/logs"
    folder.mkdir(parents=True)
    (folder / "current.log").write_text(f"{WAITS}\n{REFUSED}\n")
    found = collect(opened(tmp_path, *scheduler()), *WEB)
    assert texts(found) == [WAITS, REFUSED]


def test_a_log_beside_the_objects_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "second-1.log").write_text(f"{WAITS}\n\n{REFUSED}\n")
    found = collect(opened(tmp_path, *scheduler()), *WEB)
    assert [(x.number, x.severity) for x in seen(found.logs)] == [(1, "I"), (3, "E")]


def test_json_in_files_is_read_as_klog(tmp_path: Path) -> None:
    text = '{"ts":1796076845250.0,"caller":"a/x.go:1","msg":"Attempting to acquire leader lease...","v":0}'
    (tmp_path / "second-1.log").write_text(f"{text[20:]}\n{text}\n")
    found = collect(opened(tmp_path, *scheduler()), *WEB)
    assert texts(found)[1] == 'I1130 22:14:05.250000 1 x.go:1] "Attempting to acquire leader lease..."'


def test_of_a_very_long_log_the_end_is_read_with_the_right_numbers(tmp_path: Path) -> None:
    log = tmp_path / "second-1.log"
    with log.open("wb") as file:
        file.write(b"first\n" * 7)
        file.truncate(200 << 20)
        file.seek(200 << 20)
        file.writelines([f"{REFUSED}\n".encode()] * 20_000)
    lines = seen(collect(opened(tmp_path, *scheduler()), *WEB).logs)
    assert sum(len(line.text) for line in lines) < 5_000_000
    assert lines[-1].number == 20_007
    assert {line.text for line in lines[1:]} == {REFUSED}
    assert REFUSED.endswith(lines[0].text)
