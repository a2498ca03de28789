"""What to say of a read that the files do not answer: the command whose output would."""

from __future__ import annotations

from shlex import quote
from typing import Any

from whypending.evidence import Gap, GapReason
from whypending.objects.kinds import Kind
from whypending.sources.base import LogQuery, Query


def command_for(kind: Kind[Any], namespace: str, name: str = "", labels: str = "") -> str:
    """`kubectl get pods -n prod -o yaml`."""
    parts = ["kubectl get", kind.resource, *([quote(name)] if name else [])]
    if kind.namespaced:
        parts.append(f"-n {quote(namespace)}" if namespace else "-A")
    if labels:
        parts.append(f"-l {quote(labels)}")
    return " ".join([*parts, "-o yaml"])


def for_query(query: Query[Any], reason: GapReason, detail: str = "") -> Gap:
    """What the files do not answer; `detail` is the server's refusal, where the files hold it, or what is broken."""
    kind = query.kind
    name = "" if kind.namespaced and not query.namespace else query.name
    command = command_for(kind, query.namespace, name, query.labels if not query.fields else "")
    return Gap(
        what=query.what or _what(query),
        reason=reason,
        would_decide=query.would_decide,
        grant="" if reason is GapReason.UNSUPPORTED else f"add `{command}` to --from",
        detail=detail,
    )


def _what(query: Query[Any]) -> str:
    kind = query.kind
    place = f' in namespace "{query.namespace}"' if query.namespace and kind.namespaced else ""
    return f"{kind.kind} {query.name}{place}" if query.name else f"{kind.kind} objects{place}"


def no_log(query: LogQuery) -> Gap:
    """No `*.log` of that container is among the files."""
    container = f" -c {quote(query.container)}" if query.container else ""
    previous = " --previous" if query.previous else ""
    command = f"kubectl logs -n {quote(query.namespace)} {quote(query.pod)}{container}{previous}"
    name = f"{query.namespace}_{query.pod}_{query.container or 'main'}{'-previous' if query.previous else ''}.log"
    file = quote(name.replace("/", "_"))
    return Gap(
        what=f"the {'previous ' if query.previous else ''}log of Pod {query.namespace}/{query.pod}",
        reason=GapReason.NOT_IN_SNAPSHOT,
        would_decide=query.would_decide,
        grant=f"add `{command} > {file}` to --from",
    )


def no_logs() -> Gap:
    """There is no `*.log` file at all."""
    return Gap(
        what="log files of schedulers and autoscalers",
        reason=GapReason.NOT_IN_SNAPSHOT,
        would_decide="what a scheduler wrote of this Pod",
        grant="add its log as a *.log file to --from",
    )
