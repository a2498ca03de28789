from __future__ import annotations

import inspect
import json

import pytest
from click.testing import CliRunner

from tests.cli.conftest import Run
from whypending import __version__, schema
from whypending.classifiers import catalogue
from whypending.cli.app import COMMANDS, app
from whypending.cli.status import ExitStatus


@pytest.mark.parametrize("arguments", [("--help",), ("-h",), *((name, "--help") for name in COMMANDS)])
def test_help(arguments: tuple[str, ...]) -> None:
    shown = CliRunner().invoke(app, arguments, prog_name="whypending")
    assert (shown.exit_code, shown.stdout.startswith("Usage: whypending")) == (0, True)


def test_help_documents_every_exit_status() -> None:
    shown = CliRunner().invoke(app, ["--help"]).stdout
    assert [s for s in ExitStatus if f"\n  {int(s):<5}{s.meaning}" not in shown] == []


def test_help_names_kubectl_where_kubectl_called(run: Run) -> None:
    assert run("--help", program="kubectl whypending").out.startswith("Usage: kubectl whypending ")


def test_hints_name_kubectl_where_kubectl_called(run: Run) -> None:
    assert run("pod", program="kubectl whypending").err.endswith(
        "next: kubectl whypending pod NAME, or kubectl whypending pod deploy/NAME\n"
    )


def test_version(run: Run) -> None:
    assert run("--version") == (0, f"whypending {__version__}\n", "")


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("web-1", "whypending pod web-1"),
        ("pood", "whypending pod, or for a Pod of that name: whypending pod pood"),
        ("Explain", "whypending explain, or for a Pod of that name: whypending pod Explain"),
    ],
)
def test_unknown_command(run: Run, word: str, hint: str) -> None:
    assert run(word) == (2, "", f'error: There is no command "{word}".\nnext: {hint}\n')


def test_unknown_option(run: Run) -> None:
    ended = run("pod", "--naemspace", "x")
    assert (ended.status, ended.out) == (2, "")
    assert "--namespace" in ended.err


def test_schema_is_the_shipped_file(run: Run) -> None:
    assert run("schema") == (0, schema.text(), "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(run: Run, shell: str) -> None:
    ended = run("completion", shell)
    assert ended.status == 0
    assert f"_WHYPENDING_COMPLETE={shell}_complete" in ended.out


def test_completion_offers_causes(process: Run) -> None:
    env = {"COMP_WORDS": "whypending explain quota-", "COMP_CWORD": "2", "_WHYPENDING_COMPLETE": "bash_complete"}
    shown = process(env=env).out.split()
    assert "plain,quota-exceeded" in shown


@pytest.mark.parametrize("word", ["WP506", "wp506", "quota-exceeded", "Quota_Exceeded"])
def test_explain(run: Run, word: str) -> None:
    ended = run("explain", word)
    assert (ended.status, ended.out.splitlines()[0]) == (0, "WP506 quota-exceeded (no Pod was made)")
    assert "\nWhat to do\n" in ended.out


def test_explain_every_cause(run: Run) -> None:
    ended = [run("explain", c.cause.code) for c in catalogue()]
    assert [e.status for e in ended if e.status] == []


def test_explain_near_names(run: Run) -> None:
    ended = run("explain", "quota-exeeded")
    assert (ended.status, ended.err.splitlines()[0]) == (2, 'error: There is no cause "quota-exeeded".')
    assert ended.err.splitlines()[1].startswith("next: did you mean quota-exceeded")


def test_explain_far_names(run: Run) -> None:
    assert run("explain", "%%%").err.endswith("next: whypending causes lists them all\n")


def test_causes_lists_the_catalogue(run: Run) -> None:
    listed = json.loads(run("causes", "-o", "json").out)["causes"]
    assert [cause["code"] for cause in listed] == [c.cause.code for c in catalogue()]
    shown = run("causes").out
    assert [c for c in listed if f"  {c['code']}  {c['name']} " not in shown] == []


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["version"], "whypending --version"),
        (["help"], "whypending --help"),
        (["get", "pod", "x"], "whypending pod x"),
        (["describe", "deploy", "x", "-n", "y"], "whypending pod deploy/x -n y"),
        (["get"], "whypending pod NAME"),
    ],
)
def test_habits_from_other_tools_are_understood(run: Run, words: list[str], hint: str) -> None:
    assert run(*words).err == f'error: There is no command "{words[0]}".\nnext: {hint}\n'


def test_the_completions_stand_on_lines_of_their_own(run: Run) -> None:
    lines = run("completion", "--help").out.splitlines()
    assert [line.split(":")[0].strip() for line in lines if "whypending completion " in line][1:] == [
        "bash",
        "zsh",
        "fish",
    ]


def test_the_help_tells_the_limits_that_hold(run: Run) -> None:
    from whypending.sources.live import LiveSource  # noqa: PLC0415

    limits = inspect.signature(LiveSource.connect).parameters
    told = " ".join(run("pod", "--help").out.split())
    assert f"For all reads together (else {limits['timeout'].default})." in told
    assert f"For each read (else {limits['request_timeout'].default})." in told


def test_a_report_that_always_ends_well_takes_no_exit_zero(run: Run) -> None:
    assert run("demo", "--exit-zero").status == 2
    assert "ends with status 0" in " ".join(run("demo", "--help").out.split())
