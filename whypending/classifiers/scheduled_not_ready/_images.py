"""Failed image pulls: which container, which image, and the registry's own words.

`state.waiting.message` holds the runtime's words from 1.32 on (`Back-off pulling image "X": ErrImagePull: …`); before,
only the Event `Failed to pull image "X": …` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from whypending.classifiers.words import event_citation, plural
from whypending.diagnosis import Citation
from whypending.evidence import Evidence, seen
from whypending.objects.event import Event
from whypending.patterns import Pattern

from ._containers import Member, waiting_for
from ._events import core

PULLING = ("ErrImagePull", "ImagePullBackOff", "RegistryUnavailable", "SignatureValidationFailed")
_BACK_OFF = Pattern(r'^Back-off pulling image "[^"]*"(?:: )?(?:ErrImagePull: )?')
_FAILED = Pattern(r'^Failed to pull image "([^"]*)": ')
_DENIED = Pattern(
    r"unauthori[sz]ed|authentication required|no basic auth credentials|authorization failed|\b401\b|403 Forbidden"
    r"|\bdenied\b|insufficient_scope|failed to fetch anonymous token|: Forbidden",
    re.IGNORECASE,
)
_LIMITED = Pattern(r"toomanyrequests|429 Too Many|rate limit", re.IGNORECASE)
_LAST = Pattern(r"^failed to pull and unpack image \"[^\"]*\": |^failed to resolve reference \"[^\"]*\": ")


class Pull(msgspec.Struct, frozen=True):
    """One image that cannot be pulled: the first container that wants it, how many more do, and what was said."""

    member: Member
    others: int
    words: str
    citations: tuple[Citation, ...]

    @property
    def image(self) -> str:
        """The image as the spec names it."""
        return self.member.spec.image or (self.member.status.image if self.member.status else "")

    @property
    def who(self) -> str:
        """`container "web"`, with the count of others that want the same image."""
        return f"{self.member.noun} (and {plural(self.others, 'more')})" if self.others else self.member.noun

    @property
    def denied(self) -> bool:
        """The registry answered that it wants (other) credentials: 401, 403 and their like."""
        return _DENIED.search(self.words) is not None and _LIMITED.search(self.words) is None


def failed_pulls(evidence: Evidence) -> Iterator[Pull]:
    """Each image that a container waits for after a failed pull, once."""
    pod = evidence.the_pod
    waiting = waiting_for(pod, *PULLING) if pod else ()
    images = [m.spec.image for m in waiting]
    for index, member in enumerate(waiting):
        if member.spec.image in images[:index]:
            continue
        event = _event(evidence, member)
        state = member.waiting
        told = _BACK_OFF.sub("", state.message) if state else ""
        words = told or (_FAILED.sub("", event.text) if event else "")
        yield Pull(member, images.count(member.spec.image) - 1, _last(words), tuple(_cite(member, event)))


def _event(evidence: Evidence, member: Member) -> Event | None:
    found: Event | None = None
    for event in seen(evidence.events):
        text = _FAILED.match(event.text)
        if event.reason == "Failed" and text and text[1] == member.spec.image:
            found = event if found is None or event.last_seen >= found.last_seen else found
    return found


def _cite(member: Member, event: Event | None) -> Iterator[Citation]:
    if member.waiting is not None:
        yield member.cite("state.waiting.reason", member.waiting.reason)
        if member.waiting.message:
            yield member.cite("state.waiting.message", member.waiting.message)
        if event is not None and _told(event) in member.waiting.message:
            return
    if event is not None:
        yield event_citation(event)


def _told(event: Event) -> str:
    """What the Event says after its own words, which the container's status may say too."""
    return _FAILED.sub("", event.text).strip()


def _last(words: str) -> str:
    """The end of containerd's chain of wrappers, which says what happened."""
    rest = core(words)
    while match := _LAST.match(rest):
        rest = core(rest[match.end() :])
    return rest
