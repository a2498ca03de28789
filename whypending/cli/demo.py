"""`whypending demo [NAME]`: the main job on a packaged capture of a real cluster."""

from __future__ import annotations

import json
import shlex
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

import click

from whypending.cli.look import look
from whypending.cli.options import OutputOptions, SourceOptions, form_options
from whypending.cli.output import emit, say
from whypending.cli.status import ExitStatus
from whypending.cli.target import Name
from whypending.errors import SourceError, UsageError

HOME = Path(__file__).parents[1] / "demo"


class Scenario(NamedTuple):
    """A capture: its folder's name, what it shows, which Pod, and the files that hold it."""

    name: str
    title: str
    pod: str
    namespace: str
    paths: tuple[str, ...]

    @property
    def source(self) -> SourceOptions:
        """What `pod --from` would get."""
        return SourceOptions(namespace=self.namespace, from_paths=self.paths)

    @property
    def shown(self) -> str:
        """The command that this scenario stands for."""
        return shlex.join(["whypending", "pod", "-n", self.namespace, self.pod, "--from", *self.paths])


@click.command
@click.argument("name", default="")
@click.option("--list", "listed", is_flag=True, help="The scenarios that there are.")
@form_options
def command(name: str, output: OutputOptions, *, listed: bool) -> ExitStatus:
    """A report on a saved Pod of a real cluster: no cluster needed.

    NAME is one of the scenarios of --list, the start of its name, or its number; without it the first is shown. It
    ends with status 0, where `whypending pod` would end with 1 for such a Pod.
    """
    found = scenarios(HOME)
    if not found:
        raise SourceError("This installation has no captures to show.", "pip install --force-reinstall whypending")
    if listed:
        size = max(len(scenario.name) for scenario in found)
        emit("".join(f"{scenario.name:{size}}  {scenario.title}\n" for scenario in found))
        return ExitStatus.NOTHING_STUCK
    scenario = _chosen(found, name)
    if not output.quiet:
        say(f"$ {scenario.shown}")
    look(Name("Pod", scenario.pod), scenario.source, output)
    return ExitStatus.NOTHING_STUCK


def scenarios(home: Path) -> tuple[Scenario, ...]:
    """Every scenario of the package, in the order of their folders' names."""
    return tuple(_scenario(path) for path in sorted(home.glob("*/scenario.json")))


def _scenario(path: Path) -> Scenario:
    told = json.loads(path.read_text(encoding="utf-8"))
    files = tuple(str(path.parent / name) for name in told["paths"])
    return Scenario(path.parent.name, told["title"], told["pod"], told["namespace"], files)


def _chosen(found: tuple[Scenario, ...], name: str) -> Scenario:
    if not name:
        return found[0]
    by_name = {scenario.name: scenario for scenario in found}
    if name.isdecimal() and name.isascii() and 0 < int(name) <= len(found):
        return found[int(name) - 1]
    word = name.lower()
    begun = [s for s in found if s.name.startswith(word) or s.name.lstrip("0123456789-").startswith(word)]
    if name not in by_name and len(begun) == 1:
        return begun[0]
    if name not in by_name:
        near = get_close_matches(name, by_name, n=1)
        hint = f"whypending demo {near[0]}" if near else "whypending demo --list"
        raise UsageError(f'There is no scenario "{name}".', hint)
    return by_name[name]
