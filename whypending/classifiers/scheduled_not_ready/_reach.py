"""Image pulls that got no answer from a registry: the name does not resolve, or nothing answers at its address.

Texts of Go's net package (dial tcp, lookup), as containerd and CRI-O hand them on.
"""

from __future__ import annotations

from typing import NamedTuple

from whypending.classifiers.cause import look
from whypending.diagnosis import Remedy
from whypending.patterns import Pattern

_LOOKUP = Pattern(r"lookup (?P<host>[\w.-]+?)(?: on (?P<server>[\w.:\[\]]+))?: ")
_DIAL = Pattern(r"dial tcp (?P<address>[\w.:\[\]-]+): ")
_FORMS = (
    ("connection refused", "nothing listens at {0}"),
    ("no route to host", "the network has no route to {0}"),
    ("network is unreachable", "the network has no route to {0}"),
    ("i/o timeout", "{0} does not answer in time"),
    ("context deadline exceeded", "{0} does not answer in time"),
    ("Client.Timeout", "{0} does not answer in time"),
)


class Unreached(NamedTuple):
    """Why no registry answered, as the end of a sentence, and what to do about it."""

    why: str
    remedies: tuple[Remedy, ...]


def unreached(words: str, image: str, node: str) -> Unreached | None:
    """None where a registry answered, or the words tell nothing of the network. node: the node's name or `the node`."""
    if lookup := _LOOKUP.search(words):
        return _unresolved(lookup["host"], node)
    form = next((text for key, text in _FORMS if key in words), "")
    if not form:
        return None
    dial = _DIAL.search(words)
    address, host = dial["address"] if dial else registry(image), registry(image)
    return Unreached(
        f"{form.format(address)}, so no registry answered",
        (
            look(
                f"On {node}, ask it: curl -v https://{host}/v2/. If it answers from elsewhere, look for a firewall, a "
                f"missing proxy or another way out (egress) that {node} needs; else see whether the registry runs."
            ),
        ),
    )


def _unresolved(host: str, node: str) -> Unreached:
    return Unreached(
        f"{node} can't resolve the host name {host}, so no registry was asked",
        (
            look(
                f"On {node}, look the name up: getent hosts {host}. If other names resolve, {host} is mistyped or "
                f"gone; else mend the DNS of {node} itself, as images are pulled with the node's resolver, not the "
                "cluster's."
            ),
        ),
    )


def registry(image: str) -> str:
    """The host (and port) of an image's name: `docker.io` where it names none."""
    first, slash, _ = image.partition("/")
    return first if slash and (any(c in first for c in ".:") or first == "localhost") else "docker.io"
