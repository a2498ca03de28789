from __future__ import annotations

import pytest

from whypending.cli.target import KIND_OF, Name, parse_name
from whypending.errors import UsageError


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("x", "Pod"),
        ("pod/x", "Pod"),
        ("Pods/x", "Pod"),
        ("deploy/x", "Deployment"),
        ("deployment/x", "Deployment"),
        ("deployment.apps/x", "Deployment"),
        ("deployments.v1.apps/x", "Deployment"),
        ("rs/x", "ReplicaSet"),
        ("sts/x", "StatefulSet"),
        ("ds/x", "DaemonSet"),
        ("job/x", "Job"),
        ("jobs.batch/x", "Job"),
        ("cronjob/x", "CronJob"),
        ("cj/x", "CronJob"),
        ("rc/x", "ReplicationController"),
    ],
)
def test_kinds(word: str, kind: str) -> None:
    assert parse_name((word,)) == Name(kind, "x")


def test_two_words() -> None:
    assert parse_name(("deploy", "x")) == Name("Deployment", "x")


@pytest.mark.parametrize("words", [("deploy.example.com/x",), ("svc/x",), ("pod/x/y",), ("x", "y"), ("pod", "pod/x")])
def test_refused(words: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        parse_name(words)


def test_every_short_name_is_kubectls() -> None:
    assert {"po", "deploy", "rs", "sts", "ds", "cj", "rc"} < set(KIND_OF)


def test_the_hint_names_the_command() -> None:
    with pytest.raises(UsageError) as caught:
        parse_name((), "snapshot -o f.tgz")
    assert caught.value.hint.startswith("whypending snapshot -o f.tgz NAME")
