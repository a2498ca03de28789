"""`whypending` and its commands, each imported when it is called."""

from __future__ import annotations

import shlex
from importlib import import_module

import click

from whypending import __version__
from whypending.cli.options import output_options, source_options
from whypending.cli.status import ExitStatus

COMMANDS = {
    "pod": "Why one Pod, or the Pods of one workload, do not run.",
    "sweep": "Every stuck Pod of a namespace or a cluster, by cause.",
    "schedulers": "Every scheduler, what it serves, who leads, and who waits for nobody.",
    "config": "Lint a scheduler's configuration; the plugins it really runs.",
    "explain": "The page of a cause: what it means, what to do.",
    "causes": "Every cause that whypending knows.",
    "snapshot": "Save what was read about a Pod, for --from.",
    "demo": "A report on a saved Pod: no cluster needed.",
    "schema": "The JSON Schema of -o json.",
    "rights": "The RBAC ClusterRole or Role that looking needs.",
    "completion": "A script that makes a shell complete commands.",
}
"""In the order of the help; a command's module has its name and holds a `command`."""


class SuggestedUsageError(click.UsageError):
    """A wrong command line with a next step that is more exact than `--help`."""

    def __init__(self, message: str, ctx: click.Context | None, hint: str) -> None:
        super().__init__(message, ctx)
        self.hint = hint


_FLAGS = {"version": "--version", "help": "--help"}


def _instead(args: list[str]) -> str:
    """What a word of other tools stands for here: `version`, and kubectl's `get pod x`; empty where it is none."""
    from whypending.cli.target import KUBECTL_VERBS, kind_of  # noqa: PLC0415

    if args[0] in _FLAGS:
        return _FLAGS[args[0]]
    if args[0] not in KUBECTL_VERBS:
        return ""
    rest = args[1:]
    if len(rest) > 1 and kind_of(rest[0]):
        rest = [rest[1] if kind_of(rest[0]) == "Pod" else f"{rest[0]}/{rest[1]}", *rest[2:]]
    return shlex.join(["pod", *rest]) if rest else "pod NAME"


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = import_module(f"whypending.cli.{cmd_name}").command
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command, or what the word may have been meant for: a command, or a Pod."""
        word = args[0]
        if word in COMMANDS:
            return super().resolve_command(ctx, args)
        if meant := _instead(args):
            raise SuggestedUsageError(f'There is no command "{word}".', ctx, f"{ctx.command_path} {meant}")
        from difflib import get_close_matches  # noqa: PLC0415 - only for what is not found

        near = get_close_matches(word.lower(), COMMANDS, n=1)
        hint = f"{ctx.command_path} {near[0] if near else f'pod {word}'}"
        if near:
            hint += f", or for a Pod of that name: {ctx.command_path} pod {word}"
        raise SuggestedUsageError(f'There is no command "{word}".', ctx, hint)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What to do comes first, how comes second."""
        self.format_commands(ctx, formatter)
        click.Command.format_options(self, ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Exit statuses"):
            formatter.write_dl([(str(int(status)), status.meaning) for status in ExitStatus])
        with formatter.section("Examples"):
            formatter.write_dl(
                [
                    (f"{ctx.command_path} pod -n shop checkout-0", "look at a Pod of the current cluster"),
                    (f"{ctx.command_path} pod deploy/checkout", "look at a workload"),
                    (
                        f"kubectl get pod,events,nodes -o yaml | {ctx.command_path} pod checkout-0 --from -",
                        "no cluster",
                    ),
                ]
            )


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="whypending", message="%(prog)s %(version)s")
@source_options
@output_options
@click.pass_context
def app(ctx: click.Context, /, **_: object) -> None:
    """Why is this Pod not running? One true sentence, the proof, and what to do.

    Options may stand anywhere: in front of the command, or before or after the Pod's name.
    """
    given = {
        name: value
        for name, value in ctx.params.items()
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    }
    ctx.default_map = dict.fromkeys(COMMANDS, given)
