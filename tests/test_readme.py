"""README is current: its generated parts, its picture, every command that it shows, every file that it points to."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import click
import pytest

from tests.cli.conftest import Run, run
from tests.readme import CLASSES, README, ROOT, SCREENSHOT, parts, screen, screenshot, updated
from whypending.classifiers import FOLDERS, catalogue
from whypending.cli.app import COMMANDS, app

__all__ = ["run"]
TEXT = README.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```console\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
OURS = ("whypending", "kubectl whypending")
OTHERS = (
    "kubectl get",
    "kubectl apply",
    "kubectl create",
    "kubectl -n",
    "pip install",
    "pipx install",
    "uv tool install",
)
MORE = re.compile(r"\x1b\[[0-9;]*m")


def commands() -> Iterator[str]:
    """Each command of each block, those of a pipe apart, without redirection."""
    for line in "".join(BLOCKS).splitlines():
        yield from (part.partition(" > ")[0].strip() for part in line.split(" | ") if part.strip())


def test_generated_parts_are_current() -> None:
    assert updated(TEXT) == TEXT, "run `make docs`"


def test_the_picture_is_current() -> None:
    assert SCREENSHOT.read_text(encoding="utf-8") == screenshot(), "run `make docs`"


def test_the_picture_shows_what_the_demo_shows(run: Run) -> None:
    ended = run("demo")
    shown = f"{ended.err}{ended.out}".replace(f"{ROOT}/", "")
    assert MORE.sub("", screen()).split() == shown.split()


def test_the_picture_fetches_nothing_and_names_no_machine() -> None:
    svg = SCREENSHOT.read_text(encoding="utf-8")
    assert set(re.findall(r"https?://[^\s\"]+", svg)) == {"http://www.w3.org/2000/svg", "https://www.textualize.io"}
    assert str(ROOT) not in svg


def test_the_table_has_every_cause_once() -> None:
    table = parts()["causes"]
    assert re.findall(r"^\| (WP\d+) \|", table, re.MULTILINE) == [
        c.cause.code for class_ in CLASSES for c in catalogue() if c.cause.triage is class_
    ]
    assert set(CLASSES) == set(FOLDERS)


@pytest.mark.parametrize("command", [c for c in commands() if c.startswith(OURS)])
def test_a_command_of_ours_parses(command: str) -> None:
    name, *words = shlex.split(command.removeprefix("kubectl "))[1:]
    group = click.Context(app, info_name="whypending")
    chosen = app.get_command(group, name) if isinstance(app, click.Group) else None
    assert chosen is not None
    assert chosen.make_context(name, words, parent=group).args == []


def test_other_commands_are_known_ones() -> None:
    targets = {f"make {name}" for name in re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)}
    others = [c for c in commands() if not c.startswith(OURS) and c not in targets]
    assert [c for c in others if not c.startswith(OTHERS) and not (ROOT / c).is_file()] == []


def test_what_it_points_to_is_there() -> None:
    links = [link for link in re.findall(r"\]\(([^)]+)\)", TEXT) if not link.startswith("#")]
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_it_documents_every_command() -> None:
    assert [name for name in COMMANDS if f"whypending {name}" not in TEXT] == []
