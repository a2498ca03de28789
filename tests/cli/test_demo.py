from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.objects import READY, REFUSED
from whypending.cli import demo


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, pod, objects in (("a-full", "web-2", REFUSED), ("b-well", "web-1", READY)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "objects.yaml").write_text(objects)
        told = {"title": f"Shows {pod}.", "pod": pod, "namespace": "shop", "paths": ["objects.yaml"]}
        (folder / "scenario.json").write_text(json.dumps(told))
    monkeypatch.setattr(demo, "HOME", tmp_path)
    return tmp_path


def test_the_first_is_shown_with_its_command(run: Run, home: Path) -> None:
    ended = run("demo")
    command = f"whypending pod -n shop web-2 --from {home / 'a-full' / 'objects.yaml'}"
    assert (ended.status, ended.err.splitlines()[0]) == (0, f"$ {command}")
    assert ended.out == run(*command.split()[1:]).out


def test_one_by_name_in_any_form(run: Run, home: Path) -> None:
    ended = run("demo", "b-well", "-o", "json", "--quiet")
    assert (ended.status, json.loads(ended.out)["target"]["name"], ended.err) == (0, "web-1", "")
    assert home.is_dir()


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("name", ["b-we", "B", "2"])
def test_a_start_or_a_number_is_enough(run: Run, name: str) -> None:
    assert run("demo", name).out == run("demo", "b-well").out


@pytest.mark.usefixtures("home")
def test_the_list(run: Run) -> None:
    assert run("demo", "--list") == (0, "a-full  Shows web-2.\nb-well  Shows web-1.\n", "")


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(("name", "hint"), [("c-well", "whypending demo b-well"), ("zzz", "whypending demo --list")])
def test_an_unknown_one(run: Run, name: str, hint: str) -> None:
    assert run("demo", name) == (2, "", f'error: There is no scenario "{name}".\nnext: {hint}\n')


def test_an_installation_without_captures(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "HOME", tmp_path)
    assert run("demo").status == 3
