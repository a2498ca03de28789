"""A file that ends in the middle says so, whether or not what is left of it can be read."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.cli.objects import REFUSED
from whypending.errors import UnreadableFileError
from whypending.sources.files import FilesSource

LIST = {"apiVersion": "v1", "items": list(yaml.safe_load_all(REFUSED)), "kind": "List", "metadata": {}}
TEXT = yaml.safe_dump(LIST)


def _remarks(path: Path, text: str) -> str:
    path.write_text(text)
    try:
        return " ".join(FilesSource.open([str(path)], None).notes)
    except UnreadableFileError as error:
        return str(error)


@pytest.mark.parametrize("part", [0.3, 0.5, 0.7, 0.9])
def test_a_list_without_its_end(tmp_path: Path, part: float) -> None:
    assert "cut off" in _remarks(tmp_path / "pods.yaml", TEXT[: int(len(TEXT) * part)])


def test_a_whole_list_is_not_suspected(tmp_path: Path) -> None:
    assert "cut off" not in _remarks(tmp_path / "pods.yaml", TEXT)
    assert "cut off" not in _remarks(tmp_path / "docs.yaml", REFUSED)
