"""Notes and errors on a terminal: broken between words, while a command to copy stays whole."""

from __future__ import annotations

import io
import os
import sys

import pytest

from whypending.cli.output import say

LONG = "There is no Pod of that name here, " * 4


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def on_terminal(text: str, monkeypatch: pytest.MonkeyPatch) -> str:
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((40, 24)))
    say(text)
    return shown.getvalue()


@pytest.mark.parametrize("label", ["error", "note", "next"])
def test_prose_is_broken_between_words(label: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = on_terminal(f"{label}: {LONG}", monkeypatch).splitlines()
    assert len(rows) > 1
    assert max(map(len, rows)) <= 40
    assert " ".join(row.strip() for row in rows) == f"{label}: {LONG}".strip()


def test_a_command_stays_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    command = "next: Save them with: kubectl get pods,events -n NAMESPACE -o yaml > pods.yaml"
    assert on_terminal(command, monkeypatch) == f"{command}\n"


def test_in_a_pipe_nothing_is_broken(capsys: pytest.CaptureFixture[str]) -> None:
    say(f"note: {LONG}")
    assert capsys.readouterr().err == f"note: {LONG}\n"
