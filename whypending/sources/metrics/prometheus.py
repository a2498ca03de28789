"""`--prometheus URL`: the newest values that a Prometheus has of the schedulers that it scrapes."""

from __future__ import annotations

import base64
from datetime import UTC, datetime

from whypending.evidence import Gap, GapReason, Known, Scrape
from whypending.metrics import promql
from whypending.sources.live.access import Access
from whypending.sources.live.failures import Failure, plain
from whypending.sources.live.transport import Answer
from whypending.sources.metrics.fetch import Fetcher, access_to, grant_of, login_in, unverified
from whypending.sources.metrics.file import origin_of
from whypending.sources.metrics.gaps import gap
from whypending.sources.metrics.wanted import Wanted

_PATH = "/api/v1/query"
_CHECK = "check --prometheus: the base URL of Prometheus' HTTP API"
_LOG_IN = "log in with --prometheus-token-file FILE, or with --prometheus-user NAME"
_REASONS = {"timeout": GapReason.TIMED_OUT, "execution": GapReason.MALFORMED, "bad_data": GapReason.UNSUPPORTED}
_UNAUTHORIZED, _FORBIDDEN, _NOT_FOUND = 401, 403, 404


def read(wanted: Wanted, at: datetime | None = None) -> Known[Scrape]:
    """One Scrape a scheduler that Prometheus knows; at: as of then, None = now."""
    access, path = access_to(wanted.prometheus, wanted, _authorization(wanted))
    fetcher = Fetcher(access, wanted)
    fetcher.send_also(wanted.headers)
    try:
        return _read(fetcher, access, path.rstrip("/") + _PATH, at)
    except Failure as failure:
        return gap(failure.reason, failure.message, grant_of(failure, _CHECK))
    finally:
        fetcher.close()


def _read(fetcher: Fetcher, access: Access, path: str, at: datetime | None) -> Known[Scrape]:
    first = _query(fetcher, access, path, promql.OF_SCHEDULERS, at)
    if isinstance(first, Gap):
        return first
    targets = promql.targets_of(first.samples)
    more = _query(fetcher, access, path, promql.of_processes(targets), at) if targets else promql.Vector(())
    warnings = (*unverified(access), *first.warnings)
    if isinstance(more, Gap):
        warnings = (*warnings, f"What else these processes expose could not be read: {more.detail}")
        more = promql.Vector(())
    found = promql.processes((*first.samples, *more.samples))
    when = None if first.at is None else datetime.fromtimestamp(first.at, UTC)
    scrapes = tuple(
        Scrape(
            origin=origin_of(f"Prometheus {access.host}", process.target),
            how="prometheus",
            at=when,
            samples=process.samples,
            warnings=(*warnings, *more.warnings),
        )
        for process in found
    )
    return scrapes or _nobody(access, warnings)


def _nobody(access: Access, warnings: tuple[str, ...]) -> Gap:
    told = f" It warns: {' '.join(warnings)}" if warnings else ""
    return gap(
        GapReason.UNSUPPORTED,
        f"{access.host} has no series of a scheduler: it scrapes none, or has not for five minutes.{told}",
        "have Prometheus scrape the scheduler's /metrics, or use --metrics-serviceaccount NS/NAME",
    )


def _query(fetcher: Fetcher, access: Access, path: str, query: str, at: datetime | None) -> promql.Vector | Gap:
    params = {"query": query, "limit": str(promql.MAX_SERIES)}
    if at is not None:
        params["time"] = f"{at.timestamp():.3f}"
    answer = fetcher.fetch(path, params)
    try:
        vector = promql.decode(answer.body)
    except promql.AnswerError as error:
        return _refused(access, answer, error)
    return vector


def _refused(access: Access, answer: Answer, error: promql.AnswerError) -> Gap:
    host = access.host
    if answer.status in {_UNAUTHORIZED, _FORBIDDEN} and not error.kind:
        words = plain(answer.body.decode("utf-8", "replace"), 120).rstrip(".")
        text = f"{host} answered {answer.status}{f' ({words})' if words else ''}."
        return gap(GapReason.FORBIDDEN, text, _LOG_IN)
    if answer.status == _NOT_FOUND and not error.kind:
        return gap(GapReason.MALFORMED, f"{host} has no {_PATH} at that address.", _CHECK)
    told = f"{host} answered {answer.status}: {plain(str(error), 200).rstrip('.')}."
    return gap(_REASONS.get(error.kind, GapReason.MALFORMED), told, "" if error.kind else _CHECK)


def _authorization(wanted: Wanted) -> str:
    if wanted.token:
        return f"Bearer {wanted.token}"
    login = f"{wanted.user}:{wanted.password}" if wanted.user else login_in(wanted.prometheus)
    return "Basic " + base64.b64encode(login.encode()).decode() if login else ""
