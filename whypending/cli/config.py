"""`whypending config FILE|-|--configmap NS/NAME`: lint a scheduler's configuration, show the plugins it really runs."""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from pathlib import Path

import click
import msgspec

from whypending.cli.look import namespace_in, open_source
from whypending.cli.options import OutputOptions, SourceOptions, output_options, source_options
from whypending.cli.output import canvas, emit, say
from whypending.cli.paths import PathsCommand
from whypending.cli.progress import progress
from whypending.cli.status import ExitStatus
from whypending.collectors.configuration import Configured, configured
from whypending.errors import UnreadableFileError, UsageError
from whypending.schedulerconfig import Facts, Release, UnreadableTextError, check, parse_release, read_key, read_text
from whypending.schedulerconfig.model import Configuration
from whypending.schedulerconfig.releases import NEWEST
from whypending.schedulerconfig.text import holds_configuration
from whypending.schedulerconfig.tree import MAX_CHARACTERS

_GATE = re.compile(r"([A-Za-z0-9]+)=(true|false|1|0|t|f)", re.IGNORECASE)
_REF = re.compile(r"(?:(?P<namespace>[a-z0-9-]+)/)?(?P<name>[a-z0-9.-]+)")
_MOST_BYTES = 4 * MAX_CHARACTERS + 4
_ANY_TIME = datetime(2000, 1, 1, tzinfo=UTC)
"""Nothing here depends on when the files were saved."""
Judged = list[tuple[Configuration, Facts]]


class _Command(PathsCommand):
    """Every word after `--from` is a path: a FILE stands before it."""

    def _is_named(self, ctx: click.Context, args: list[str]) -> bool:  # noqa: ARG002
        return True


@click.command(cls=_Command)
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("--configmap", "config_maps", multiple=True, metavar="NS/NAME", help="Read a ConfigMap (repeatable).")
@click.option("--release", default="", metavar="1.X", help="Judge by this release of kube-scheduler.")
@click.option("--feature-gates", default="", metavar="A=true,…", help="As the scheduler is started with.")
@click.option("--plugin", "plugins", multiple=True, metavar="NAME", help="The scheduler is built with it (repeatable).")
@source_options
@output_options
def command(  # noqa: PLR0913, PLR0917 - each is a flag of the command line
    files: tuple[str, ...],
    config_maps: tuple[str, ...],
    release: str,
    feature_gates: str,
    plugins: tuple[str, ...],
    source: SourceOptions,
    output: OutputOptions,
) -> ExitStatus:
    """Lint a KubeSchedulerConfiguration, and show the plugins that each profile really runs.

    FILE is the configuration, or YAML with ConfigMaps that hold it; - is stdin. An error is what kube-scheduler
    refuses at its start; a warning, what it takes and does not do as written. Ends with 1 where there is either.
    """
    asked = Facts(_release(release), _gates(feature_gates), frozenset(plugins))
    if not files and not config_maps:
        raise UsageError("There is nothing to look at.", "whypending config FILE, or --configmap NAMESPACE/NAME")
    judged = [each for file in dict.fromkeys(files) for each in _of_file(file, asked, quiet=output.quiet)]
    if config_maps:
        judged += _of_cluster(config_maps, source, asked, release=release, quiet=output.quiet)
    reports = check([c for c, _ in judged], [f for _, f in judged])
    from whypending.renderers import config as pages  # noqa: PLC0415

    emit(pages.render(reports, output.form, canvas(output.color)))
    clean = output.exit_zero or not any(report.findings for report in reports)
    return ExitStatus.NOTHING_STUCK if clean else ExitStatus.STUCK


def _release(text: str) -> Release:
    found = parse_release(text, "--release") if text else Release(NEWEST)
    if found is None:
        raise UsageError(f'"{text}" is no release of Kubernetes.', f"write it as 1.{NEWEST}")
    return found


def _gates(text: str) -> dict[str, bool]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    found = [_GATE.fullmatch(part) for part in parts]
    if not all(found):
        raise UsageError(f'--feature-gates "{text}" can\'t be read.', "write it as Name=true,OtherName=false")
    return {match[1]: match[2].lower() in {"true", "1", "t"} for match in found if match}


