"""Values as Go reads them: durations, names, base64."""

from __future__ import annotations

import re
from fractions import Fraction

_UNITS = {"ns": 1, "us": 10**3, "µs": 10**3, "μs": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9}
_PART = re.compile(r"(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)")
_NAME = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")
_DOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
_LONGEST = 253


def duration(text: str) -> int | None:
    """Nanoseconds; None for what `time.ParseDuration` refuses."""
    sign, rest = (
        (-1 if text.startswith("-") else 1),
        text.removeprefix("-") if text.startswith("-") else text.removeprefix("+"),
    )
    if rest == "0":
        return 0
    parts = list(_PART.finditer(rest))
    if not parts or "".join(p[0] for p in parts) != rest:
        return None
    total = sum(int(Fraction(p[1].rstrip(".") or "0") * _UNITS[p[2]]) for p in parts)
    return sign * total if total < 2**63 else None


def is_qualified(name: str) -> bool:
    """A label's key or a resource's name: `[prefix/]name`, as `IsQualifiedName` has it."""
    prefix, slash, last = name.rpartition("/")
    if slash and (len(prefix) > _LONGEST or not _DOMAIN.fullmatch(prefix)):
        return False
    return bool(_NAME.fullmatch(last))


def is_label_value(value: str) -> bool:
    """A label's value."""
    return not value or bool(_NAME.fullmatch(value))


def is_extended_resource(name: str) -> bool:
    """A resource that is neither Kubernetes' own nor a quota's name."""
    own = "/" not in name or "kubernetes.io/" in name
    return is_qualified(name) and not own and not name.startswith("requests.") and is_qualified(f"requests.{name}")


def is_base64(text: str) -> bool:
    """Standard base64 with its padding; Go drops line breaks."""
    return bool(_BASE64.fullmatch(re.sub(r"[\r\n]", "", text)))
