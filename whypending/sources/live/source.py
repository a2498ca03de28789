"""LiveSource: the protocol of all sources on a real cluster, GET only."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

from whypending.evidence import NOT_READ, Gap, Known, LogLine
from whypending.objects.base import KubeObject
from whypending.sources.base import LogQuery, Query, Review
from whypending.sources.live import failures, reading, reviewing
from whypending.sources.live.access import Access
from whypending.sources.live.credentials import Flags, load
from whypending.sources.live.failures import Failure
from whypending.sources.live.pool import GRACE, Pool, Task
from whypending.sources.live.reader import Reader
from whypending.sources.live.transport import Transport

T = TypeVar("T", bound=KubeObject)
R = TypeVar("R")


class LiveSource:
    """A cluster by its API. Only GET is sent (but see `review`), and Secrets are never asked for.

    Until the server has answered once as an API server does, a failed read raises ConfigurationError,
    UnreachableError or ForbiddenError; from then on it is a Gap.
    """

    def __init__(self, access: Access, *, timeout: float = 30, request_timeout: float = 10) -> None:
        """`timeout`: seconds for everything from now on. `request_timeout`: for each single wait."""
        deadline = time.monotonic() + timeout
        self._access = access
        self._timeout = timeout
        self._deadline = deadline
        self._transport = Transport(access, deadline, timeout, request_timeout)
        self._reader = Reader(access, self._transport)
        self._pool = Pool(deadline)
        self._lock = threading.Lock()
        self._landing = threading.Condition()
        self._in_flight = 0
        self._version: Task[str] | None = None
        self._now: datetime | None = None
        if not access.verify:
            self._reader.notes.append(f"The certificate of {access.host} is not verified.")

    @classmethod
    def connect(  # noqa: PLR0913 - each is a flag of the command line
        cls,
        *,
        kubeconfig: str | None,
        context: str | None,
        as_user: str = "",
        as_groups: Sequence[str] = (),
        timeout: float = 30,
        request_timeout: float = 10,
        allow_insecure: bool = False,
    ) -> LiveSource:
        """Load the configuration as kubectl would; nothing is sent yet. Raises ConfigurationError.

        timeout, request_timeout: seconds, for the whole run and for each single wait. allow_insecure: kubectl's
        --insecure-skip-tls-verify.
        """
        flags = Flags(as_user=as_user, as_groups=tuple(as_groups), allow_insecure=allow_insecure, timeout=timeout)
        return cls(load(kubeconfig, context, flags), timeout=timeout, request_timeout=request_timeout)

    @property
    def kind(self) -> str:
        """`live`."""
        return "live"

    @property
    def namespace(self) -> str:
        """The context's default namespace."""
        return self._access.namespace

    @property
    def access(self) -> Access:
        """Server and identity, for what the user's flags ask beyond reading (`--metrics-serviceaccount`)."""
        return self._access

    @property
    def details(self) -> tuple[tuple[str, str], ...]:
        """Server (without user info), version and context."""
        found = (("server", self._access.server), ("version", self.server_version), ("context", self._access.context))
        return tuple((name, value) for name, value in found if value)

    @property
    def clock_is_floor(self) -> bool:
        """A cluster has its own clock."""
        return False

    @property
    def now(self) -> datetime:
        """The Date header of the server's first answer; this machine's clock where it sends none (noted)."""
        if self._now is None:
            self._now = self._transport.date or (self.server_version and self._transport.date) or None
        if self._now is None:
            self._now = datetime.now(UTC)
            self._reader.notes.append(f"{self._access.host} sends no Date: ages are by this machine's clock.")
        return self._now

    @property
    def server_version(self) -> str:
        """GitVersion of /version, empty where it may not be read. Asked for once, beside the first read."""
        try:
            return self._version_task().result(self._deadline)
        except TimeoutError:
            return ""

    @property
    def notes(self) -> tuple[str, ...]:
        """Skipped items, dropped fields, an unverified certificate, a missing Date."""
        return tuple(self._reader.notes)

    def read(self, query: Query[T]) -> Known[T]:
        """Answer one query. Raises as the class says while there was no contact yet."""
        if query.kind.kind == "Secret" or query.kind.plural == "secrets":
            raise AssertionError("Secrets are never read")
        self._version_task()
        return self._contained(lambda: self._reader.read(query), lambda f: reading.failed(query, f))

    def log(self, query: LogQuery) -> Known[str]:
        """Lines, oldest first; empty where the container has no such log (it never started, or the Pod is gone)."""
        return self._contained(lambda: self._reader.log(query), lambda f: reading.log_gap(query, f.reason, f.message))

    def log_lines(self) -> Known[LogLine]:
        """Not read: a cluster has no log files beside its objects."""
        return NOT_READ

    def review(self, review: Review) -> Known[bool]:
        """Whether that user may do that, by a SubjectAccessReview: a POST, which changes nothing."""
        return self._contained(
            lambda: reviewing.ask(self._transport, review), lambda f: reviewing.gap(f.reason, f.message)
        )

    def gather(self, calls: Sequence[Callable[[], Any]]) -> list[Any]:
        """Run the calls in up to eight daemon threads; results in order, the first error in order is raised."""
        try:
            return self._pool.gather(calls)
        except TimeoutError:
            raise failures.timed_out(self._access.host, self._timeout).as_error() from None

    def close(self) -> None:
        """Close the connections, beside whatever comes next: TLS takes longer over it than the report."""
        self._pool.submit(self._transport.close)

    def _contained(self, call: Callable[[], R], as_gap: Callable[[Failure], Gap]) -> R | Gap:
        """Run it where waiting is safe; a Failure is an error at the first contact and a Gap later."""
        with self._landing:
            self._in_flight += 1
        try:
            if self._pool.is_worker:
                return call()
            return self._pool.submit(call).result(self._deadline)
        except TimeoutError:
            failure = failures.timed_out(self._access.host, self._timeout)
        except Failure as found:
            failure = found
        finally:
            with self._landing:
                self._in_flight -= 1
                self._landing.notify_all()
        if not self._is_met():
            raise failure.as_error() from failure
        return as_gap(failure)

    def _is_met(self) -> bool:
        """Whether there was contact; of reads that began together, one that fails first must not hide the others."""
        with self._landing:
            left = max(self._deadline + GRACE - time.monotonic(), 0)
            self._landing.wait_for(lambda: self._reader.contacted or not self._in_flight, left)
        return self._reader.contacted

    def _version_task(self) -> Task[str]:
        with self._lock:
            if self._version is None:
                self._version = self._pool.submit(self._reader.version)
            return self._version
