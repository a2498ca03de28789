from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from tests.cli.conftest import Run
from tests.cli.objects import READY
from tests.renderers.documents import validate

AT = "2026-11-30T22:00:00Z"


@pytest.mark.parametrize(
    ("name", "status", "triage"),
    [("web-1", 0, "not_stuck"), ("web-2", 1, "unschedulable"), ("draft", 1, "unknown")],
)
def test_the_status_says_whether_it_is_stuck(run: Run, dump: str, name: str, status: int, triage: str) -> None:
    ended = run("pod", name, "--from", dump, "--now", AT, "-o", "json")
    document = json.loads(ended.out)
    assert (ended.status, document["triage"], ended.err) == (status, triage, "")
    validate(document)


def test_exit_zero(run: Run, dump: str) -> None:
    assert run("pod", "web-2", "--from", dump, "--exit-zero").status == 0


@pytest.mark.parametrize("name", ["pod/web-1", "pods/web-1", "po/web-1", "web-1"])
def test_names(run: Run, dump: str, name: str) -> None:
    assert run("pod", name, "--from", dump).out.startswith("Pod shop/web-1 · not stuck")


def test_kind_and_name_as_two_words(run: Run, dump: str) -> None:
    assert run("pod", "pod", "web-1", "--from", dump).status == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("pod", "-n", "shop", "web-1", "-o", "json", "--from", "{dump}"),
        ("pod", "web-1", "-n", "shop", "--from", "{dump}", "-o", "json"),
        ("-n", "shop", "-o", "json", "--from", "{dump}", "pod", "web-1"),
        ("-o", "yaml", "pod", "web-1", "--from={dump}", "-o", "json"),
        ("pod", "--from", "{dump}", "web-1", "-ojson", "--namespace=shop"),
        ("pod", "-o", "json", "--from", "{dump}", "{dump}", "web-1"),
        ("pod", "web-1", "--from", "{dump}", "{dump}", "-o", "json"),
    ],
)
def test_options_stand_anywhere(run: Run, dump: str, arguments: tuple[str, ...]) -> None:
    ended = run(*(argument.replace("{dump}", dump) for argument in arguments))
    assert ended.status == 0
    assert json.loads(ended.out)["target"]["name"] == "web-1"


def test_several_paths(run: Run, dump: str, tmp_path: Any) -> None:
    other = tmp_path / "nodes.json"
    other.write_text('{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "worker-1"}}')
    ended = run("pod", "web-1", "-o", "json", "--from", dump, str(other))
    assert json.loads(ended.out)["source"]["paths"] == f"{dump}, {other}"


@pytest.mark.parametrize("form", ["text", "wide", "json", "yaml", "ndjson"])
def test_forms(run: Run, dump: str, form: str) -> None:
    ended = run("pod", "web-2", "--from", dump, "-o", form)
    assert ended.status == 1
    if form in {"json", "yaml", "ndjson"}:
        document = yaml.safe_load(ended.out)
        validate(document)
        assert document["target"]["name"] == "web-2"
    else:
        assert ended.out.startswith("Pod shop/web-2 · unschedulable")


def test_the_clock_can_be_given(run: Run, dump: str) -> None:
    ended = run("pod", "web-1", "--from", dump, "--now", "2026-12-01 01:00:00+02:00", "-o", "json")
    assert json.loads(ended.out)["observedAt"] == "2026-11-30T23:00:00Z"


def test_notes_go_to_stderr_and_quiet_silences_them(run: Run, dump: str) -> None:
    noisy = run("pod", "web-1", "--from", dump, "--context", "prod")
    quiet = run("pod", "web-1", "--from", dump, "--context", "prod", "--quiet")
    assert "note: --context means nothing with --from: no cluster is asked.\n" in noisy.err
    assert "note: The clock is the newest time in the objects" in noisy.err
    assert (quiet.err, quiet.out) == ("", noisy.out)


def test_verbose_tells_how_long_it_took(run: Run, dump: str) -> None:
    assert "note: read in 0." in run("pod", "web-1", "--from", dump, "--verbose").err


def test_stdin(process: Run) -> None:
    ended = process("pod", "web-1", "--from", "-", stdin=READY)
    assert (ended.status, ended.out.partition("\n")[0][:26]) == (0, "Pod shop/web-1 · not stuck")


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        ((), "error: Which Pod? A name is missing.", "whypending pod NAME, or whypending pod deploy/NAME"),
        (("a", "b"), "error: One name at a time, not 2: a b.", "whypending pod a"),
        (("deplyo/x",), 'error: "deplyo" is no kind that has Pods.', "whypending pod deploy/x"),
        (
            ("shop/x",),
            'error: "shop" is no kind that has Pods.',
            "for a Pod in the namespace shop: whypending pod -n shop x",
        ),
        (("pod/",), 'error: "pod/" names no Pod.', "whypending pod NAME, or whypending pod deploy/NAME"),
        (("x", "--from"), "error: --from needs a path, or - for stdin.", "whypending pod --help"),
        (("x", "--as-group", "dev"), "error: --as-group needs --as.", "--as USER --as-group dev"),
        (
            ("x", "--now", "2026-11-30"),
            "error: --now needs --from: a cluster has its own clock.",
            "leave --now out, or add --from PATH",
        ),
        (
            ("x", "--now", "noon"),
            """error: Invalid value for '--now': "noon" is no time: write it as 2026-11-30T22:15:00Z.""",
            "whypending pod --help",
        ),
        (
            ("x", "--timeout", "0"),
            """error: Invalid value for '--timeout': "0" is no time to wait: write seconds, or 90s, or 2m.""",
            "whypending pod --help",
        ),
    ],
)
def test_usage(run: Run, arguments: tuple[str, ...], message: str, hint: str) -> None:
    ended = run("pod", *arguments)
    assert (ended.status, ended.out, ended.err) == (2, "", f"{message}\nnext: {hint}\n")


def test_a_missing_pod(run: Run, dump: str) -> None:
    ended = run("pod", "wep-1", "-n", "shop", "--from", dump)
    assert (ended.status, ended.out) == (3, "")
    assert ended.err.startswith('error: There is no Pod "wep-1" in namespace "shop"')
    assert "\nnext: " in ended.err


def test_a_missing_file(run: Run) -> None:
    ended = run("pod", "x", "--from", "/nowhere.yaml")
    assert (ended.status, ended.out, ended.err.splitlines()[0]) == (3, "", "error: There is no file /nowhere.yaml.")


def test_hostile_names_are_escaped_in_errors(run: Run, dump: str) -> None:
    ended = run("pod", "x\x1b[31m\u202e", "--from", dump)
    assert r"x\x1b[31m\u202e" in ended.err
    assert "\x1b" not in ended.err
