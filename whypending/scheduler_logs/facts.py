"""What lines of a scheduler's log say: of one Pod, of the plugins that refused it, of leader election."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from whypending.evidence import LogLine
from whypending.patterns import Pattern

_WAITS = Pattern(r"ttempting to acquire leader lease")
_LEADS = Pattern(r"uccessfully acquired lease")
_FIELD = Pattern(r'(\w{1,40})=("(?:[^"\\]|\\.)*"|\{[^}]*\}|\S+)')
_UNFIT = Pattern(r'"(?P<said>[^"]{1,200})"')
_PLUGIN = {"node had untolerated taints": "TaintToleration"}


class Rejection(NamedTuple):
    """One Node that a plugin refused the Pod, as a log at -v=4 and above tells. taint: `key=value:Effect`, if named."""

    line: LogLine
    plugin: str
    node: str
    taint: str


def speaks_of(lines: Iterable[LogLine], namespace: str, name: str) -> Iterator[LogLine]:
    """The lines that name the Pod; at the default verbosity a scheduler names none, so that silence proves nothing."""
    path = re.compile(rf"(?<![\w.-]){re.escape(namespace)}/{re.escape(name)}(?![\w-]|\.\w)")
    needle = f"{namespace}/{name}"
    return (line for line in lines if needle in line.text and path.search(line.text))


def rejections(lines: Iterable[LogLine], namespace: str, name: str) -> Iterator[Rejection]:
    """What plugins logged when they refused this Pod: TaintToleration names the taint, which its message leaves out."""
    for line in speaks_of(lines, namespace, name):
        said = _UNFIT.search(line.text)
        plugin = _PLUGIN.get(said["said"], "") if said else ""
        if not plugin:
            continue
        fields = dict(_FIELD.findall(line.text))
        taint = _taint(fields.get("untoleratedTaint", ""))
        yield Rejection(line, plugin, fields.get("node", "").strip('"'), taint)


def _taint(text: str) -> str:
    """`{"key":"a","value":"b","effect":"NoSchedule"}`, as klog writes the Struct, as kubectl writes a taint."""
    parts = dict(re.findall(r'"?(key|value|effect)"?:\s*\\?"?([^\s,"\\}]*)', text, re.IGNORECASE))
    by_name = {key.lower(): value for key, value in parts.items()}
    if not by_name.get("key"):
        return ""
    value = f"={by_name['value']}" if by_name.get("value") else ""
    return f"{by_name['key']}{value}:{by_name.get('effect', '')}"


def waits_for_lease(lines: Iterable[LogLine]) -> LogLine | None:
    """The line with which a log ends to wait for its Lease: after it, the Lease was never acquired."""
    waiting: LogLine | None = None
    for line in lines:
        if _WAITS.search(line.text):
            waiting = line
        elif waiting is not None and _LEADS.search(line.text):
            waiting = None
    return waiting
