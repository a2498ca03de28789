"""`python -m tests.capture [WORD…]`: fixtures from the real cluster, for each scenario of tests/live with a WORD."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests import update_expected
from tests.capture.folder import capture
from tests.capture.stage import EVERY, staged
from tests.cases import FIXTURES


def main(words: list[str]) -> int:
    """Capture; 1 if a state was not reached, or files answer otherwise than the cluster or the scenario."""
    chosen = [s for s in EVERY if not words or any(w in s.id for w in words)]
    done, failed = [], False
    with tempfile.TemporaryDirectory(prefix="capture-") as root:
        for cluster, scenario, namespace in staged(Path(root), chosen):
            differs = capture(cluster, scenario, namespace)
            sys.stderr.write(f"{scenario.id}: {differs or 'captured'}\n")
            failed = failed or bool(differs)
            done.append(str(FIXTURES / scenario.cause / f"hit-{scenario.slug}"))
    failed = failed or len(done) < len(chosen)
    return max(update_expected.main(done) if done else 0, int(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
