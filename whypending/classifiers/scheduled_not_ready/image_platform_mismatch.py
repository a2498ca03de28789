"""image-platform-mismatch: the image has no manifest for the node's platform.

What it means
    The image exists, but not for this node's processor or operating system: an amd64-only image on an arm64 node, a
    Linux image on Windows.

How it is recognised
    A failed pull whose words are `no match for platform in manifest` (containerd), `no matching manifest for …`
    (Docker) or `no image found in manifest list for architecture …` (CRI-O).

What to do
    Build the image for that platform too, or keep the Pod on nodes that it fits: nodeSelector `kubernetes.io/arch`.

Limits
    A single-platform image without an index pulls well and then fails with `exec format error`
    (container-start-error).

References
    core/images/image.go, containerd 2.x; https://kubernetes.io/docs/reference/labels-annotations-taints/
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, look
from whypending.classifiers.words import field_citation
from whypending.diagnosis import Citation, Finding, Triage
from whypending.evidence import Evidence
from whypending.patterns import Pattern

from ._images import failed_pulls
from ._node import OVER
from ._owner import edit

CAUSE = Cause(
    "WP419",
    "image-platform-mismatch",
    Triage.SCHEDULED_NOT_READY,
    refines=("image-pull-failed",),
    explained_by=OVER,
)
_TEXT = Pattern(
    r"no match for platform in manifest|no matching manifest for (?P<docker>\S+)"
    r'|no image found in (?:manifest list|image index) for architecture "?(?P<crio>\w+)',
    re.IGNORECASE,
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The image is not made for this node."""
    for pull in failed_pulls(evidence):
        text = _TEXT.search(pull.words)
        if text is None:
            continue
        pod = pull.member.pod
        platform = _platform(evidence) or text["docker"] or text["crio"] or ""
        node = f"node {pod.spec.node_name}"
        yield CAUSE.finding(
            f"Image {pull.image} of {pull.who} of {pod.ref} is not made for "
            f"{f'{platform}, which {node} runs' if platform else f'the platform of {node}'}.",
            citations=(*pull.citations, *_node(evidence)),
            remedies=(
                edit(evidence, "Keep the Pod on nodes that the image fits: nodeSelector kubernetes.io/arch and /os."),
                look(f"Or build the image for {platform or 'that platform'} too (a multi-platform image)."),
            ),
        )


def _platform(evidence: Evidence) -> str:
    node = evidence.the_node
    info = node.status.node_info if node else None
    return f"{info.operating_system}/{info.architecture}" if info and info.architecture else ""


def _node(evidence: Evidence) -> Iterator[Citation]:
    node = evidence.the_node
    if node is not None and node.status.node_info.architecture:
        yield field_citation(node, "status.nodeInfo.architecture", node.status.node_info.architecture)
