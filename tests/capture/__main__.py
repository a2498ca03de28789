"""`python -m tests.capture [WORD…]`: fixtures from the real cluster, for each scenario of tests/live with a WORD."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from tests import update_expected
from tests.capture.folder import capture, folder_of
from tests.capture.stage import EVERY, staged
from tests.cases import fixtures
from tests.cluster.base import file_lock

HOME = Path(tempfile.gettempdir()) / "whypending-capture"
"""Always the same, as some messages name a file of the node."""


def main(words: list[str]) -> int:
    """Capture; 1 if a state was not reached, or files answer otherwise than the cluster or the scenario."""
    chosen = [s for s in EVERY if not words or any(w in s.id for w in words)]
    done, failed = [], False
    with file_lock("capture"):
        shutil.rmtree(HOME, ignore_errors=True)
        for cluster, scenario, namespace in staged(HOME, chosen):
            differs = capture(cluster, scenario, namespace)
            sys.stderr.write(f"{scenario.id}: {differs or 'captured'}\n")
            failed = failed or bool(differs)
            done.append(str(folder_of(scenario)))
        shutil.rmtree(HOME, ignore_errors=True)
    if not words:
        _forget_the_gone()
    failed = failed or len(done) < len(chosen)
    return max(update_expected.main(done) if done else 0, int(failed))


def _forget_the_gone() -> None:
    """Captures of scenarios that are no more."""
    wanted = {folder_of(s) for s in EVERY}
    for case in fixtures():
        if case.meta["made"] == "captured" and case.folder not in wanted:
            shutil.rmtree(case.folder)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
