"""The verdict's reasons by cause: counts, role among the other reasons, proof, and the rest of the picture."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from whypending.classifiers.unschedulable._memo import once
from whypending.classifiers.unschedulable._order import rank
from whypending.classifiers.unschedulable._pinned import of_others, pinned_to
from whypending.classifiers.unschedulable._taints import TaintGroup, is_taint, spelled, taint_groups
from whypending.classifiers.unschedulable._verdict import Verdict, verdict_of
from whypending.classifiers.unschedulable._words import nodes, unique
from whypending.diagnosis import Citation, Confidence, Role
from whypending.evidence import Evidence
from whypending.messages import Reason
from whypending.objects.pod import Pod
from whypending.patterns import Pattern

DOWN = frozenset({"cloud-provider-uninitialized", "node-unreachable", "node-not-ready"})
"""Causes of nodes that can't run any Pod now: they lead only where they hold half of the nodes back."""
_IN_PASSING = frozenset({"gang-not-ready"})
"""Causes that follow from another where another one was found."""
_SHOWN = 5
_VOLCANO = Pattern(r"^plugin \S{1,80} predicates failed,? ?")


class Told(msgspec.Struct, frozen=True):
    """One cause in the verdict.

    count: nodes held back by it, None where the text has no count. tail: empty but for the first cause, where it is
    `; elsewhere: 9 Insufficient cpu`, the rest of the verdict in the scheduler's words (`; it also counts: …` where
    the counts are of more reasons than nodes, so that one node may have several). pinned: the one node that a
    DaemonSet's Pod may use, where this reason is that node's.
    """

    name: str
    pod: Pod
    verdict: Verdict
    reasons: tuple[Reason, ...]
    count: int | None
    taints: tuple[TaintGroup, ...] = ()
    role: Role = Role.CAUSE
    confidence: Confidence = Confidence.PROVED
    tail: str = ""
    pinned: str = ""

    @property
    def total(self) -> int | None:
        """How many nodes the scheduler counted."""
        return self.verdict.total

    @property
    def subject(self) -> str:
        """`9 of 12 nodes`."""
        if self.pinned:
            return f"node {self.pinned}, to which the Pod is pinned,"
        return nodes(self.count, self.total)

    @property
    def is_one(self) -> bool:
        """Whether the subject is singular."""
        return bool(self.pinned) or self.count == 1 or (self.count is None and self.total == 1)

    def verb(self, one: str, many: str) -> str:
        """The form that goes with the subject."""
        return one if self.is_one else many

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The verdict, and a taint as its node shows it."""
        return (*self.verdict.citations, *(c for group in self.taints for c in group.citations))

    @property
    def words(self) -> str:
        """The scheduler's own words for this cause."""
        return "; ".join(unique(r.text for r in self.reasons))

    @property
    def is_beyond_preemption(self) -> bool:
        """The scheduler says of every node that ending Pods there would not help."""
        said = self.verdict.message.preemption
        return bool(said) and all("not helpful" in r.text.lower() for r in said)

    def fact(self, name: str) -> str:
        """A named fact out of the reasons, empty if none has it."""
        return next((v for r in self.reasons for k, v in r.details if k == name), "")

    def facts(self, name: str) -> tuple[str, ...]:
        """All values of a named fact, each once."""
        return unique(v for r in self.reasons for k, v in r.details if k == name)


@once
def told_all(evidence: Evidence) -> tuple[Told, ...]:
    """Every cause that the verdict speaks of, what decides most first."""
    pod, verdict = evidence.the_pod, verdict_of(evidence)
    if pod is None or verdict is None:
        return ()
    found = sorted(_collect(evidence, pod, verdict), key=lambda t: rank(t.name))
    others = of_others(evidence, [t.name for t in found])
    pinned = pinned_to(evidence)
    stray = pinned is not None and pinned.exists is False
    ranked = [msgspec.structs.replace(t, role=_role(t, found, others, is_stray=stray)) for t in found]
    if pinned and len(ranked) > 1:
        ranked = [t for t in ranked if t.name != "node-selector-mismatch" or t.role is Role.CAUSE]
    first = next((t for t in ranked if t.role is Role.CAUSE), None)
    doubtful = pinned is not None and sum(t.role is Role.CAUSE for t in ranked) > 1
    unseen = pinned is not None and pinned.node is None and len(found) > 1
    groups = taint_groups(evidence)
    tails = (_elsewhere(t, groups) if t is first else "" for t in ranked)
    node = pinned.name if pinned else ""
    return tuple(
        _finish(t, tail, node, is_doubtful=doubtful, is_unseen=unseen) for t, tail in zip(ranked, tails, strict=True)
    )


