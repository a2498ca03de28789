"""Which taints the scheduler means: it names them up to 1.34.1; later only the Nodes and tolerations can tell."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from whypending.classifiers.unschedulable._logged import cite, taints
from whypending.classifiers.unschedulable._memo import once
from whypending.classifiers.unschedulable._verdict import Verdict, verdict_of
from whypending.diagnosis import Citation
from whypending.evidence import Evidence, seen
from whypending.messages import Reason, cause_of_taint
from whypending.objects.node import Node, Taint
from whypending.objects.pod import Pod
from whypending.objects.tolerations import first_untolerated, is_cordoned_for

_BLANK = Taint()


class TaintGroup(msgspec.Struct, frozen=True):
    """One taint that refuses nodes: how many, which (as far as read), and whether the scheduler's count agrees.

    A blank taint: the scheduler says that there is one and nothing that was read names it.
    """

    name: str
    taint: Taint
    count: int | None
    nodes: tuple[Node, ...]
    is_proved: bool
    reason: Reason
    logged: tuple[Citation, ...] = ()

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The taint on the first of the nodes; `logged`, where only a log names it."""
        found = next(((n, t) for n in self.nodes for t in n.spec.taints if t.key == self.taint.key), None)
        if found is None:
            return self.logged
        node, taint = found
        field = f"spec.taints[key={taint.key}]"
        return (Citation(object=node.ref, field=field, value=str(taint), at=taint.time_added),)


def spelled(taint: Taint) -> str:
    """A taint as `kubectl taint` takes it; the scheduler's texts have no effect."""
    value = f"={taint.value}" if taint.value else ""
    return f"{taint.key}{value}:{taint.effect}" if taint.effect else f"{taint.key}{value}"


def is_taint(reason: Reason) -> bool:
    """Whether the reason speaks of a taint (not of a condition or of spec.unschedulable)."""
    return reason.cause == "untolerated-taint" or any(k == "taint.key" for k, _ in reason.details)


@once
def taint_groups(evidence: Evidence) -> tuple[TaintGroup, ...]:
    """Every taint that the verdict speaks of."""
    pod, verdict = evidence.the_pod, verdict_of(evidence)
    if pod is None or verdict is None:
        return ()
    reasons = [r for r in verdict.reasons if is_taint(r)]
    if not reasons:
        return ()
    refused = _refused(evidence, pod, verdict)
    named = [r for r in reasons if _key(r)]
    groups = [_named(r, refused) for r in named]
    taken = {g.taint.key for g in groups}
    unnamed = [r for r in reasons if not _key(r)]
    for reason in unnamed[:1]:
        left = [(n, t) for n, t in refused if t.key not in taken]
        groups += _unnamed(reason, left) if left else _logged(evidence, pod, reason)
    return tuple(groups)


def _key(reason: Reason) -> str:
    return next((value for key, value in reason.details if key == "taint.key"), "")


def _refused(evidence: Evidence, pod: Pod, verdict: Verdict) -> list[tuple[Node, Taint]]:
    cordons = any(r.cause == "node-cordoned" and not is_taint(r) for r in verdict.reasons)
    found: list[tuple[Node, Taint]] = []
    for node in seen(evidence.nodes):
        if cordons and is_cordoned_for(node, pod.spec.tolerations):
            continue
        taint = first_untolerated(node, pod.spec.tolerations)
        if taint is not None:
            found.append((node, taint))
    return found


def _named(reason: Reason, refused: Iterable[tuple[Node, Taint]]) -> TaintGroup:
    key = _key(reason)
    value = next((v for k, v in reason.details if k == "taint.value"), "").strip()
    nodes = [(n, t) for n, t in refused if t.key == key and (not value or t.value == value)]
    taint = nodes[0][1] if nodes else Taint(key=key, value=value)
    return TaintGroup(cause_of_taint(key), taint, reason.count, tuple(n for n, _ in nodes), True, reason)  # noqa: FBT003


def _logged(evidence: Evidence, pod: Pod, reason: Reason) -> list[TaintGroup]:
    """As the scheduler's log at -v=4 names them; a blank taint where it does not."""
    found = list(taints(evidence, pod))
    if not found:
        return [TaintGroup("untolerated-taint", _BLANK, reason.count, (), False, reason)]  # noqa: FBT003
    agrees = reason.count is None or reason.count == sum(len(lines) for _, lines in found)
    return [
        TaintGroup(cause_of_taint(taint.key), taint, len(lines), (), agrees, reason, (cite(lines[-1].line),))
        for taint, lines in found
    ]


def _unnamed(reason: Reason, refused: list[tuple[Node, Taint]]) -> list[TaintGroup]:
    kinds: dict[tuple[str, str, str], list[tuple[Node, Taint]]] = {}
    for node, taint in refused:
        kinds.setdefault((taint.key, taint.value, taint.effect), []).append((node, taint))
    agrees = reason.count is None or reason.count == len(refused)
    return [
        TaintGroup(cause_of_taint(key), found[0][1], len(found), tuple(n for n, _ in found), agrees, reason)
        for (key, _, _), found in kinds.items()
    ]