def _of_file(file: str, facts: Facts, *, quiet: bool) -> Judged:
    name = "stdin" if file == "-" else file
    try:
        found = read_text(_text(file, quiet=quiet), name)
    except UnreadableTextError as error:
        raise _unreadable(name, error) from error
    _tell(found.notes, quiet=quiet)
    return [(configuration, facts) for configuration in found.configurations]


def _text(file: str, *, quiet: bool) -> str:
    try:
        if file != "-":
            with Path(file).open("rb") as opened:
                return opened.read(_MOST_BYTES).decode("utf-8-sig")
        if not quiet and sys.stdin.isatty():
            say("note: paste the configuration, then press Ctrl-D.")
        return sys.stdin.buffer.read(_MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableTextError("it is not UTF-8 text") from error
    except OSError as error:
        raise UnreadableTextError((error.strerror or str(error)).lower()) from error


def _unreadable(name: str, error: UnreadableTextError) -> UnreadableFileError:
    where = f"{name}, line {error.line}" if error.line else name
    return UnreadableFileError(f"{where}: {error.reason}.", "give the text that kube-scheduler gets by --config")


def _tell(notes: tuple[str, ...], *, quiet: bool) -> None:
    for note in () if quiet else notes:
        say(f"note: {note}")


def _of_cluster(refs: tuple[str, ...], options: SourceOptions, facts: Facts, *, release: str, quiet: bool) -> Judged:
    judged: Judged = []
    asked = [_named(ref) for ref in dict.fromkeys(refs)]
    if options.from_paths and options.now is None:
        options = msgspec.structs.replace(options, now=_ANY_TIME)
    with open_source(options, quiet=quiet) as source, progress("looking", quiet=quiet):
        for given, name in asked:
            found = configured(source, given or namespace_in(source, options), name)
            server = parse_release(source.server_version, "the server's version")
            judged += _of_config_map(found, facts, None if release else server, quiet=quiet)
        _tell(source.notes, quiet=quiet)
    return judged


def _named(ref: str) -> tuple[str, str]:
    """The namespace ("": the one of the command line) and the name."""
    match = _REF.fullmatch(ref)
    if not match:
        raise UsageError(f'"{ref}" can\'t be a ConfigMap.', "write it as NAMESPACE/NAME")
    return match["namespace"] or "", match["name"]


def _of_config_map(found: Configured, facts: Facts, server: Release | None, *, quiet: bool) -> Judged:
    meta = found.config_map.metadata
    ref = f"{meta.namespace}/{meta.name}" if meta.namespace else meta.name
    judged: Judged = []
    for key, text in found.config_map.data.items():
        if not holds_configuration(text):
            _tell((f"passed over key {key} of ConfigMap {ref}, which is no KubeSchedulerConfiguration.",), quiet=quiet)
            continue
        name = f"ConfigMap {ref}:{key}"
        try:
            configurations = read_key(text, name, f"{ref}:{key}")
        except UnreadableTextError as error:
            raise _unreadable(name, error) from error
        known = _facts_of(found, key, facts, server)
        judged += [(configuration, known) for configuration in configurations]
        if not known.used:
            users = ", ".join(dict.fromkeys(mount.deployed.ref for mount in found.mounts))
            _tell((f"{users} reads another key than {key}, which is judged by itself.",), quiet=quiet)
    if not judged:
        raise UnreadableFileError(
            f"ConfigMap {ref} holds no KubeSchedulerConfiguration.", "name the ConfigMap that the scheduler mounts"
        )
    _tell(tuple(f"{gap.what} not looked at ({gap.reason}): {gap.would_decide}." for gap in found.gaps), quiet=quiet)
    return judged


def _facts_of(found: Configured, key: str, facts: Facts, server: Release | None) -> Facts:
    """The flags, the image and the gates of the workloads whose --config names this key."""
    users = tuple(m.deployed for m in found.mounts if m.key == key or m.key not in found.config_map.data)
    stock = [d for d in users if d.is_stock]
    tag = stock[0].image.partition("@")[0].rpartition(":")[2] if stock else ""
    by_image = parse_release(tag, f"the image of {stock[0].ref}") if stock else None
    release = facts.release if facts.release.origin == "--release" else by_image or server or facts.release
    gates = {
        g[1]: g[2].lower() in {"true", "1", "t"} for d in users for g in _GATE.finditer(d.flag("feature-gates") or "")
    }
    return Facts(release, {**gates, **facts.gates}, facts.plugins, users, used=bool(users) or not found.mounts)
