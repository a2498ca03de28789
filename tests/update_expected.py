"""Rewrite expected.json of the fixtures below the given folders; then read the diff line by line.

`python -m tests.update_expected tests/fixtures/oom-killed`
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.cases import fixtures, judge, names_of
from tests.normal import expected_text


def main(folders: list[str]) -> int:
    wanted = [Path(f).resolve() for f in folders] or [Path(__file__).parent.resolve()]
    differing = 0
    for case in fixtures():
        if not any(case.folder.resolve().is_relative_to(w) for w in wanted):
            continue
        diagnosis = judge(case)
        if diagnosis.triage != case.triage or names_of(diagnosis) != case.causes:
            differing += 1
            print(f"{case.id}: {diagnosis.triage} {list(names_of(diagnosis))}, but meta.yaml expects "
                  f"{case.triage} {list(case.causes)}", file=sys.stderr)  # fmt: skip
            continue
        (case.folder / "expected.json").write_text(expected_text(diagnosis, case.folder))
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
