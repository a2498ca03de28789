"""image-rate-limited: the registry answers 429/toomanyrequests.

What it means
    Too many pulls came from this address or account; the registry serves no more for a while. The image itself is
    fine.

How it is recognised
    A failed pull whose words hold `429`, `toomanyrequests`, `Too Many Requests` or `pull rate limit`.

What to do
    Pull with an account (imagePullSecrets), through a pull-through cache, or wait for the limit to reset.

Limits
    `pull QPS exceeded` is the kubelet's own brake (registryPullQPS), not the registry's, and is not this.

References
    https://docs.docker.com/docker-hub/usage/; https://kubernetes.io/docs/concepts/containers/images/
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import names
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence
from whypending.patterns import Pattern

from ._images import failed_pulls
from ._node import OVER
from ._owner import edit

CAUSE = Cause(
    "WP420", "image-rate-limited", Triage.SCHEDULED_NOT_READY, refines=("image-pull-failed",), explained_by=OVER
)
_LIMITED = Pattern(r"\b429\b|toomanyrequests|too many requests|pull rate limit", re.IGNORECASE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The registry asks for patience."""
    for pull in failed_pulls(evidence):
        if not _LIMITED.search(pull.words):
            continue
        pod = pull.member.pod
        secrets = names(s.name for s in pod.spec.image_pull_secrets)
        account = f"with pull Secret {secrets}" if secrets else "the Pod names no pull Secret"
        yield CAUSE.finding(
            f"The registry of image {pull.image} limits how often {pod.spec.node_name or 'the node'} may pull, so "
            f"{pull.who} of {pod.ref} waits ({account}).",
            citations=pull.citations,
            remedies=(
                edit(
                    evidence, "Pull with an account that has a higher limit: name its Secret in spec.imagePullSecrets."
                ),
                look(
                    "Or serve the image from a pull-through cache near the cluster; the limit resets by itself in time."
                ),
            ),
        )
