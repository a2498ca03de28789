"""Cases as folders: fixtures of this tree and, where they are there, the reports in ../shared/cases.

`python -m tests.cases [WORD…]` judges those whose path has one of the words and prints what differs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import yaml

from whypending.collectors import collect
from whypending.diagnosis import Diagnosis
from whypending.engine import diagnose
from whypending.evidence import Evidence
from whypending.sources.files import FilesSource

ROOT = Path(__file__).parent
FIXTURES = ROOT / "fixtures"
SHARED = ROOT.parent.parent / "shared" / "cases"
NOT_INPUTS = {"meta.yaml", "expected.yaml", "expected.json", "manifest.yaml"}


@dataclass(frozen=True)
class Case:
    """One folder: what to read, at what time, about whom, and what is expected."""

    folder: Path
    target: dict[str, str]
    now: datetime
    triage: str
    causes: tuple[str, ...]
    meta: dict[str, Any]

    @property
    def id(self) -> str:
        return "/".join(self.folder.parts[-2:])

    @property
    def inputs(self) -> list[str]:
        found = [p for p in sorted(self.folder.iterdir()) if p.name not in NOT_INPUTS]
        return [str(p) for p in found]


def fixtures() -> list[Case]:
    return [_case(p.parent, p, "expect") for p in sorted(FIXTURES.glob("*/*/meta.yaml"))]


def shared_cases() -> list[Case]:
    return [_case(p.parent, p, None) for p in sorted(SHARED.glob("*/expected.yaml"))] if SHARED.is_dir() else []


def _case(folder: Path, path: Path, key: str | None) -> Case:
    meta = yaml.safe_load(path.read_text())
    expected = meta[key] if key else meta
    now = datetime.fromisoformat(str(meta["observedAt"]))
    return Case(folder, meta["target"], now, expected["triage"], tuple(expected.get("causes") or ()), meta)


def evidence_of(case: Case) -> Evidence:
    source = FilesSource.open(case.inputs, now=case.now)
    target = case.target
    return collect(source, target.get("kind", "Pod"), target.get("namespace", ""), target["name"])


def judge(case: Case) -> Diagnosis:
    return diagnose(evidence_of(case), strict=True)


def names_of(diagnosis: Diagnosis) -> tuple[str, ...]:
    return tuple(f.name for f in diagnosis.findings)


def _lines(words: list[str]) -> Iterator[str]:
    for case in (*fixtures(), *shared_cases()):
        if words and not any(w in str(case.folder) for w in words):
            continue
        try:
            diagnosis = judge(case)
        except Exception as error:  # noqa: BLE001 - the table must go on
            yield f"CRASH  {case.id}: {type(error).__name__}: {error}"
            continue
        got, want = names_of(diagnosis), case.causes
        first = got[:1] == want[:1]
        grade = "ok    " if diagnosis.triage == case.triage and got == want else "first " if first else "WRONG "
        if diagnosis.triage != case.triage:
            grade = "TRIAGE"
        yield f"{grade} {case.id}: {diagnosis.triage} {list(got)} ({diagnosis.confidence})\n       {diagnosis.summary}"
        if grade != "ok    ":
            yield f"       wanted {case.triage} {list(want)}"


if __name__ == "__main__":
    for line in _lines(sys.argv[1:]):
        print(line)
