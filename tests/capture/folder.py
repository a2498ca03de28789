"""A fixture's folder: the objects, the manifest that brings them about, and what is true of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from tests.capture.shown import asked, files, save
from tests.cases import FIXTURES
from tests.cluster import Cluster
from tests.live.scenario import Scenario
from whypending.collectors import collect
from whypending.diagnosis import Diagnosis
from whypending.engine import diagnose
from whypending.renderers import json_v1
from whypending.sources.base import Source
from whypending.sources.files import FilesSource
from whypending.sources.live import LiveSource
from whypending.sources.snapshot import RecordingSource

KINDS = {"deploy": "Deployment", "sts": "StatefulSet", "ds": "DaemonSet", "job": "Job", "cronjob": "CronJob"}
_NOT_COMPARED = {"tool", "source", "observedAt"}


def target_of(scenario: Scenario) -> tuple[str, str]:
    """Kind and name, of KIND/NAME as the command line takes it."""
    short, slash, name = scenario.target.partition("/")
    return (KINDS[short], name) if slash else ("Pod", short)


def folder_of(scenario: Scenario) -> Path:
    """Where the scenario's capture lies."""
    return FIXTURES / scenario.cause / f"hit-{scenario.slug}"


def capture(cluster: Cluster, scenario: Scenario, namespace: str) -> str:
    """Write the folder; what the files answer otherwise than the cluster did, "" where they agree."""
    kind, name = target_of(scenario)
    recording = RecordingSource(LiveSource.connect(kubeconfig=str(cluster.kubeconfig), context=None))
    live = diagnosis_of(recording, kind, namespace, name)
    wanted = asked(recording, namespace)
    folder = folder_of(scenario)
    paths = save(folder, files(cluster, wanted, frozenset({namespace, "kube-system"})))
    (folder / "manifest.yaml").write_text(scenario.manifest)
    commands = [f"kubectl {' '.join(one.arguments)} -o yaml" for one in wanted]
    meta = _meta(scenario, recording, {"kind": kind, "namespace": namespace, "name": name}, commands)
    (folder / "meta.yaml").write_text(yaml.safe_dump(meta, sort_keys=False, allow_unicode=True, width=118))
    saved = diagnosis_of(FilesSource.open(paths, now=recording.now), kind, namespace, name)
    recording.close()
    return difference(live, saved)


def diagnosis_of(source: Source, kind: str, namespace: str, name: str) -> Diagnosis:
    return diagnose(collect(source, kind, namespace, name), strict=True)


def _meta(scenario: Scenario, source: Source, target: dict[str, str], commands: list[str]) -> dict[str, Any]:
    return {
        "observedAt": source.now.isoformat().replace("+00:00", "Z"),
        "kubernetesVersion": source.server_version,
        "made": "captured",
        "how": [*_staged(scenario, target["namespace"]), *commands],
        "again": f"python -m tests.capture {scenario.id}",
        "target": target,
        "expect": {"triage": scenario.triage, "causes": [*scenario.causes, *scenario.also]},
    }


def _staged(scenario: Scenario, namespace: str) -> list[str]:
    words = [f"simulated Node {name} {dict(shape) or ''}".strip() for name, shape in scenario.nodes.items()]
    if scenario.fault.__name__ != "no_fault":
        words.append(str(scenario.fault.__doc__))
    words += [f"kubectl label namespace {namespace} {label}" for label in scenario.namespace_labels]
    return [*words, f"kubectl apply -n {namespace} -f manifest.yaml"]


def difference(live: Diagnosis, saved: Diagnosis) -> str:
    """The fields of the two reports that differ; a cluster has no log files beside it."""
    one, other = json.loads(json_v1.render(live)), json.loads(json_v1.render(saved))
    for report in (one, other):
        report["notEvaluated"] = [n for n in report["notEvaluated"] if not n["what"].startswith("log files")]
    keys = [k for k in one if k not in _NOT_COMPARED and one[k] != other[k]]
    return "; ".join(f"{k}: {one[k]} != {other[k]}" for k in keys)
