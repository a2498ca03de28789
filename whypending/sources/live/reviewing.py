"""SubjectAccessReview (authorization.k8s.io/v1): the one question to the API server that is a POST."""

from __future__ import annotations

from typing import Any

import msgspec

from whypending.evidence import Gap, GapReason, Known
from whypending.sources.base import Review
from whypending.sources.live import failures, reading
from whypending.sources.live.transport import Transport

PATH = "/apis/authorization.k8s.io/v1/subjectaccessreviews"
_GRANT = "create subjectaccessreviews.authorization.k8s.io (cluster-wide)"


class _Status(msgspec.Struct, frozen=True):
    allowed: bool


class _Answer(msgspec.Struct, frozen=True):
    status: _Status


def ask(transport: Transport, review: Review) -> Known[bool]:
    """The API server's own answer, by all its authorizers; a 4xx is a Gap. Raises Failure where none came."""
    answer = transport.post(PATH, msgspec.json.encode(_body(review)))
    if answer.status >= reading.REFUSED:
        reason = GapReason.FORBIDDEN if answer.status == reading.FORBIDDEN else GapReason.UNSUPPORTED
        return gap(reason, answer.problem.message)
    try:
        return (msgspec.json.decode(answer.body, type=_Answer).status.allowed,)
    except msgspec.DecodeError as error:
        raise failures.malformed(PATH, str(error)) from error


def gap(reason: GapReason, detail: str) -> Gap:
    """The Gap of any review: what one may not ask, one may not ask of anything."""
    return Gap(
        what="access reviews of the scheduler's user",
        reason=reason,
        would_decide="whether the scheduler may do what it needs",
        grant=_GRANT if reason is GapReason.FORBIDDEN else "",
        detail=detail,
    )


def _body(review: Review) -> dict[str, Any]:
    resource, _, sub = review.resource.partition("/")
    attributes = {
        "verb": review.verb, "group": review.group, "resource": resource, "subresource": sub,
        "namespace": review.namespace, "name": review.name,
    }  # fmt: skip
    spec = {
        "user": review.user,
        "groups": review.groups,
        "resourceAttributes": {key: value for key, value in attributes.items() if value},
    }
    return {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": spec}
