"""What scheduler logs decide; each pattern is of client-go, controller-runtime or kube-scheduler's own messages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from whypending.diagnosis import Citation
from whypending.evidence import Evidence, LogLine, seen

FORBIDDEN = re.compile(
    r'User \\?"(?P<user>[^"\\]+)\\?" cannot (?P<verb>[a-z]+) resource \\?"(?P<resource>[^"\\]+)\\?" '
    r'in API group \\?"(?P<group>[^"\\]*)\\?"'
)
"""The API server's RBAC refusal (apiserver, pkg/endpoints/handlers/responsewriters: forbiddenMessage)."""
UNAUTHORIZED = re.compile(
    r"(?:\bUnauthorized\b|asked for the client to provide credentials|x509: certificate (?:has expired|signed by))"
)
UNKNOWN_VERSION = re.compile(
    r'no kind "KubeSchedulerConfiguration" is registered for version "kubescheduler\.config\.k8s\.io/(?P<version>\w+)"'
)
NOT_SYNCED = re.compile(
    r"(?:caches? (?:did not|failed to|to) sync|[Ww]aiting for caches to sync|Failed to (?:list|watch))"
)
NOT_SERVED = re.compile(r"(?:the server could not find the requested resource|no matches for kind)")


def matching(evidence: Evidence, pattern: re.Pattern[str]) -> Iterator[tuple[LogLine, re.Match[str]]]:
    """Lines of the logs that match, with the match."""
    for line in seen(evidence.logs):
        if match := pattern.search(line.text):
            yield line, match


def cite(line: LogLine) -> Citation:
    """A log line as proof."""
    return Citation(object=f"log {line.origin}", field=f"line {line.number}", value=line.text.strip())
