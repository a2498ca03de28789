"""Queries asked of the API and their answers decoded: pages, API versions, refusals, and when contact is made."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from whypending.evidence import GapReason, Known
from whypending.objects.base import KubeObject
from whypending.objects.kinds import PODS, Kind
from whypending.sources.base import LogQuery, Query
from whypending.sources.decode import MAX_NOTES, from_json, page_from_json
from whypending.sources.live import failures, reading
from whypending.sources.live.access import Access
from whypending.sources.live.transport import Answer, Transport

T = TypeVar("T", bound=KubeObject)


class _Version(msgspec.Struct, frozen=True, rename="camel"):
    git_version: str = ""


class Reader:
    """Reads from the current thread. Raises Failure where there was no answer of an API server.

    contacted: whether the server has answered once as an API server does. notes: what was dropped.
    """

    def __init__(self, access: Access, transport: Transport) -> None:
        self._access = access
        self._transport = transport
        self._served: dict[Kind[Any], str] = {}
        self.contacted = False
        self.notes: list[str] = []

    def version(self) -> str:
        """GitVersion of /version, empty where it may not be read."""
        try:
            answer = self._transport.get("/version", {}, retries=1)
            return msgspec.json.decode(answer.body, type=_Version).git_version if answer.status == reading.OK else ""
        except (failures.Failure, msgspec.DecodeError):
            return ""

    def read(self, query: Query[T]) -> Known[T]:
        """The object or the list; a 4xx is a Gap. The first of the kind's versions that is served is remembered."""
        if query.name in {".", ".."} or query.namespace in {".", ".."}:
            return ()
        known = self._served.get(query.kind)
        for version in (known,) if known else query.kind.versions:
            found = self._one(query, version) if reading.is_single(query) else self._list(query, version)
            if found is not None:
                self._served[query.kind] = version
                return found
        return reading.unsupported(query)

    def _one(self, query: Query[T], version: str) -> Known[T] | None:
        answer = self._asked(query, version, {})
        if reading.is_missing_object(answer):
            return ()
        if answer.status == reading.NOT_FOUND:
            return None
        if answer.status >= reading.REFUSED:
            return reading.refusal(query, answer)
        notes: list[str] = []
        item = from_json(answer.body, query.kind.struct, notes)
        if item is None or item.name != query.name:
            raise failures.malformed(self._access.host, _problem(notes) or "it is not the object asked for")
        self._accept(notes)
        kept = query.keep(self._whole(item, query.kind, version)) if query.keep else item
        return () if kept is None else (self._whole(kept, query.kind, version),)

    def _list(self, query: Query[T], version: str) -> Known[T] | None:
        items: list[T] = []
        token, restarted, pages = "", False, 0
        while (query.limit is None or len(items) < query.limit) and pages != query.pages:
            answer = self._asked(query, version, reading.params_of(query, token))
            if answer.status == reading.NOT_FOUND:
                return None
            if answer.status == reading.GONE and token and not restarted:
                items, token, restarted, pages = [], "", True, 0
                continue
            if answer.status >= reading.REFUSED:
                return reading.refusal(query, answer)
            token = self._add_page(query, version, answer, items)
            pages += 1
            if not token:
                break
        return tuple(items[: query.limit])

    def _add_page(self, query: Query[T], version: str, answer: Answer, items: list[T]) -> str:
        """Add what is kept of a page and return where the list goes on."""
        notes: list[str] = []
        page = page_from_json(answer.body, query.kind.struct, notes)
        if page is None or not page.kind.endswith("List"):
            raise failures.malformed(self._access.host, _problem(notes) or "it is no list")
        self._accept(notes)
        for item in page.items:
            kept = query.keep(item) if query.keep else item
            if kept is not None:
                items.append(self._whole(kept, query.kind, version))
        return page.metadata.continue_

    def _whole(self, item: T, kind: Kind[Any], version: str) -> T:
        """Items of a list say neither kind nor version; where the Struct does not know them, they are filled in."""
        return item if item.kind else msgspec.structs.replace(item, kind=kind.kind, api_version=version)

    def log(self, query: LogQuery) -> Known[str]:
        """The lines; empty where there is no such log or Pod (400, 404)."""
        pod = Query(kind=PODS, namespace=query.namespace, name=query.pod)
        params = {
            "container": query.container,
            "previous": "true" if query.previous else "",
            "tailLines": str(query.tail_lines),
            "limitBytes": str(query.limit_bytes),
            "sinceSeconds": str(query.since_seconds or ""),
        }
        path = reading.path_of(pod, "v1") + "/log"
        answer = self._transport.get(path, {key: value for key, value in params.items() if value}, retries=0)
        self._check_identity(answer)
        if answer.status in {reading.REFUSED, reading.NOT_FOUND}:
            return ()
        if answer.status > reading.REFUSED:
            return reading.log_gap(query, GapReason.FORBIDDEN, answer.problem.message)
        return tuple(line.rstrip("\r") for line in answer.body.decode("utf-8", "replace").split("\n") if line)

    def _asked(self, query: Query[Any], version: str, params: dict[str, str]) -> Answer:
        path = reading.path_of(query, version)
        answer = self._transport.get(path, params)
        self._check_identity(answer)
        if answer.status >= reading.REFUSED:
            if answer.problem.kind == "Status":
                self.contacted = True
            elif answer.status == reading.NOT_FOUND and not query.kind.group and not self.contacted:
                raise reading.no_api(self._access, path)
        return answer

    def _check_identity(self, answer: Answer) -> None:
        if answer.status == reading.UNAUTHORIZED:
            raise reading.unauthorized(self._access, self._transport.date)
        if answer.status == reading.FORBIDDEN and not self.contacted:
            overall = reading.overall_refusal(self._access, answer)
            if overall is not None:
                raise overall

    def _accept(self, notes: list[str]) -> None:
        """What came is an API server's: from now on failures are Gaps."""
        self.contacted = True
        self.notes += notes[: max(MAX_NOTES - len(self.notes), 0)]


def _problem(notes: list[str]) -> str:
    """What the last note says is wrong, without what was done about it."""
    return notes[-1].rpartition(" was skipped: ")[2] if notes else ""
