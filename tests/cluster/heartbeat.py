"""``python -m tests.cluster.heartbeat KUBECONFIG``: keeps simulated Nodes Ready.

It also does the least that a kubelet would: it confirms the deletion of Pods on these Nodes and,
where asked to, reports them Running. It is a process of its own so that a cluster left up has it too.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from tests.cluster.api import Api, ApiError
from tests.cluster.base import Object
from tests.cluster.simulated import LEASES, RUNS_PODS, SIMULATED, timestamp

SECONDS = 4.0


def beat(api: Api, *, renew: bool) -> None:
    """One round: renews Leases if it is time and looks after the Pods."""
    leases = api.get(f"{LEASES}?labelSelector={SIMULATED}%3Dtrue")["items"]
    if renew:
        for lease in leases:
            _renew(api, lease["metadata"])
    runs = {lease["metadata"]["name"]: lease["metadata"]["labels"][RUNS_PODS] == "true" for lease in leases}
    if not runs:
        return
    for pod in api.get("/api/v1/pods?fieldSelector=spec.nodeName!%3D&resourceVersion=0")["items"]:
        if pod["spec"]["nodeName"] in runs:
            _look_after(api, pod, run=runs[pod["spec"]["nodeName"]])


def _renew(api: Api, lease: Object) -> None:
    """One Node that has just gone or was silenced is passed over, and keeps no other from its heartbeat."""
    patch = {"metadata": {"resourceVersion": lease["resourceVersion"]}, "spec": {"renewTime": timestamp(micro=True)}}
    try:
        api.merge(f"{LEASES}/{lease['name']}", patch)
    except ApiError as error:
        if error.status not in (404, 409):
            raise


def _look_after(api: Api, pod: Object, *, run: bool) -> None:
    metadata = pod["metadata"]
    path = f"/api/v1/namespaces/{metadata['namespace']}/pods/{metadata['name']}"
    try:
        if "deletionTimestamp" in metadata:
            options = {"gracePeriodSeconds": 0, "preconditions": {"uid": metadata["uid"]}}
            api.request("DELETE", path, {"apiVersion": "v1", "kind": "DeleteOptions", **options})
        elif run and pod["status"].get("phase") == "Pending":
            api.merge(f"{path}/status", {"status": _running_status(pod)})
    except ApiError as error:
        if error.status not in (404, 409):
            raise


def _running_status(pod: Object) -> Object:
    now = timestamp()
    conditions = [c for c in pod["status"].get("conditions", []) if c["type"] == "PodScheduled"]
    conditions += [
        {"type": kind, "status": "True", "lastTransitionTime": now}
        for kind in ("Initialized", "ContainersReady", "Ready")
    ]
    containers = [
        {
            "name": c["name"],
            "image": c["image"],
            "imageID": "",
            "ready": True,
            "started": True,
            "restartCount": 0,
            "state": {"running": {"startedAt": now}},
        }
        for c in pod["spec"]["containers"]
    ]
    return {"phase": "Running", "startTime": now, "conditions": conditions, "containerStatuses": containers}


def main(kubeconfig: str) -> None:
    """Keeps simulated Nodes alive until it is ended."""
    api = Api(Path(kubeconfig))
    renewed = 0.0
    while True:
        began = time.monotonic()
        renew = began - renewed >= SECONDS
        try:
            beat(api, renew=renew)
            renewed = began if renew else renewed
        except (OSError, ApiError) as error:
            sys.stderr.write(f"{timestamp()} {error}\n")
        # A big cluster must not be kept busy by being looked at, and no Node may be lost by a pause.
        time.sleep(min(SECONDS, max(0.5, 5 * (time.monotonic() - began))))


if __name__ == "__main__":
    main(sys.argv[1])
