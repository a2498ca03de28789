"""Which Pods are asked for metrics, and on which port; what is said where nothing can be asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import msgspec
import pytest

from tests.metrics.fake_forward import CA, TOKEN, cluster
from tests.metrics.kit import NOW
from whypending.collectors import metrics
from whypending.evidence import NOT_READ, Evidence, Gap, GapReason, Known, Target
from whypending.objects.base import ObjectMeta
from whypending.objects.container import Container, HTTPGetAction, Probe
from whypending.objects.pod import Pod, PodSpec, PodStatus
from whypending.sources.base import Query
from whypending.sources.live import LiveSource
from whypending.sources.live.access import Access
from whypending.sources.metrics import Wanted
from whypending.sources.snapshot import RecordingSource


class Cluster(LiveSource):
    """A live source whose reads are answered from here; what goes beyond reading goes to `fake`."""

    def __init__(self, url: str, pods: Known[Pod]) -> None:
        super().__init__(Access(server=url, authorization="Bearer mine"), timeout=5, request_timeout=2)
        self._pods = pods
        self.queries: list[Query[Any]] = []

    @property
    def now(self) -> datetime:
        return NOW

    def read(self, query: Query[Any]) -> Known[Any]:
        self.queries.append(query)
        return self._pods if query.kind.kind == "Pod" else ()

    def gather(self, calls: Sequence[Callable[[], Any]]) -> list[Any]:
        return [call() for call in calls]


def scheduler(name: str = "kube-scheduler-n1", phase: str = "Running", **container: Any) -> Pod:
    labels = {"component": "kube-scheduler"} if name.startswith("kube") else {}
    return Pod(
        metadata=ObjectMeta(name=name, namespace="kube-system", labels=labels),
        spec=PodSpec(containers=(Container(name="s", **container),)),
        status=PodStatus(phase=phase),
    )


def evidence(scheduler_pods: Known[Pod] = NOT_READ, name: str = "default-scheduler") -> Evidence:
    mine = Pod(metadata=ObjectMeta(name="web", namespace="shop"), spec=PodSpec(scheduler_name=name))
    target = Target(namespace="shop", name="web")
    return Evidence(target=target, now=NOW, source="live", pod=(mine,), scheduler_pods=scheduler_pods)


def wanted(**more: Any) -> Wanted:
    return Wanted(**{"service_account": "ops/reader", "ca": CA, "timeout": 5, "request_timeout": 2, **more})


def failed(found: Evidence) -> Gap:
    assert isinstance(found.metrics, Gap), found.metrics
    return found.metrics


@pytest.mark.parametrize(
    ("container", "port"),
    [
        ({}, "10259"),
        ({"command": ("kube-scheduler", "--secure-port=19259")}, "19259"),
        ({"args": ("--v=2", "--secure-port=0")}, "10259"),
        ({"liveness_probe": Probe(http_get=HTTPGetAction(port=10260, scheme="HTTPS"))}, "10260"),
        ({"liveness_probe": Probe(http_get=HTTPGetAction(port=8080))}, "10259"),
        ({"readiness_probe": Probe(http_get=HTTPGetAction(port="https", scheme="HTTPS"))}, "10259"),
    ],
)
def test_the_port(container: dict[str, Any], port: str) -> None:
    with cluster() as fake:
        found = metrics.add(Cluster(fake.url, (scheduler(**container),)), evidence(), wanted())
    assert [f["path"].rpartition("=")[2] for f in fake.forwards] == [port]
    assert not isinstance(found.metrics, Gap)


def test_the_pods_of_the_evidence_are_not_read_again() -> None:
    with cluster() as fake:
        source = Cluster(fake.url, ())
        metrics.add(source, evidence((scheduler(),)), wanted())
    assert source.queries == []
    assert len(fake.forwards) == 1


def test_only_pods_that_run_are_asked_and_the_targets_own_first() -> None:
    pods = (scheduler("kube-scheduler-n1"), scheduler("mine-1"), scheduler("other-1"), scheduler("mine-0", "Pending"),
            scheduler("mine-2"), scheduler("z"))  # fmt: skip
    with cluster() as fake:
        found = metrics.add(Cluster(fake.url, ()), evidence(pods, "mine"), wanted())
    assert [f["path"].split("/")[6] for f in fake.forwards] == ["mine-1", "mine-2", "kube-scheduler-n1"]
    assert not isinstance(found.metrics, Gap)
    assert len(found.metrics) == 3


@pytest.mark.parametrize("pods", [(), (scheduler(phase="Pending"),)])
def test_no_scheduler_runs_as_a_pod(pods: tuple[Pod, ...]) -> None:
    with cluster() as fake:
        gap = failed(metrics.add(Cluster(fake.url, pods), evidence(), wanted()))
    assert (gap.reason, "No Pod of a scheduler runs here" in gap.detail) == (GapReason.UNSUPPORTED, True)
    assert "--prometheus URL" in gap.grant


def test_pods_that_may_not_be_listed() -> None:
    refused = Gap(what="the Pods", reason=GapReason.FORBIDDEN, detail="you may not", grant="list pods")
    with cluster() as fake:
        gap = failed(metrics.add(Cluster(fake.url, refused), evidence(), wanted()))
    assert (gap.reason, gap.grant) == (GapReason.FORBIDDEN, "list pods")
    assert gap.detail == "The scheduler's Pod could not be looked up: you may not."


def test_without_a_token_nobody_is_asked() -> None:
    with cluster(refuse_token=403) as fake:
        gap = failed(metrics.add(Cluster(fake.url, (scheduler(),)), evidence(), wanted()))
    assert fake.forwards == []
    assert "serviceaccounts/token" in gap.grant


def test_a_token_for_a_url() -> None:
    with cluster() as fake:
        url = f"https://localhost:{fake.backend}/metrics"
        found = metrics.add(Cluster(fake.url, ()), evidence(), wanted(url=url))
    assert not isinstance(found.metrics, Gap)
    assert [scrape.origin for scrape in found.metrics] == [url]
    assert TOKEN not in repr(found)


def test_of_two_replicas_one_does_not_answer() -> None:
    pods = (scheduler("kube-scheduler-n1"), scheduler("kube-scheduler-n2"))
    with cluster(error=b"no route", dead="n2") as fake:
        found = metrics.add(Cluster(fake.url, ()), evidence(pods), wanted())
    assert not isinstance(found.metrics, Gap)
    (scrape,) = found.metrics
    assert "kube-scheduler-n1" in scrape.origin
    assert ["kube-scheduler-n2" in w and "no route" in w for w in scrape.warnings] == [True]


def test_what_was_not_asked_for_is_not_read() -> None:
    with cluster() as fake:
        found = metrics.add(Cluster(fake.url, (scheduler(),)), evidence(), None)
    assert found.metrics is NOT_READ
    assert (fake.bodies, fake.forwards) == ([], [])


def test_a_recorder_keeps_what_it_is_given() -> None:
    with cluster() as fake:
        source = Cluster(fake.url, (scheduler(),))
        recording = RecordingSource(source)
        recording.keep_metrics(metrics.add(source, evidence(), wanted()).metrics)
        saved = recording.files()["metrics.json"]
    assert len(msgspec.json.decode(saved)[0]["samples"]) > 100
    assert TOKEN.encode() not in saved
