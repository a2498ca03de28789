from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whypending.objects.quantity import amount, parse_quantity, show


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("8", 8),
        ("100m", Fraction(1, 10)),
        ("0.1", Fraction(1, 10)),
        (".5", Fraction(1, 2)),
        ("1.", 1),
        ("1k", 1000),
        ("1Ki", 1024),
        ("1.5Gi", 3 * 2**29),
        ("1e3", 1000),
        ("1E3", 1000),
        ("1E", 10**18),
        ("2e-3", Fraction(1, 500)),
        ("1e+2", 100),
        ("12P", 12 * 10**15),
        ("1Ei", 2**60),
        ("5u", Fraction(1, 200_000)),
        ("-1.5M", -1_500_000),
        ("+3", 3),
        ("007", 7),
        (3, 3),
        (0.25, Fraction(1, 4)),
    ],
)
def test_reads_every_form(text: str | float, value: Fraction | int) -> None:
    assert parse_quantity(text) == value


@pytest.mark.parametrize(
    "text", ["", " 1", "1 Gi", "1K", "1Kib", "1e", "1.2.3", "abc", "1,5", "0x10", "1e1.5", "1e999999999"]
)
def test_refuses_what_is_no_quantity(text: str) -> None:
    with pytest.raises(ValueError, match="not a quantity"):
        parse_quantity(text)
    assert amount(text) == 0


def test_rounds_up_to_a_nano_and_caps_binary_amounts() -> None:
    assert parse_quantity("0.1n") == Fraction(1, 10**9)
    assert parse_quantity("-0.1n") == Fraction(-1, 10**9)
    assert parse_quantity("100Ei") == 2**63 - 1


@given(st.integers(-(10**15), 10**15), st.sampled_from(["m", "", "k", "Mi", "G", "e2"]))
def test_scales_exactly(number: int, suffix: str) -> None:
    thousandths = {"m": 1, "": 1000, "k": 10**6, "Mi": 1000 * 2**20, "G": 10**12, "e2": 10**5}
    factor = Fraction(thousandths[suffix], 1000)
    most = Fraction(2**63 - 1)
    value = max(-most, min(number * factor, most)) if suffix == "Mi" else number * factor
    assert parse_quantity(f"{number}{suffix}") == value


@pytest.mark.parametrize(
    ("resource", "text", "shown"),
    [
        ("cpu", "8", "8"),
        ("cpu", "1.5", "1500m"),
        ("cpu", "250m", "250m"),
        ("memory", "512Mi", "512Mi"),
        ("memory", "4294967295", "3.99Gi"),
        ("memory", "1.5Gi", "1.5Gi"),
        ("memory", "100", "100"),
        ("hugepages-2Mi", "4Mi", "4Mi"),
        ("nvidia.com/gpu", "2", "2"),
    ],
)
def test_shows_as_a_person_writes(resource: str, text: str, shown: str) -> None:
    assert show(resource, parse_quantity(text)) == shown
