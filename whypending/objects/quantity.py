"""Quantities: `500m`, `1.5Gi`, `1e3`, `0.1`, exactly as k8s.io/apimachinery `resource.Quantity` reads them."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import lru_cache

from whypending.patterns import Pattern

_NUMBER = Pattern(r"(?P<sign>[+-]?)(?P<whole>\d*)(?:\.(?P<part>\d*))?(?P<suffix>[A-Za-z]*[+-]?\d*)", re.ASCII)
_EXPONENT = Pattern(r"[eE][+-]?\d+", re.ASCII)
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_FURTHEST = 100
_NANO = 10**9
_MAXIMUM = 2**63 - 1
_UNITS = tuple(reversed(_BINARY.items()))
BYTES = ("memory", "ephemeral-storage", "storage")
"""Resources counted in bytes, besides `hugepages-…`."""


@lru_cache(maxsize=4096, typed=True)
def parse_quantity(text: str | float) -> Fraction:
    """The exact value in base units (cores, bytes, pieces).

    Amounts finer than one nano are rounded away from zero, binary ones are capped at 2^63-1, as the API does.
    Raises ValueError for what is no quantity.
    """
    written = str(text)
    match = _NUMBER.fullmatch(written)
    if match is None or not written:
        raise ValueError(f"not a quantity: {written!r}")
    part = match["part"] or ""
    value = Fraction(int(f"{match['whole']}{part}" or "0"), 10 ** len(part)) * _factor(match["suffix"], written)
    value = Fraction(math.ceil(value * _NANO), _NANO)
    if match["suffix"] in _BINARY:
        value = min(value, Fraction(_MAXIMUM))
    return -value if match["sign"] == "-" else value


def _factor(suffix: str, written: str) -> Fraction:
    if suffix in _DECIMAL:
        return Fraction(10) ** _DECIMAL[suffix]
    if suffix in _BINARY:
        return Fraction(2 ** _BINARY[suffix])
    if not _EXPONENT.fullmatch(suffix) or abs(exponent := int(suffix[1:])) > _FURTHEST:
        raise ValueError(f"not a quantity: {written!r}")
    return Fraction(10) ** exponent


def amount(text: str | float | None) -> Fraction:
    """`parse_quantity`, but 0 where the object holds nothing or nonsense."""
    try:
        return parse_quantity("0" if text is None else text)
    except ValueError:
        return Fraction(0)


def is_bytes(resource: str) -> bool:
    """Whether the resource is counted in bytes."""
    return resource in BYTES or resource.startswith(("hugepages-", "requests.storage"))


def show(resource: str, value: Fraction) -> str:
    """The value as a person writes it: `250m` (cpu), `1.5Gi` (bytes, cut to two decimals), `3` (pieces)."""
    if resource == "cpu":
        return str(value.numerator) if value.denominator == 1 else f"{math.ceil(value * 1000)}m"
    if is_bytes(resource):
        return _show_bytes(math.ceil(value))
    return str(math.ceil(value))


def _show_bytes(count: int) -> str:
    for unit, power in _UNITS:
        if abs(count) >= 2**power:
            hundredths = abs(count) * 100 // 2**power
            sign = "-" if count < 0 else ""
            return f"{sign}{hundredths // 100}.{hundredths % 100:02d}".rstrip("0").rstrip(".") + unit
    return str(count)
