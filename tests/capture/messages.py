"""`python -m tests.capture.messages [RELEASE…]`: the words of kube-scheduler 1.30 to 1.37, into tests/recorded.

Each release's own binary runs against the API server of the test cluster, in every one of `situations`.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from tests.capture.situations import SITUATIONS, Situation
from tests.cluster import Cluster
from tests.cluster.build import OLD_RELEASES, RELEASE, build, old_scheduler_module
from tests.live.stage import on_stage

HOME = Path(__file__).parents[1] / "recorded"
NEWEST = RELEASE
SETTLE = 1.5
"""Seconds for the Event and for a second attempt."""


def record(release: str, root: Path) -> dict[str, Any]:
    """Everything that this release says."""
    with Cluster(root, node=False) as cluster:
        server = json.loads(cluster.kubectl("version", "-o", "json"))["serverVersion"]["gitVersion"]
        if release != NEWEST:
            cluster.stop_scheduler()
            cluster.start_scheduler(binary=build(old_scheduler_module(release)) / "kube-scheduler")
        return {
            "scheduler": f"v{release}",
            "apiServer": server,
            "how": f"python -m tests.capture.messages {release}",
            "messages": [_said(cluster, situation) for situation in SITUATIONS],
        }


def _said(cluster: Cluster, situation: Situation) -> dict[str, Any]:
    with on_stage(cluster, situation.scenario) as namespace:
        time.sleep(SETTLE)
        pod = cluster.get("Pod", namespace, "web")
        assert pod is not None
        scheduled = next(c for c in pod["status"]["conditions"] if c["type"] == "PodScheduled")
        events = json.loads(cluster.kubectl("get", "events", "-n", namespace, "-o", "json"))["items"]
    notes = [e for e in events if e["reason"] == "FailedScheduling" and e["involvedObject"]["name"] == "web"]
    newest = max(notes, key=lambda e: str((e.get("series") or {}).get("lastObservedTime") or e["eventTime"]))
    how = [f"Node {name} {dict(shape)}" for name, shape in situation.nodes.items()]
    return {
        "situation": situation.name,
        "how": [*how, *situation.manifest.rstrip("-\n").split("---\n")],
        "condition": {"reason": scheduled["reason"], "message": scheduled["message"]},
        "event": newest["message"],
    }


class _Dumper(yaml.SafeDumper):
    """Manifests as blocks."""


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)


_Dumper.add_representer(str, _text)


def main(words: Sequence[str]) -> int:
    """Record these releases, or all."""
    HOME.mkdir(exist_ok=True)
    for release in words or (*OLD_RELEASES, NEWEST):
        with tempfile.TemporaryDirectory(prefix="messages-") as root:
            told = record(release, Path(root))
        text = yaml.dump(told, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10_000)
        (HOME / f"{release}.yaml").write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
