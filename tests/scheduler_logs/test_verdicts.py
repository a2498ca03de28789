"""What a log adds to a scheduler's own refusal: the taint that the message leaves out, and errors that name the Pod.

The lines are those of kube-scheduler 1.37.2 at -v=5, with the names of the fixtures' Pods.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.cases import evidence_of, fixtures
from whypending.diagnosis import Confidence, Finding
from whypending.engine import diagnose
from whypending.evidence import Evidence
from whypending.scheduler_logs import lines_of

CASES = {case.id: case for case in fixtures()}
BLIND = "untolerated-taint/blind-taint-not-named"


def refusal(pod: str, node: str, key: str = "gpu") -> str:
    return (
        'I0914 03:08:34.337764       1 taint_toleration.go:132] "node had untolerated taints" '
        f'logger="FilterWithNominatedPods.Filter.TaintToleration" pod="{pod}" node="{node}" '
        f'untoleratedTaint={{"key":"{key}","value":"yes","effect":"NoSchedule"}}'
    )


def logged(evidence: Evidence, *texts: str) -> Evidence:
    lines = tuple(lines_of(texts, "kube-scheduler.log", evidence.now))
    return msgspec.structs.replace(evidence, logs=lines)


def first(evidence: Evidence, name: str) -> Finding:
    return next(f for f in diagnose(evidence, strict=True).findings if f.name == name)


@pytest.fixture(scope="module")
def blind() -> Evidence:
    """A Pod that three nodes refuse for a taint that neither the message nor a Node that was read names."""
    return evidence_of(CASES[BLIND])


def taints(evidence: Evidence, *nodes: str) -> Finding:
    pod = evidence.the_pod
    assert pod is not None
    path = f"{pod.namespace}/{pod.name}"
    return first(logged(evidence, *(refusal(path, n) for n in nodes)), "untolerated-taint")


def test_the_log_names_the_taint(blind: Evidence) -> None:
    assert "does not name it" in first(blind, "untolerated-taint").message
    found = taints(blind, "n1", "n2", "n3", "n3")
    assert "the taint gpu=yes:NoSchedule" in found.message
    assert any(c.object == "log kube-scheduler.log" and c.field == "line 4" for c in found.citations)


def test_a_log_of_fewer_nodes_is_less_sure(blind: Evidence) -> None:
    assert taints(blind, "n1").confidence is Confidence.LIKELY


def test_what_another_pod_was_refused_for_is_not_taken(blind: Evidence) -> None:
    other = logged(blind, refusal("shop/other", "n1"))
    assert first(other, "untolerated-taint") == first(blind, "untolerated-taint")


@pytest.mark.parametrize(
    "cause", ["scheduler-internal-error/hit-bind-conflict", "scheduler-extender-unreachable/hit-name-does-not-resolve"]
)
def test_errors_that_name_the_pod_are_quoted(cause: str) -> None:
    evidence: Any = evidence_of(CASES[cause])
    path = f"{evidence.the_pod.namespace}/{evidence.the_pod.name}"
    told = f'E0914 03:08:34.337764       1 schedule_one.go:1200] "Error scheduling pod; retrying" pod="{path}" err="no"'
    found = first(logged(evidence, told, told.replace(path, "shop/other")), cause.partition("/")[0])
    assert [c.value for c in found.citations if c.object.startswith("log ")] == [told]
