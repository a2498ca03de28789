"""`--from` with several paths, as a shell writes them for `--from *.yaml`."""

from __future__ import annotations

import click

_FLAG = "--from"
_LONG = {"-n": "--namespace", "-o": "--output"}


class PathsCommand(click.Command):
    """A command in which every word after `--from`, up to the next option, is a path.

    Only where no other word is left for NAME, the last of them is NAME: `pod --from a.yaml b.yaml web-1`. A command
    without NAME takes them all.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Click's own parsing, with `--from` repeated in front of each path."""
        spread, last = _spread(_spelled_out(args), ctx)
        if last is not None and not self._is_named(ctx, spread):
            del spread[last - 1]
        return super().parse_args(ctx, spread)

    def _is_named(self, ctx: click.Context, args: list[str]) -> bool:
        """Whether an argument gets a word when all of these are parsed, or none is wanted."""
        names = [p.name or "" for p in self.params if isinstance(p, click.Argument)]
        values, _, _ = self.make_parser(ctx).parse_args(list(args))
        return not names or any(isinstance(values.get(n), str | tuple | list) and values[n] for n in names)


def _spelled_out(args: list[str]) -> list[str]:
    """`-n` and `-o` by their long names: for a short one, click first looks for what else might be meant (3 ms)."""
    end = args.index("--") if "--" in args else len(args)
    return [_LONG.get(arg, arg) for arg in args[:end]] + args[end:]


def _spread(args: list[str], ctx: click.Context) -> tuple[list[str], int | None]:
    """The arguments with one `--from` a path, and where the last path is that had no `--from` of its own."""
    spread: list[str] = []
    last = None
    count: int | None = None
    for arg in args:
        if arg == _FLAG:
            _refuse_empty(count, ctx)
            count = 0
            spread.append(arg)
        elif count is not None and (arg == "-" or not arg.startswith("-")):
            if count:
                spread.append(_FLAG)
                last = len(spread)
            spread.append(arg)
            count += 1
        else:
            _refuse_empty(count, ctx)
            count = None
            spread.append(arg)
    _refuse_empty(count, ctx)
    return spread, last


def _refuse_empty(count: int | None, ctx: click.Context) -> None:
    if count == 0:
        raise click.UsageError("--from needs a path, or - for stdin.", ctx)
