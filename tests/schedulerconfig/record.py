"""`python -m tests.schedulerconfig.record RELEASE…`: what real kube-schedulers make of the kept seeds, into recorded/.

1.37.2 is asked again by tests/live/test_config.py; the earlier ones take minutes to build, so their answers are kept.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from tests.cluster.build import CONTROL_PLANE, RELEASE, build, old_scheduler_module
from tests.schedulerconfig.generate import generate
from tests.schedulerconfig.real import Outcome, Plugins, ask
from whypending.schedulerconfig import parse_release

FOLDER = Path(__file__).parent / "recorded"
SEEDS = range(80)


def binary(release: str) -> Path:
    """The kube-scheduler of a release, built now if it is not there yet."""
    module = CONTROL_PLANE if release == RELEASE else old_scheduler_module(release)
    return build(module) / "kube-scheduler"


def minor_of(release: str) -> int:
    """`1.30.14` -> 30."""
    found = parse_release(release, "")
    assert found
    return found.minor


def record(release: str) -> None:
    """Write one release's answers: the plugins by default, and by seed an error or what differs from the default."""
    asked, minor = binary(release), minor_of(release)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        default = ask(asked, generate_default(), folder).profiles[0]
        answers = {str(seed): _short(ask(asked, generate(seed, minor), folder), default) for seed in SEEDS}
    FOLDER.mkdir(exist_ok=True)
    text = json.dumps({"release": release, "default": default, "answers": answers}, indent=1)
    (FOLDER / f"{release}.json").write_text(text + "\n")


def generate_default() -> str:
    """A configuration that says nothing."""
    return "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"


def recorded(release: str) -> tuple[Plugins, dict[int, Outcome]]:
    """The plugins by default, and the outcome of each kept seed."""
    kept = json.loads((FOLDER / f"{release}.json").read_text())
    return kept["default"], {int(seed): _long(answer, kept["default"]) for seed, answer in kept["answers"].items()}


def _short(outcome: Outcome, default: Plugins) -> str | list[dict[str, list[str]]]:
    if outcome.error:
        return outcome.error
    points = [sorted({**default, **profile}) for profile in outcome.profiles]
    return [
        {p: profile.get(p, []) for p in known if profile.get(p) != default.get(p)}
        for known, profile in zip(points, outcome.profiles, strict=True)
    ]


def _long(answer: str | list[dict[str, list[str]]], default: Plugins) -> Outcome:
    if isinstance(answer, str):
        return Outcome([], answer)
    return Outcome([{p: names for p, names in {**default, **changed}.items() if names} for changed in answer])


if __name__ == "__main__":
    for each in sys.argv[1:]:
        record(each)
