from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from whypending.cli import edge, output
from whypending.cli.output import Color, canvas
from whypending.errors import UnreachableError

PYTHON = (sys.executable, "-m", "whypending")


def fail_with(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def collect(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr("whypending.collectors.collect", collect)


def test_a_failure_is_a_sentence_and_a_next_step(run: Run, dump: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(monkeypatch, UnreachableError("The server does not answer.", "kubectl cluster-info"))
    ended = run("pod", "x", "--from", dump)
    assert ended == (3, "", "error: The server does not answer.\nnext: kubectl cluster-info\n")


def test_verbose_shows_where_a_failure_is_from(run: Run, dump: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(monkeypatch, UnreachableError("The server does not answer."))
    ended = run("pod", "x", "--from", dump, "--verbose")
    assert ended.err.startswith("Traceback (most recent call last):\n")
    assert ended.err.endswith("\nerror: The server does not answer.\n")


def test_a_fault_asks_for_a_report(run: Run, dump: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(monkeypatch, RuntimeError("boom\x1b[31m"))
    ended = run("pod", "a b", "--from", dump)
    assert (ended.status, ended.out) == (4, "")
    assert ended.err.splitlines() == [
        r"error: whypending itself failed (RuntimeError: boom\x1b[31m).",
        f"next: please report it with what this shows: whypending pod 'a b' --from {dump} --verbose",
    ]


def test_verbose_shows_the_traceback_of_a_fault(run: Run, dump: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(monkeypatch, RuntimeError("boom"))
    assert "\nRuntimeError: boom\n" in run("pod", "x", "--from", dump, "--verbose").err


def test_ctrl_c(run: Run, dump: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(monkeypatch, KeyboardInterrupt())
    assert run("pod", "x", "--from", dump).status == 130


def test_ctrl_c_ends_a_process_at_once() -> None:
    with subprocess.Popen(
        [*PYTHON, "pod", "x", "--from", "-"], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as waiting:
        time.sleep(1)
        waiting.send_signal(signal.SIGINT)
        _, err = waiting.communicate(timeout=10)
    assert (waiting.returncode, err.strip()) == (130, b"")


def hung_up(*arguments: str) -> tuple[int, bytes]:
    """Status and stderr of a process whose stdout nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as stdout:
        done = subprocess.run([*PYTHON, *arguments], stdout=stdout, stderr=subprocess.PIPE, timeout=60, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize(("name", "status"), [("web-1", 0), ("web-2", 1)])
def test_a_reader_that_hangs_up_changes_no_status(dump: str, name: str, status: int) -> None:
    assert hung_up("pod", name, "--from", dump, "--quiet") == (status, b"")


@pytest.mark.parametrize("argument", ["--help", "--version", "causes", "schema"])
def test_a_reader_that_hangs_up_on_help(argument: str) -> None:
    assert hung_up(argument) == (0, b"")


def test_a_full_disk(dump: str) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*PYTHON, "pod", "web-1", "--from", dump, "--quiet"],
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    assert (done.returncode, done.stderr.splitlines()[0]) == (
        4,
        b"error: The report could not be written: No space left on device.",
    )


def test_closed_streams(dump: str) -> None:
    command = f"exec {sys.executable} -m whypending pod web-2 --from {dump} >&- 2>&-"
    assert subprocess.run(["sh", "-c", command], timeout=60, check=False).returncode == 1


@pytest.mark.parametrize(
    ("path", "program"),
    [
        ("/usr/bin/whypending", "whypending"),
        ("/usr/bin/kubectl-whypending", "kubectl whypending"),
        ("kubectl-whypending.exe", "kubectl whypending"),
        ("/x/whypending/__main__.py", "whypending"),
    ],
)
def test_program_name(path: str, program: str) -> None:
    assert edge.program_name(path) == program


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def on_terminal(monkeypatch: pytest.MonkeyPatch, **environment: str) -> None:
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in {"TERM": "xterm-256color", "COLUMNS": "40", **environment}.items():
        monkeypatch.setenv(name, value)


def test_a_terminal_has_a_width_and_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    on_terminal(monkeypatch)
    assert canvas(Color.AUTO) == (40, True, True)


def test_color_never(monkeypatch: pytest.MonkeyPatch) -> None:
    on_terminal(monkeypatch)
    assert not canvas(Color.NEVER).color


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_the_environment_forbids_colour(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    on_terminal(monkeypatch, **{name: value})
    assert not canvas(Color.AUTO).color
    assert canvas(Color.ALWAYS).color


def test_a_pipe_has_neither(dump: str, process: Run) -> None:
    ended = process("pod", "web-2", "--from", dump, env={"COLUMNS": "40"})
    assert "\x1b" not in ended.out
    assert max(map(len, ended.out.splitlines())) > 80


def test_color_always_in_a_pipe(dump: str, process: Run) -> None:
    assert "\x1b[1;31munschedulable\x1b[0m" in process("pod", "web-2", "--from", dump, "--color", "always").out


def test_an_ascii_terminal_gets_ascii(dump: str, process: Run) -> None:
    env = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    assert process("pod", "web-1", "--from", dump, env=env).out.startswith("Pod shop/web-1 - not stuck")


def test_text_that_the_encoding_lacks_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    output.emit("漢\n")
    assert raw.getvalue() == b"\\u6f22\n"


def test_only_what_is_needed_is_imported(dump: str) -> None:
    script = (
        "import sys; from whypending.cli import edge; "
        f"edge.run(['pod', 'web-1', '--from', {dump!r}, '--quiet']); "
        "print([m for m in ('kubernetes', 'requests', 'rich', 'asyncio') if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr.strip() == "[]"
