"""`whypending completion SHELL`: click's own completion, as a script."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from whypending.cli.output import emit
from whypending.cli.status import ExitStatus

_VARIABLE = "_WHYPENDING_COMPLETE"


_HELP = """A script that makes a shell complete commands, options and causes.

\b
bash:  eval "$(whypending completion bash)"   in ~/.bashrc
zsh:   eval "$(whypending completion zsh)"    in ~/.zshrc
fish:  whypending completion fish | source    in ~/.config/fish/config.fish
"""


@click.command(help=_HELP)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> ExitStatus:
    """Write the script of one shell."""
    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(f"There is no completion for {shell}.", ctx)
    emit(found(ctx.find_root().command, {}, "whypending", _VARIABLE).source() + "\n")
    return ExitStatus.NOTHING_STUCK
