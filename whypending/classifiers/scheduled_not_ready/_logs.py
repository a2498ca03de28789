"""The remedy that reads a container's log."""

from __future__ import annotations

from whypending.classifiers.cause import look
from whypending.classifiers.words import kubectl
from whypending.diagnosis import Remedy

from ._containers import Member


def read_log(member: Member, *, previous: bool = False) -> Remedy:
    """Reading the log of that container, of the run before where it has been restarted."""
    words = ("logs", member.pod.name, "-c", member.name, *(("--previous",) if previous else ()))
    text = "Read what it wrote before it ended." if previous else "Read its log."
    return look(text, kubectl(member.pod.namespace, *words))