def _collect(evidence: Evidence, pod: Pod, verdict: Verdict) -> list[Told]:
    groups: dict[str, list[TaintGroup]] = {}
    for group in taint_groups(evidence):
        groups.setdefault(group.name, []).append(group)
    plain: dict[str, list[Reason]] = {}
    for reason in verdict.reasons:
        if reason.cause and not is_taint(reason):
            plain.setdefault(reason.cause, []).append(reason)
    return [
        _told(name, pod, verdict, plain.get(name, []), groups.get(name, []))
        for name in dict.fromkeys((*plain, *groups))
    ]


def _told(name: str, pod: Pod, verdict: Verdict, plain: list[Reason], groups: list[TaintGroup]) -> Told:
    counts = [*(_count(r) for r in plain), *(g.count for g in groups)]
    proved = all(g.is_proved or not g.taint.key for g in groups)
    return Told(
        name=name,
        pod=pod,
        verdict=verdict,
        reasons=(*plain, *(g.reason for g in groups)),
        count=_total(counts, verdict.total),
        taints=tuple(groups),
        confidence=Confidence.PROVED if proved else Confidence.LIKELY,
    )


def _count(reason: Reason) -> int | None:
    return 1 if reason.count is None and reason.node else reason.count


def _total(counts: Iterable[int | None], limit: int | None) -> int | None:
    known = [c for c in counts if c is not None]
    if not known:
        return None
    return sum(known) if limit is None else min(sum(known), max(limit, *known))


def _role(this: Told, every: list[Told], others: frozenset[str], *, is_stray: bool) -> Role:
    if this.name == "node-selector-mismatch" and is_stray:
        return Role.CONTRIBUTING
    if len(every) == 1:
        return Role.CAUSE
    if this.name in others or this.name in _IN_PASSING:
        return Role.CONTRIBUTING
    if this.name in DOWN and not all(t.name in DOWN | others for t in every):
        most = this.total or sum(t.count or 0 for t in every)
        return Role.CAUSE if this.count is None or 2 * this.count >= most else Role.CONTRIBUTING
    return Role.CAUSE


def _finish(this: Told, tail: str, node: str, *, is_doubtful: bool, is_unseen: bool) -> Told:
    """Which reason is the pinned node's own is a guess where that Node was not read."""
    if this.role is not Role.CAUSE:
        return msgspec.structs.replace(this, tail=tail)
    confidence = Confidence.LIKELY if is_doubtful or is_unseen else this.confidence
    pinned = node if node and not is_doubtful and _counts_nodes(this) else ""
    return msgspec.structs.replace(this, confidence=confidence, tail=tail, pinned=pinned)


def _counts_nodes(this: Told) -> bool:
    return any(r.count is not None or r.node for r in this.reasons)


def _elsewhere(this: Told, groups: Iterable[TaintGroup]) -> str:
    named = [g for g in groups if g.taint.key and g.count is not None]
    own = [id(r) for r in (*this.reasons, *(g.reason for g in named))]
    others: dict[str, int] = {}
    for reason in this.verdict.reasons:
        count = _count(reason)
        if count is not None and id(reason) not in own:
            others[_plain(reason.text)] = others.get(_plain(reason.text), 0) + count
    tainted = (f"{g.count} with the taint {spelled(g.taint)}" for g in named if g.name != this.name)
    texts = unique((*(f"{count} {text}" for text, count in others.items()), *tainted))
    more = ("and more",) if len(texts) > _SHOWN else ()
    head = "elsewhere" if _is_apart(this.verdict) else "the scheduler also counts"
    return f"; {head}: {', '.join((*texts[:_SHOWN], *more))}" if texts else ""


def _is_apart(verdict: Verdict) -> bool:
    """Whether each node was counted once: no Filter but the one for resources gives a node two reasons."""
    if verdict.total is None:
        return all(r.node for r in verdict.reasons if _count(r) is not None)
    return sum(_count(r) or 0 for r in verdict.reasons) <= verdict.total


def _plain(text: str) -> str:
    return _VOLCANO.sub("", text)
