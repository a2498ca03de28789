"""The shipped rights are exactly what the collectors ask for; `asked` says how that is known."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest
import yaml

from tests.asked import asked, everything, granted, in_namespace
from tests.cli.conftest import Run, run
from whypending import collectors, rbac
from whypending.objects import kinds
from whypending.objects.kinds import Kind
from whypending.sources.base import Query

__all__ = ["run"]
ROLES = [(rbac.cluster_role(), everything), (rbac.role(), in_namespace)]
MODULES = [import_module(f"{collectors.__name__}.{m.name}") for m in pkgutil.iter_modules(collectors.__path__)]


def used_kinds() -> Iterator[Kind[Any]]:
    """Every Kind that a collector's module names."""
    for value in (value for module in MODULES for value in vars(module).values()):
        yield from value if value is kinds.WORKLOADS else (value,) if isinstance(value, Kind) else ()


@pytest.mark.parametrize(("text", "allowed"), ROLES, ids=["ClusterRole", "Role"])
def test_the_role_is_what_is_asked_for(text: str, allowed: Callable[[Query[Any]], bool]) -> None:
    assert sorted(granted(text)) == sorted(asked(allowed))


def test_every_kind_of_the_collectors_was_asked_for() -> None:
    assert {(k.group, k.plural) for k in used_kinds()} == {
        (r.group, r.resource) for r in asked() if "/" not in r.resource
    }


@pytest.mark.parametrize("text", [rbac.cluster_role(), rbac.role()], ids=["ClusterRole", "Role"])
def test_it_only_looks_and_never_at_secrets(text: str) -> None:
    rights = set(granted(text))
    assert {r.verb for r in rights} == {"get", "list"}
    assert not {r.resource for r in rights} & {"*", "secrets"}


def test_the_role_is_a_part_of_the_cluster_role() -> None:
    assert set(granted(rbac.role())) < set(granted(rbac.cluster_role()))


def test_rights_prints_the_cluster_role(run: Run) -> None:
    assert run("rights") == (0, rbac.cluster_role(), "")


@pytest.mark.parametrize("arguments", [("rights", "-n", "shop"), ("-n", "shop", "rights")])
def test_rights_in_a_namespace(run: Run, arguments: tuple[str, ...]) -> None:
    shown = yaml.safe_load(run(*arguments).out)
    assert (shown["kind"], shown["metadata"]) == ("Role", {"name": "whypending", "namespace": "shop"})
    assert shown["rules"] == yaml.safe_load(rbac.role())["rules"]


@pytest.mark.parametrize("name", ["Shop", "a b", "x\nrules: []", "-x", "a" * 64])
def test_rights_in_what_is_no_namespace(run: Run, name: str) -> None:
    ended = run("rights", f"--namespace={name}")
    assert (ended.status, ended.out) == (2, "")
