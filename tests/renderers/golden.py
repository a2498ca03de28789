"""Whole outputs of the samples, kept as files: `python -m tests.renderers.golden` rewrites them for review."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tests.renderers.samples import SAMPLES
from whypending.renderers import Format, render
from whypending.renderers.layout import Canvas

HOME = Path(__file__).parent / "golden"


class Shot(NamedTuple):
    """One sample in one form on one canvas."""

    sample: str
    form: Format
    canvas: Canvas

    @property
    def path(self) -> Path:
        width = self.canvas.width or "pipe"
        marks = "" if self.canvas.unicode else "-ascii"
        return HOME / f"{self.sample}-{self.form}-{width}{'-color' if self.canvas.color else ''}{marks}.txt"

    @property
    def text(self) -> str:
        return render(SAMPLES[self.sample], self.form, self.canvas)


SHOTS = (
    *(Shot(sample, Format.TEXT, Canvas(80)) for sample in SAMPLES),
    Shot("secret-key", Format.TEXT, Canvas(40)),
    Shot("secret-key", Format.TEXT, Canvas(None)),
    Shot("secret-key", Format.TEXT, Canvas(80, color=True)),
    Shot("secret-key", Format.TEXT, Canvas(80, unicode=False)),
    Shot("secret-key", Format.WIDE, Canvas(160)),
    Shot("secret-key", Format.JSON, Canvas()),
    Shot("secret-key", Format.YAML, Canvas()),
    Shot("unschedulable", Format.WIDE, Canvas(80)),
    Shot("hostile", Format.WIDE, Canvas(80, color=True)),
    Shot("hostile", Format.YAML, Canvas()),
    Shot("hostile", Format.NDJSON, Canvas()),
)

if __name__ == "__main__":
    for shot in SHOTS:
        shot.path.write_text(shot.text, encoding="utf-8")
