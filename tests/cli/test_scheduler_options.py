"""--log-window and --check-access, from the command line to what is asked of the source."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.conftest import Run
from whypending.cli.look import wish_of
from whypending.cli.options import SourceOptions
from whypending.collectors.wish import Wish


@pytest.fixture
def wished(monkeypatch: pytest.MonkeyPatch) -> list[Wish]:
    from whypending import collectors  # noqa: PLC0415 - the module that the commands import

    given: list[Wish] = []
    real = collectors.collect

    def collect(*arguments: Any, wish: Wish) -> Any:
        given.append(wish)
        return real(*arguments, wish=wish)

    monkeypatch.setattr(collectors, "collect", collect)
    return given


@pytest.mark.parametrize(
    ("flags", "wish"),
    [
        ((), Wish(log_window=3600, check_access=False)),
        (("--log-window", "5m"), Wish(log_window=300)),
        (("--log-window", "6h", "--check-access"), Wish(log_window=21600, check_access=True)),
    ],
)
def test_flags_reach_the_collectors(
    run: Run, dump: str, wished: list[Wish], flags: tuple[str, ...], wish: Wish
) -> None:
    assert run("pod", "web-1", "--from", dump, *flags).status in {0, 1}
    assert wished == [wish]


def test_a_snapshot_takes_them_too(run: Run, dump: str, wished: list[Wish], tmp_path: Any) -> None:
    assert run("snapshot", "web-1", "--from", dump, "-o", str(tmp_path / "s.tgz"), "--check-access").status == 0
    assert wished == [Wish(check_access=True)]


@pytest.mark.parametrize("window", ["0", "-1h", "soon", ""])
def test_a_window_that_is_none(run: Run, dump: str, window: str) -> None:
    assert run("pod", "web-1", "--from", dump, f"--log-window={window}").status == 2


def test_nothing_is_posted_unless_it_is_asked_for() -> None:
    assert not wish_of(SourceOptions()).check_access
