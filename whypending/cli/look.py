"""The main job: open the source, collect the evidence, judge it, write the report, end with its status."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

from whypending.cli.metrics import MetricsOptions
from whypending.cli.options import NoiseOptions, OutputOptions, SourceOptions
from whypending.cli.output import canvas, emit, say
from whypending.cli.progress import progress
from whypending.cli.status import ExitStatus
from whypending.cli.target import Name
from whypending.diagnosis import Diagnosis, Triage
from whypending.errors import UsageError
from whypending.sources.base import Source

if TYPE_CHECKING:
    from whypending.collectors.wish import Wish
    from whypending.sources.metrics.wanted import Wanted

_LABEL = re.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
"""RFC 1123, as the API server checks it."""
_NO_METRICS = MetricsOptions()
_OF_CLUSTERS = ("context", "kubeconfig", "as_user", "as_groups", "insecure", "timeout", "request_timeout")


def look(name: Name, source: SourceOptions, output: OutputOptions, metrics: MetricsOptions = _NO_METRICS) -> ExitStatus:
    """Report on one target. Raises WhypendingError where nothing could be looked at."""
    diagnosis = _judged(name, source, output, wanted_metrics(metrics, source))
    if not output.quiet:
        for note in diagnosis.notes:
            say(f"note: {note}")
    from whypending.renderers import render  # noqa: PLC0415

    emit(render(diagnosis, output.form, canvas(output.color)))
    return status_of(diagnosis, exit_zero=output.exit_zero)


def _judged(name: Name, source: SourceOptions, noise: NoiseOptions, wanted: Wanted | None) -> Diagnosis:
    start = perf_counter()
    with open_source(source, quiet=noise.quiet) as opened, progress("looking", quiet=noise.quiet):
        from whypending.collectors import collect  # noqa: PLC0415 (not needed where nothing can be read)
        from whypending.collectors.metrics import add as add_metrics  # noqa: PLC0415

        place = namespace_in(opened, source)
        evidence = collect(opened, name.kind, place, name.name, _expect, wish=wish_of(source))
        evidence = add_metrics(opened, evidence, wanted)
        from whypending.engine import diagnose  # noqa: PLC0415

        read = perf_counter()
        diagnosis = diagnose(evidence, opened)
    if noise.verbose:
        say(f"note: read in {read - start:.2f} s, judged in {perf_counter() - read:.2f} s.")
    return diagnosis


def wanted_metrics(options: MetricsOptions, source: SourceOptions) -> Wanted | None:
    """Where metrics are asked for, if anywhere. Raises UsageError."""
    return options.wanted(files=bool(source.from_paths), timeout=source.timeout, request_timeout=source.request_timeout)


def wish_of(options: SourceOptions) -> Wish:
    """What `--log-window` and `--check-access` come to."""
    from whypending.collectors.wish import Wish  # noqa: PLC0415

    window = {} if options.log_window is None else {"log_window": options.log_window}
    return Wish(check_access=options.check_access, **window)


def _expect(class_: Triage) -> None:
    """The classifiers of the class, while what they judge is read."""
    from whypending.engine import prepare  # noqa: PLC0415

    prepare(class_)


def status_of(diagnosis: Diagnosis, *, exit_zero: bool) -> ExitStatus:
    """What a report ends with. `unknown` counts as stuck: nothing shows that the Pod runs."""
    well = diagnosis.triage is Triage.NOT_STUCK
    return ExitStatus.NOTHING_STUCK if well or exit_zero else ExitStatus.STUCK


def namespace_in(opened: Source, options: SourceOptions) -> str:
    """`-n`, else the context's; empty for files, which are searched in every namespace."""
    if options.from_paths:
        return options.namespace
    namespace: str = options.namespace or getattr(opened, "namespace", "") or "default"
    if not _LABEL.fullmatch(namespace):
        raise UsageError(f'"{namespace}" can\'t be the name of a namespace.', "see them: kubectl get namespaces")
    return namespace


@contextmanager
def open_source(options: SourceOptions, *, quiet: bool) -> Iterator[Source]:
    """The cluster, or the files that `--from` names, closed in the end."""
    _check(options, quiet=quiet)
    source = _files(options, quiet=quiet) if options.from_paths else _live(options)
    try:
        yield source
    finally:
        source.close()


def _files(options: SourceOptions, *, quiet: bool) -> Source:
    if "-" in options.from_paths and not quiet and sys.stdin is not None and sys.stdin.isatty():
        say("note: paste the objects, then press Ctrl-D.")
    from whypending.sources.files import FilesSource  # noqa: PLC0415

    return FilesSource.open(options.from_paths, options.now)


def _live(options: SourceOptions) -> Source:
    from whypending.sources.live import LiveSource  # noqa: PLC0415 (kubernetes costs 150 ms)

    limits = {"timeout": options.timeout, "request_timeout": options.request_timeout}
    return LiveSource.connect(
        kubeconfig=options.kubeconfig or None,
        context=options.context or None,
        as_user=options.as_user,
        as_groups=options.as_groups,
        allow_insecure=options.insecure,
        **{name: limit for name, limit in limits.items() if limit is not None},
    )


def _check(options: SourceOptions, *, quiet: bool) -> None:
    if options.as_groups and not options.as_user:
        raise UsageError("--as-group needs --as.", f"--as USER --as-group {options.as_groups[0]}")
    if options.now and not options.from_paths:
        raise UsageError("--now needs --from: a cluster has its own clock.", "leave --now out, or add --from PATH")
    idle = [name for name in _OF_CLUSTERS if getattr(options, name)]
    if options.from_paths and idle and not quiet:
        flags = ", ".join(_flag(name) for name in idle)
        say(f"note: {flags} means nothing with --from: no cluster is asked.")


def _flag(name: str) -> str:
    renamed = {"as_user": "as", "as_groups": "as-group", "insecure": "insecure-skip-tls-verify"}
    return "--" + renamed.get(name, name).replace("_", "-")
