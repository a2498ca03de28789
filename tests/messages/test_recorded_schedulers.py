"""What kube-scheduler 1.30 to 1.37 said in known situations, taken apart: the facts of the situation come back."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tests.capture.situations import SITUATIONS, Situation
from whypending.messages import SchedulingMessage, parse_scheduling_message

HOME = Path(__file__).parents[1] / "recorded"
RELEASES = {path.stem: yaml.safe_load(path.read_text()) for path in sorted(HOME.glob("*.yaml"))}
BRACES_UP_TO = (1, 34, 1)


class Said(NamedTuple):
    """One recording and the situation that it is of."""

    release: str
    situation: Situation
    told: dict[str, Any]

    @property
    def family(self) -> str:
        return self.situation.family or ("braces" if self.number <= BRACES_UP_TO else "current")

    @property
    def number(self) -> tuple[int, ...]:
        return tuple(map(int, self.release.split(".")))

    @property
    def causes(self) -> dict[str, int | None]:
        """Without braces a taint's key is not told, so that any taint is a taint."""
        if self.release in self.situation.silent:
            return {}
        told = dict(self.situation.causes)
        if self.family != "braces" and "control-plane-taint" in told:
            told["untolerated-taint"] = (told["untolerated-taint"] or 0) + (told.pop("control-plane-taint") or 0)
        return told

    @property
    def rest(self) -> str:
        """From 1.34 on, PostFilter's error stands behind a PreFilter's refusal."""
        return "not found" if self.family == "prefilter" and self.number >= (1, 34) else ""


BY_NAME = {situation.name: situation for situation in SITUATIONS}
SAID = [
    Said(release, BY_NAME[told["situation"]], told)
    for release, recorded in RELEASES.items()
    for told in recorded["messages"]
]


def test_each_situation_is_recorded_with_each_release() -> None:
    assert set(RELEASES) == {"1.30.14", "1.32.13", "1.34.4", "1.37.2"}
    assert all({m["situation"] for m in recorded["messages"]} == set(BY_NAME) for recorded in RELEASES.values())
    assert {recorded["scheduler"] for recorded in RELEASES.values()} == {f"v{release}" for release in RELEASES}


@pytest.mark.parametrize("said", SAID, ids=lambda s: f"{s.release}-{s.situation.name}")
@pytest.mark.parametrize("where", ["condition", "event"])
def test_the_facts_of_the_situation_come_back(said: Said, where: str) -> None:
    message = parse_scheduling_message(_text(said, where))
    counts = {r.cause: r.count for r in message.reasons}
    assert message.family == said.family
    assert (counts, len(message.reasons)) == (said.causes, len(said.causes))
    assert (message.nodes_available, message.nodes_total) == _nodes(said)
    assert (message.rest, message.truncated) == (said.rest, False)
    assert _preemption_is_told(message)


def _text(said: Said, where: str) -> str:
    text = said.told["event"] if where == "event" else said.told["condition"]["message"]
    assert isinstance(text, str)
    return text


def _nodes(said: Said) -> tuple[int | None, int | None]:
    return (0, len(said.situation.nodes)) if said.situation.nodes else (None, None)


def _preemption_is_told(message: SchedulingMessage) -> bool:
    """Counts of nodes that add up to all of them, except where PostFilter failed or had no Node to look at."""
    if not message.preemption:
        return message.rest == "not found" or message.nodes_total is None
    counted = [r for r in message.preemption if r.count is not None]
    others = {r.text for r in message.preemption if r.count is None}
    assert {r.cause for r in counted} == {"preemption-not-possible"}
    assert others <= {"no new claims to deallocate"}
    return sum(r.count or 0 for r in counted) == message.preemption_total == message.nodes_total
