"""image-not-found: the registry has no such repository or tag.

What it means
    The registry answered, and it does not have what the Pod asks for: the tag was never pushed or was removed, or the
    name is mistyped.

How it is recognised
    A failed pull whose words are `…: not found`, `manifest unknown`, `name unknown`, `manifest for … not found`,
    `repository … not found` or a 404. `pull access denied, repository does not exist or may require authorization` is
    not taken as this: see image-auth-denied.

What to do
    Correct the image in the workload, or push the tag.

Limits
    Registries that hide private repositories say "denied" for missing ones too; a few say "not found" for private ones.

References
    The OCI distribution specification, error codes; core/remotes/docker/resolver.go, containerd 2.x.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whypending.classifiers.cause import Cause
from whypending.diagnosis import Finding, Triage
from whypending.evidence import Evidence
from whypending.patterns import Pattern

from ._images import failed_pulls
from ._node import OVER
from ._owner import edit

CAUSE = Cause("WP442", "image-not-found", Triage.SCHEDULED_NOT_READY, refines=("image-pull-failed",), explained_by=OVER)
_ABSENT = Pattern(
    r"manifest.unknown|name.unknown|manifest for \S+ not found|repository \S+ not found|404 Not Found"
    r"|: not found$|^not found$|reading manifest \S+ in \S+: (?:manifest unknown|not found)",
    re.IGNORECASE,
)
_OTHER = Pattern(r"no match(?:ing manifest)? for|no such host|executable", re.IGNORECASE)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """The registry says that it has no such image."""
    for pull in failed_pulls(evidence):
        if not _ABSENT.search(pull.words) or _OTHER.search(pull.words):
            continue
        yield CAUSE.finding(
            f"The registry has no image {pull.image}, which {pull.who} of {pull.member.pod.ref} needs.",
            citations=(pull.member.cite_spec("image", pull.image), *pull.citations),
            remedies=(edit(evidence, f"Correct the image {pull.image}, or push it to its registry."),),
        )
