"""Paths, refusals and Gaps: how a Query is asked of the API and what its answers mean."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from whypending.errors import ConfigurationError, ForbiddenError
from whypending.evidence import Gap, GapReason
from whypending.sources.base import LogQuery, Query
from whypending.sources.live.access import Access
from whypending.sources.live.failures import Failure, plain
from whypending.sources.live.transport import Answer

PAGE = 500

OK, UNAUTHORIZED, FORBIDDEN, NOT_FOUND, GONE, REFUSED = 200, 401, 403, 404, 410, 400


def path_of(query: Query[Any], version: str) -> str:
    """The path of the object or the list, served as `version` ("v1" or "group/version")."""
    parts = ["apis" if "/" in version else "api", version]
    if query.kind.namespaced and query.namespace:
        parts += ["namespaces", quote(query.namespace, safe="")]
    parts.append(query.kind.plural)
    if is_single(query):
        parts.append(quote(query.name, safe=""))
    return "/" + "/".join(parts)


def is_single(query: Query[Any]) -> bool:
    """Whether it asks for one object by its path; a name in all namespaces is a list."""
    return bool(query.name) and (bool(query.namespace) or not query.kind.namespaced)


def params_of(query: Query[Any], token: str) -> dict[str, str]:
    """The parameters of one page of the list."""
    by_name = f"metadata.name={query.name}" if query.name else ""
    page = PAGE if query.limit is None or query.keep else min(PAGE, query.limit)
    params = {
        "limit": str(max(page, 1)),
        "fieldSelector": ",".join(filter(None, (query.fields, by_name))),
        "labelSelector": query.labels,
        "continue": token,
    }
    return {key: value for key, value in params.items() if value}


def is_missing_object(answer: Answer) -> bool:
    """A 404 that speaks of the object by its name, not of a path or resource; or a name that nothing can have."""
    problem = answer.problem
    if answer.status == REFUSED:
        return problem.message.startswith("Name parameter invalid")
    return answer.status == NOT_FOUND and problem.reason == "NotFound" and bool((problem.details or {}).get("name"))


def gap(query: Query[Any], reason: GapReason, detail: str) -> Gap:
    """The Gap of this query."""
    return Gap(
        what=query.what or _what(query),
        reason=reason,
        would_decide=query.would_decide,
        grant=_grant(query) if reason is GapReason.FORBIDDEN else "",
        detail=detail,
    )


def failed(query: Query[Any], failure: Failure) -> Gap:
    """The Gap of a read that failed, beside others that show that there is an API server."""
    known = failure.reason is GapReason.UNSUPPORTED
    return unsupported(query) if known else gap(query, failure.reason, failure.message)


def unsupported(query: Query[Any]) -> Gap:
    """The Gap of a kind that is not there in any of its versions."""
    return gap(query, GapReason.UNSUPPORTED, f"this server does not serve {query.kind.resource}")


def log_gap(query: LogQuery, reason: GapReason, detail: str) -> Gap:
    """The Gap of this log."""
    return Gap(
        what=f"the log of {query.namespace}/{query.pod}{'/' + query.container if query.container else ''}",
        reason=reason,
        would_decide=query.would_decide,
        grant=f'get pods/log in namespace "{query.namespace}"' if reason is GapReason.FORBIDDEN else "",
        detail=detail,
    )


def refusal(query: Query[Any], answer: Answer) -> Gap:
    """The Gap that a 4xx comes to."""
    message = answer.problem.message
    if answer.status == FORBIDDEN:
        return gap(query, GapReason.FORBIDDEN, message)
    if answer.status == GONE:
        return gap(query, GapReason.EXPIRED, message)
    return gap(query, GapReason.UNSUPPORTED, f"{answer.status}: {message}")


def unauthorized(access: Access, now: datetime | None) -> Failure:
    """The failure of a 401, with what is known about the credential."""
    expiry = access.expiry()
    if expiry and expiry[1] <= (now or datetime.now(UTC)):
        text = f'The {expiry[0]} of the user "{access.user}" expired at {expiry[1]:%Y-%m-%dT%H:%M:%SZ}.'
    elif access.credential:
        text = f'{access.host} does not accept the credential of the user "{access.user}" ({access.credential}).'
    else:
        text = f'The context "{access.context}" has no credential, and {access.host} wants one.'
    return Failure(
        text, "Log in again, or get a fresh kubeconfig for this cluster.", GapReason.FORBIDDEN, ConfigurationError
    )


def overall_refusal(access: Access, answer: Answer) -> Failure | None:
    """A 403 that will meet every read alike: nobody is logged in, or --as is not allowed."""
    problem = answer.problem
    if "cannot impersonate" in problem.message:
        return Failure(
            f"You may not act as somebody else here: {plain(problem.message).rstrip('.')}.",
            "Leave --as out, or ask for the verb impersonate.",
            GapReason.FORBIDDEN,
            ForbiddenError,
        )
    if 'User "system:anonymous"' in problem.message and not access.credential:
        return unauthorized(access, None)
    return None


def no_api(access: Access, path: str) -> Failure:
    """What answers is some other server: even the core API is not there."""
    return Failure(
        f"{access.host} is not a Kubernetes API server: it knows no {path}.",
        "Check the kubeconfig's server, with its path.",
        GapReason.UNSUPPORTED,
    )


def _what(query: Query[Any]) -> str:
    kind = query.kind.kind
    if query.name:
        return f"the {kind} {query.namespace + '/' if query.namespace else ''}{query.name}"
    plural = kind + ("es" if kind.endswith(("s", "ss")) else "s")
    return f"the {plural} in namespace {query.namespace}" if query.namespace else f"the {plural}"


def _grant(query: Query[Any]) -> str:
    """The RBAC rule in words: verb, resource, and where it has to hold."""
    verb = "get" if is_single(query) else "list"
    where = f'in namespace "{query.namespace}"' if query.kind.namespaced and query.namespace else "(cluster-wide)"
    return f"{verb} {query.kind.resource} {where}"
