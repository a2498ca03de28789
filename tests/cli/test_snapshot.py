from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.mark.parametrize("words", [("web-2",), ("pod", "web-2"), ("pod/web-2",)])
def test_a_snapshot_gives_the_same_report(run: Run, dump: str, tmp_path: Path, words: tuple[str, ...]) -> None:
    file = str(tmp_path / "evidence.tar.gz")
    ended = run("snapshot", *words, "--from", dump, "-o", file)
    assert (ended.status, ended.out) == (0, "")
    assert f"Read it with: whypending pod -n shop web-2 --from {file}\n" in ended.err
    one, two = run("pod", "web-2", "--from", dump, "--quiet"), run("pod", "web-2", "--from", file, "--quiet")
    assert one.out.splitlines()[:-1] == two.out.splitlines()[:-1]
    assert (one.status, two.status) == (1, 1)


def test_it_says_what_is_not_in_it(run: Run, dump: str, tmp_path: Path) -> None:
    told = run("snapshot", "web-2", "--from", dump, "-o", str(tmp_path / "f.tgz")).err
    assert "Secrets and environment values are left out." in told
    assert "Not in it, as it could not be read: " in told


def test_it_overwrites_only_by_force(run: Run, dump: str, tmp_path: Path) -> None:
    file = tmp_path / "f.tgz"
    file.write_text("mine")
    refused = run("snapshot", "web-2", "--from", dump, "-o", str(file))
    assert (refused.status, file.read_text()) == (2, "mine")
    assert run("snapshot", "web-2", "--from", dump, "-o", str(file), "--force", "--quiet") == (0, "", "")


def test_the_file_is_asked_for(run: Run) -> None:
    ended = run("snapshot", "web-2")
    assert (ended.status, ended.err.splitlines()[0]) == (2, "error: Missing option '-o' / '--output'.")


def test_the_name_is_asked_for(run: Run) -> None:
    ended = run("snapshot", "-o", "f.tgz")
    assert ended.err.endswith("next: whypending snapshot -o f.tgz NAME, or whypending snapshot -o f.tgz deploy/NAME\n")
