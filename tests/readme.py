"""README's generated parts and the screenshot: `python -m tests.readme --write` brings them up to date.

A part stands between `<!-- NAME: generated -->` and `<!-- end of NAME -->`.
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

from whypending.classifiers import catalogue
from whypending.classifiers.cause import Classifier
from whypending.cli.app import COMMANDS
from whypending.cli.demo import HOME, scenarios
from whypending.cli.look import open_source
from whypending.cli.status import ExitStatus
from whypending.collectors import collect
from whypending.diagnosis import Triage
from whypending.engine import diagnose
from whypending.renderers import Format, render
from whypending.renderers.catalogue import meaning_of
from whypending.renderers.layout import Canvas
from whypending.renderers.words import CLASS_WORDS

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
SCREENSHOT = ROOT / "docs" / "demo.svg"
COLUMNS = 108
CLASSES = {
    Triage.NO_SCHEDULER: "No scheduler has ever looked at the Pod: the name is wrong, or the scheduler is down.",
    Triage.UNSCHEDULABLE: "A scheduler looked and found no node, and said why.",
    Triage.SCHEDULED_NOT_READY: "The Pod has a node, and the trouble is there: image, volume, network, probe, program.",
    Triage.HELD: "Somebody holds it on purpose: a gate, a queue, a suspended owner.",
    Triage.NO_POD: "The workload could not make its Pod: a quota, a policy, a webhook, a missing account.",
    Triage.NOT_STUCK: "It runs, has completed, or is too young to tell; old warnings are explained.",
}
"""What each class means to somebody who has never heard of it."""
_FONT_FACE = re.compile(r"\n *@font-face \{\{.*?\n *\}\}", re.DOTALL)
_SVG = _FONT_FACE.sub("", CONSOLE_SVG_FORMAT).replace("<svg ", '<svg xml:space="preserve" ', 1)
"""Some viewers drop spaces at the ends of a text element that is not told to keep them."""
_PART = "(<!-- {name}: generated -->\n).*?(<!-- end of {name} -->)"


def parts() -> dict[str, str]:
    """Each generated part by its name."""
    return {
        "classes": _table(("class", "in JSON", "what it means", "causes"), _classes()),
        "commands": _table(("command", "does"), ((f"`whypending {name}`", does) for name, does in COMMANDS.items())),
        "exit statuses": _table(("status", "says"), ((str(int(s)), s.meaning) for s in ExitStatus)),
        "causes": "\n".join(_causes()),
    }


def updated(text: str) -> str:
    """The README with every part as it has to be. ValueError where a part has no place in it."""
    for name, part in parts().items():
        pattern = re.compile(_PART.format(name=name), re.DOTALL)
        if not pattern.search(text):
            raise ValueError(f'README has no place for the part "{name}"')
        text = pattern.sub(lambda found, part=part: f"{found[1]}\n{part}\n{found[2]}", text)  # type: ignore[misc]
    return text


def _classes() -> Iterator[tuple[str, ...]]:
    for class_, means in CLASSES.items():
        yield (CLASS_WORDS[class_], f"`{class_}`", means, str(len(_of(class_))))


def _causes() -> Iterator[str]:
    for class_ in CLASSES:
        words = CLASS_WORDS[class_]
        yield f"**{words[0].upper()}{words[1:]}** (`{class_}`)\n"
        rows = ((c.cause.code, f"`{c.cause.name}`", meaning_of(c)) for c in _of(class_))
        yield _table(("code", "name", "means"), rows)


def _of(class_: Triage) -> list[Classifier]:
    return [c for c in catalogue() if c.cause.triage is class_]


def _table(head: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    body = [head, ("---",) * len(head), *([_cell(text) for text in row] for row in rows)]
    return "".join(f"| {' | '.join(row)} |\n" for row in body)


def _cell(text: str) -> str:
    """Text that stays itself in a Markdown table; what is in backticks is left alone."""
    words = text.split("`")
    words[::2] = [re.sub(r"([|*_<>\\])", r"\\\1", word) for word in words[::2]]
    return "`".join(words)


def screen() -> str:
    """What `whypending demo` shows on a terminal, with the paths of a source tree."""
    with contextlib.chdir(ROOT):
        scenario = scenarios(HOME.relative_to(ROOT))[0]
        with open_source(scenario.source, quiet=True) as source:
            diagnosis = diagnose(collect(source, "Pod", scenario.namespace, scenario.pod), source)
    notes = "".join(f"note: {note}\n" for note in diagnosis.notes)
    return f"$ {scenario.shown}\n{notes}{render(diagnosis, Format.TEXT, Canvas(COLUMNS, color=True))}"


def screenshot() -> str:
    """The screen as SVG, in the fonts that the reader has: nothing is fetched to show it."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    for line in screen().splitlines():
        text = Text.from_ansi(line)
        for row in text.divide(range(COLUMNS, len(text), COLUMNS)) or [text]:
            console.print(row, no_wrap=True, highlight=False)
    svg = console.export_svg(title="whypending demo", code_format=_SVG)
    return "".join(f"{line.rstrip()}\n" for line in svg.splitlines())


def main(arguments: list[str]) -> int:
    """Writes with `--write`, else says by its status whether all is current."""
    wanted = {README: updated(README.read_text(encoding="utf-8")), SCREENSHOT: screenshot()}
    old = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in old:
        if "--write" in arguments:
            path.parent.mkdir(exist_ok=True)
            path.write_text(wanted[path], encoding="utf-8")
        sys.stderr.write(f"{path.relative_to(ROOT)} {'written' if '--write' in arguments else 'is not current'}\n")
    return 1 if old and "--write" not in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
