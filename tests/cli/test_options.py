from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import click
import pytest

from tests.cli.conftest import Run
from whypending.cli.options import duration, moment
from whypending.sources.files import FilesSource


@pytest.mark.parametrize(
    ("text", "seconds"), [("30", 30), ("1.5", 1.5), ("90s", 90), ("2m", 120), ("1m30s", 90), ("1h", 3600), (7.0, 7)]
)
def test_durations(text: str, seconds: float) -> None:
    assert duration(text) == seconds


@pytest.mark.parametrize("text", ["", "0", "-1", "1x", "m", "s"])
def test_no_durations(text: str) -> None:
    with pytest.raises(click.BadParameter):
        duration(text)


def test_a_time_without_offset_is_utc() -> None:
    assert moment("2026-11-30T22:15:00") == datetime(2026, 11, 30, 22, 15, tzinfo=UTC)


class Cluster(FilesSource):
    """A FilesSource that was asked for as a cluster, with a namespace of its context."""

    namespace = "shop"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, dump: str) -> dict[str, Any]:
    given: dict[str, Any] = {}

    def connect(**options: Any) -> Any:
        given.update(options)
        return Cluster.open([dump])

    monkeypatch.setattr("whypending.sources.live.LiveSource.connect", connect)
    return given


def test_flags_reach_the_cluster(run: Run, asked: dict[str, Any]) -> None:
    flags = ("--kubeconfig", "k", "--context", "c", "--as", "me", "--as-group", "a", "--as-group", "b")
    more = ("--timeout", "2m", "--request-timeout", "5", "--insecure-skip-tls-verify")
    assert run(*flags, "pod", "web-1", *more).status == 0
    assert asked == {
        "kubeconfig": "k",
        "context": "c",
        "as_user": "me",
        "as_groups": ("a", "b"),
        "timeout": 120.0,
        "request_timeout": 5.0,
        "allow_insecure": True,
    }


def test_without_flags_the_configuration_decides(run: Run, asked: dict[str, Any]) -> None:
    assert run("pod", "web-1").status == 0
    assert asked == {
        "kubeconfig": None,
        "context": None,
        "as_user": "",
        "as_groups": (),
        "allow_insecure": False,
    }


def test_the_contexts_namespace_is_the_default(run: Run, asked: dict[str, Any]) -> None:
    assert run("pod", "web-1", "-n", "other").status == 3
    assert run("pod", "web-1").status == 0
    assert asked["context"] is None


def test_each_flag_of_clusters_is_named_as_it_is_typed(run: Run, dump: str) -> None:
    flags = {
        "--context": "c",
        "--kubeconfig": "k",
        "--as": "me",
        "--as-group": "g",
        "--timeout": "1",
        "--request-timeout": "1",
    }
    typed = [word for pair in flags.items() for word in pair]
    err = run("pod", "web-1", "--from", dump, "--insecure-skip-tls-verify", *typed).err.splitlines()[0]
    assert {word.strip(",") for word in err.split() if word.startswith("--")} == {
        *flags,
        "--insecure-skip-tls-verify",
        "--from:",
    }
