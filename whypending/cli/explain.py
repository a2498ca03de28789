"""`whypending explain CODE|NAME`: the page of a cause, which is its module's docstring."""

from __future__ import annotations

from difflib import get_close_matches

import click
from click.shell_completion import CompletionItem

from whypending.classifiers import catalogue
from whypending.classifiers.cause import Classifier
from whypending.cli.options import OutputOptions, form_options
from whypending.cli.output import canvas, emit
from whypending.cli.status import ExitStatus
from whypending.errors import UsageError


def _complete(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    names = (name for known in catalogue() for name in (known.cause.name, known.cause.code))
    return [CompletionItem(name) for name in names if name.lower().startswith(incomplete.lower())]


@click.command
@click.argument("cause", metavar="CODE|NAME", shell_complete=_complete)
@form_options
def command(cause: str, output: OutputOptions) -> ExitStatus:
    """The page of a cause: what it means, how it is recognised, what to do.

    CODE|NAME is what a report calls it: WP404 or secret-key-missing.
    """
    from whypending.renderers import catalogue as pages  # noqa: PLC0415

    emit(pages.render_page(find(cause), output.form, canvas(output.color)))
    return ExitStatus.NOTHING_STUCK


def find(word: str) -> Classifier:
    """The cause of that code or name, in any case. Raises UsageError with near names."""
    wanted = word.strip().lower().replace("_", "-")
    known = {name: c for c in catalogue() for name in (c.cause.name, c.cause.code.lower())}
    if wanted in known:
        return known[wanted]
    inside = [c.cause.name for c in catalogue() if wanted and wanted in c.cause.name]
    near = [known[name].cause.name for name in get_close_matches(wanted, known, n=3)]
    offers = list(dict.fromkeys([*near, *inside]))[:5]
    hint = f"did you mean {', '.join(offers)}?" if offers else "whypending causes lists them all"
    raise UsageError(f'There is no cause "{word}".', hint)
