"""Small dumps as `kubectl get -o yaml` writes them."""

from __future__ import annotations

READY = """
apiVersion: v1
kind: Pod
metadata:
  name: web-1
  namespace: shop
  uid: 11111111-1111-4111-8111-111111111111
  creationTimestamp: "2026-11-30T20:00:00Z"
spec:
  nodeName: worker-1
  schedulerName: default-scheduler
  containers: [{name: web, image: web:1}]
status:
  phase: Running
  conditions:
  - {type: PodScheduled, status: "True", lastTransitionTime: "2026-11-30T20:00:01Z"}
  - {type: Ready, status: "True", lastTransitionTime: "2026-11-30T20:00:05Z"}
  containerStatuses:
  - {name: web, ready: true, started: true, state: {running: {startedAt: "2026-11-30T20:00:04Z"}}}
"""

REFUSED = """
apiVersion: v1
kind: Pod
metadata:
  name: web-2
  namespace: shop
  uid: 22222222-2222-4222-8222-222222222222
  creationTimestamp: "2026-11-30T20:00:00Z"
spec:
  schedulerName: default-scheduler
  containers: [{name: web, image: web:1, resources: {requests: {cpu: "64"}}}]
status:
  phase: Pending
  conditions:
  - type: PodScheduled
    status: "False"
    reason: Unschedulable
    message: "0/1 nodes are available: 1 Insufficient cpu."
    lastTransitionTime: "2026-11-30T20:00:01Z"
"""

MANIFEST = """
apiVersion: v1
kind: Pod
metadata: {name: draft, namespace: shop, creationTimestamp: "2026-11-30T20:00:00Z"}
spec:
  containers: [{name: web, image: web:1}]
"""

EVERYTHING = f"{READY}---{REFUSED}---{MANIFEST}"
