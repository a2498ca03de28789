from __future__ import annotations

import pytest

from tests.renderers.golden import HOME, SHOTS, Shot


@pytest.mark.parametrize("shot", SHOTS, ids=lambda shot: shot.path.stem)
def test_output_is_as_reviewed(shot: Shot) -> None:
    assert shot.text == shot.path.read_text(encoding="utf-8")


def test_no_output_is_left_over() -> None:
    assert {path.name for path in HOME.iterdir()} == {shot.path.name for shot in SHOTS}
