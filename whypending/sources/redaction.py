"""What of an object goes into a snapshot: no environment values, arguments or foreign annotations."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from whypending.objects.base import KubeObject

_FLAG = re.compile(r"--(config|scheduler-name|leader-elect[a-z-]*|lock-object-[a-z]+|authentication-kubeconfig)(=|$)")
"""Flags of schedulers that say which profiles and Lease they serve."""
_PROGRAM = re.compile(r"[\w./-]{1,200}", re.ASCII)
_ANNOTATION = re.compile(r"(?:^|\.)(?:kubernetes\.io|k8s\.io|x-k8s\.io|volcano\.sh|karpenter\.sh|k8s\.aws|run\.ai)/")
_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
_CONFIGURATION = "KubeSchedulerConfiguration"
_NEVER = {"stringData", "binaryData"}


def redacted(obj: KubeObject) -> dict[str, Any]:
    """The object in the API's shape, fit to be handed on; kind and apiVersion as the Struct has them."""
    plain = msgspec.to_builtins(obj)
    rest = {k: _value(k, v) for k, v in plain.items() if k not in {"kind", "apiVersion", "data"} | _NEVER}
    if data := plain.get("data"):
        rest["data"] = {k: v for k, v in data.items() if _CONFIGURATION in v} if isinstance(data, Mapping) else {}
    return {"apiVersion": obj.api_version, "kind": obj.kind, **rest}


def _value(key: str, value: object) -> object:
    if key in {"command", "args"} and isinstance(value, list | tuple):
        return _words(value, program=key == "command")
    if key == "annotations" and isinstance(value, Mapping):
        return {k: v for k, v in value.items() if k != _LAST_APPLIED and _ANNOTATION.search(k)}
    if key == "env" and isinstance(value, list | tuple):
        return [{k: v for k, v in entry.items() if k in {"name", "valueFrom"}} for entry in value if _is_map(entry)]
    if isinstance(value, Mapping):
        return {k: _value(k, v) for k, v in value.items() if k not in _NEVER}
    return [_value("", v) for v in value] if isinstance(value, list | tuple) else value


def _words(words: Sequence[object], *, program: bool) -> list[str]:
    """The program, where it is a plain path, and the flags that matter."""
    texts = [word for word in words if isinstance(word, str)]
    first = texts[:1] if program and texts and _PROGRAM.fullmatch(texts[0]) else []
    return first + [word for word in texts if _FLAG.match(word)]


def _is_map(value: object) -> bool:
    return isinstance(value, Mapping)
