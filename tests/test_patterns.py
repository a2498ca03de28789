from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module

import pytest

import whypending
from whypending.messages.causes import cycle, filters, gangs, provisioners, resources, storage, taints, vendors
from whypending.patterns import Pattern

TEXT = "3 cpu, 14 memory"
NUMBER = Pattern(r"(\d+) CPU", re.IGNORECASE)


def _patterns() -> Iterator[tuple[str, Pattern]]:
    for module in pkgutil.walk_packages(whypending.__path__, "whypending."):
        if not module.name.endswith("__main__"):
            values = vars(import_module(module.name)).items()
            yield from ((f"{module.name}.{name}", value) for name, value in values if isinstance(value, Pattern))


def test_it_does_what_a_compiled_one_does() -> None:
    real = re.compile(r"\d+")
    ours = Pattern(r"\d+")
    assert str(ours.match(TEXT)) == str(real.match(TEXT))
    assert str(ours.search(TEXT, 2)) == str(real.search(TEXT, 2))
    assert str(ours.fullmatch(TEXT, 0, 1)) == str(real.fullmatch(TEXT, 0, 1))
    assert [m[0] for m in ours.finditer(TEXT)] == ours.findall(TEXT) == ["3", "14"]
    assert ours.split(TEXT) == real.split(TEXT)
    assert ours.sub("n", TEXT) == real.sub("n", TEXT)


def test_flags_hold_and_groups_are_there() -> None:
    found = NUMBER.search(TEXT)
    assert found is not None
    assert found[1] == "3"


def test_it_is_compiled_once_and_late() -> None:
    pattern = Pattern("(")
    with pytest.raises(re.error):
        pattern.match("x")
    assert NUMBER.compiled is NUMBER.compiled


def test_each_pattern_of_the_package_compiles() -> None:
    found = dict(_patterns())
    assert len(found) > 50
    for pattern in found.values():
        assert pattern.compiled.pattern == pattern.pattern


def test_each_rule_of_the_messages_compiles() -> None:
    for module in (cycle, filters, gangs, provisioners, resources, storage, taints, vendors):
        for rule in module.RULES:
            assert rule.pattern.compiled
