"""Metrics of the schedulers that matter to one target, where the user asks for them or a snapshot holds them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import msgspec

from whypending.collectors.schedulers import DEFAULT_LABELS, SYSTEM, processes, runs_scheduler
from whypending.evidence import NOT_READ, Evidence, Gap, GapReason, Known, Scrape, is_known, seen
from whypending.objects.container import Container
from whypending.objects.kinds import PODS
from whypending.objects.pod import Pod
from whypending.patterns import Pattern
from whypending.sources.base import KeepsMetrics, Query, Source
from whypending.sources.metrics.gaps import gap
from whypending.sources.metrics.wanted import Wanted

if TYPE_CHECKING:
    from whypending.sources.metrics import scheduler

_PORT = 10259
_MOST = 3
"""Pods that are asked: the replicas of one scheduler."""
_FLAG = Pattern(r"--secure-port=(\d{1,5})")
_ELSEWHERE = "use --prometheus URL, or --metrics-url where you can reach the scheduler"


def add(source: Source, evidence: Evidence, wanted: Wanted | None = None) -> Evidence:
    """The evidence with the metrics that `wanted` names; without it those that a snapshot holds, if any."""
    if wanted is not None:
        return msgspec.structs.replace(evidence, metrics=_asked(source, evidence, wanted))
    saved = source.saved_metrics() if isinstance(source, KeepsMetrics) else NOT_READ
    return msgspec.structs.replace(evidence, metrics=saved)


def _asked(source: Source, evidence: Evidence, wanted: Wanted) -> Known[Scrape]:
    if wanted.file:
        from whypending.sources.metrics import file  # noqa: PLC0415 - each way only where it is gone

        return file.read(wanted.file)
    if wanted.prometheus:
        from whypending.sources.metrics import prometheus  # noqa: PLC0415

        return prometheus.read(wanted, None if source.kind == "live" else evidence.now)
    return _of_the_scheduler(source, evidence, wanted)


def _of_the_scheduler(source: Source, evidence: Evidence, wanted: Wanted) -> Known[Scrape]:
    from whypending.sources.live import LiveSource  # noqa: PLC0415
    from whypending.sources.metrics import scheduler  # noqa: PLC0415

    token = ""
    if wanted.service_account:
        if not isinstance(source, LiveSource):
            return gap(GapReason.NOT_GIVEN, "A ServiceAccount's token comes from a cluster, and files were given.")
        from whypending.sources.metrics.token import request_token  # noqa: PLC0415

        answer = request_token(source.access, wanted)
        if isinstance(answer, Gap):
            return answer
        token = answer
    if wanted.url:
        return _together([scheduler.by_url(wanted, token)])
    if not isinstance(source, LiveSource):
        return gap(GapReason.NOT_GIVEN, "A port-forward needs a cluster, and files were given.", _ELSEWHERE)
    addresses = _addresses(source, evidence)
    if isinstance(addresses, Gap):
        return addresses
    calls = [partial(scheduler.by_port_forward, source.access, a, wanted, token) for a in addresses]
    return _together(source.gather(calls))


def _together(found: list[Scrape | Gap]) -> Known[Scrape]:
    """What could be read, with a warning for what could not; a Gap where nothing could."""
    gaps = [x for x in found if isinstance(x, Gap)]
    scrapes = [x for x in found if isinstance(x, Scrape)]
    if not scrapes:
        return gaps[0]
    failed = tuple(g.detail for g in gaps)
    return tuple(msgspec.structs.replace(s, warnings=(*s.warnings, *failed)) for s in scrapes)


def _addresses(source: Source, evidence: Evidence) -> list[scheduler.Address] | Gap:
    from whypending.sources.metrics.scheduler import Address  # noqa: PLC0415

    pods = _pods(source, evidence)
    if isinstance(pods, Gap):
        return gap(pods.reason, f"The scheduler's Pod could not be looked up: {pods.detail.rstrip('.')}.", pods.grant)
    running = [p for p in seen(pods) if p.status.phase == "Running"]
    if not running:
        words = "No Pod of a scheduler runs here, as on most managed control planes."
        return gap(GapReason.UNSUPPORTED, words, _ELSEWHERE)
    return [Address(p.namespace, p.name, _port(p)) for p in sorted(running, key=partial(_rank, evidence))[:_MOST]]


def _pods(source: Source, evidence: Evidence) -> Known[Pod]:
    """Those of the evidence; where its class needs none, the default's Pods, or those of any scheduler."""
    if is_known(evidence.scheduler_pods):
        return evidence.scheduler_pods
    target = evidence.the_pod
    if target is not None and target.scheduler_name != "default-scheduler":
        found: Known[Pod] = processes(source, evidence)["scheduler_pods"]
        return found
    query = Query(kind=PODS, namespace=SYSTEM, labels=DEFAULT_LABELS, would_decide="whose metrics to ask for")
    return source.read(query)


def _rank(evidence: Evidence, pod: Pod) -> tuple[bool, str]:
    """The target's own scheduler first, as far as names tell: the default's Pods are in kube-system."""
    target = evidence.the_pod
    name = target.scheduler_name if target else "default-scheduler"
    default = pod.metadata.labels.get("component") == "kube-scheduler"
    own = default if name == "default-scheduler" else not default and (name in pod.name or runs_scheduler(pod.spec))
    return (not own, pod.name)


def _port(pod: Pod) -> int:
    """`--secure-port`, else the port of a probe, else kube-scheduler's own."""
    flags = [m[1] for c in pod.spec.containers for word in (*c.command, *c.args) if (m := _FLAG.fullmatch(word))]
    probed = [port for c in pod.spec.containers if (port := _probed(c))]
    return int(flags[0]) if flags and int(flags[0]) else next(iter(probed), _PORT)


def _probed(container: Container) -> int:
    for probe in (container.readiness_probe, container.liveness_probe, container.startup_probe):
        port = probe.http_get.port if probe and probe.http_get and probe.http_get.scheme == "HTTPS" else 0
        if isinstance(port, int) and port:
            return port
    return 0
