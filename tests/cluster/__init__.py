"""A real Kubernetes control plane and node on this machine, for tests.

Everything is built from pinned Go modules, listens on 127.0.0.1 (the kubelet on the node's own
bridge) and is taken down without a trace. ``Cluster`` is the way in; ``python -m tests.cluster``
is the same by hand.
"""

from tests.cluster.base import ClusterUnavailable
from tests.cluster.cluster import Cluster, KubectlError

__all__ = ["Cluster", "ClusterUnavailable", "KubectlError"]
