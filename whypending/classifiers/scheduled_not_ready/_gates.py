"""Readiness gates: which conditions the Pod waits for, and who is known to set them."""

from __future__ import annotations

from whypending.objects.base import Condition
from whypending.objects.pod import Pod

_SETTERS = (
    ("target-health.elbv2.k8s.aws/", "the AWS Load Balancer Controller"),
    ("target-health.alb.ingress.k8s.aws/", "the AWS Load Balancer Controller"),
    ("cloud.google.com/load-balancer-neg-ready", "GKE's NEG controller"),
    ("InPlaceUpdateReady", "OpenKruise's controller manager"),
    ("apps.kruise.io/", "OpenKruise's controller manager"),
    ("KruisePodReady", "OpenKruise's controller manager"),
    ("networking.azure.com/", "the Application Gateway controller"),
)


def unmet(pod: Pod) -> tuple[tuple[str, Condition | None], ...]:
    """Each gate whose condition is missing (None) or not True."""
    gates = ((g.condition_type, pod.condition(g.condition_type)) for g in pod.spec.readiness_gates)
    return tuple((name, c) for name, c in gates if c is None or c.status != "True")


def setter(gate: str) -> str:
    """Who sets a known gate's condition; "" where it is not known."""
    return next((who for prefix, who in _SETTERS if gate.startswith(prefix)), "")
