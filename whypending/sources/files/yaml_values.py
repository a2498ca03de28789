"""YAML as JSON-like values: the YAML 1.2 core schema, no tags, no aliases, bounded depth.

libyaml builds the nodes; constructors, which could make Python objects, dates or shared values, are not used.
"""

from __future__ import annotations

import re

import yaml

try:
    from yaml import CSafeLoader as _Base
except ImportError:  # PyYAML without libyaml
    from yaml import SafeLoader as _Base  # type: ignore[assignment]

MAX_DEPTH = 200
_PLAIN = "plain"
_TEXT = "text"
_CONSTANTS: dict[str, str | int | float | bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_NUMBER_START = frozenset("+-.0123456789")
_INT = re.compile(r"[-+]?[0-9]+", re.ASCII)
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", re.ASCII)
_MAX_DIGITS = 300
_INT_LIMIT = 2**63


class YamlError(ValueError):
    """A document that can't be used: `message` says why, `line` (from 0) where in the document."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


class _Loader(_Base):
    def resolve(self, kind: type[yaml.Node], value: object, implicit: tuple[bool, bool]) -> str:  # noqa: ARG002 - the base's signature
        return _PLAIN if kind is yaml.ScalarNode and implicit[0] else _TEXT


def load(text: str) -> object:
    """The one document of this text, as dicts, lists, str, int, float, bool and None. YamlError if it is broken."""
    try:
        node = _Loader(text).get_single_node()
        return None if node is None else _value(node, set() if "*" in text else None, 0)
    except YamlError:
        raise
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line if mark else 0
        problem = _said(error)
        shared = "alias" in problem or "anchor" in problem
        raise (_alias(line) if shared else YamlError(problem, line)) from error
    except RecursionError as error:
        raise YamlError(_TOO_DEEP) from error
    except (yaml.YAMLError, ValueError) as error:
        raise YamlError("it is not YAML") from error


_TOO_DEEP = "it is nested too deeply to be a Kubernetes object"


def _said(error: yaml.MarkedYAMLError) -> str:
    return (error.problem or error.context or "it is not YAML").strip()


def _alias(line: int) -> YamlError:
    return YamlError("it uses YAML aliases, which kubectl never writes and which are not expanded", line)


def _value(node: yaml.Node, seen: set[int] | None, depth: int) -> object:
    """The node's value; `seen` holds the nodes met so far, None where the text can't hold an alias."""
    if seen is not None:
        if id(node) in seen:
            raise _alias(node.start_mark.line)
        seen.add(id(node))
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node.value) if node.tag == _PLAIN else node.value
    if depth > MAX_DEPTH:
        raise YamlError(_TOO_DEEP, node.start_mark.line)
    if isinstance(node, yaml.SequenceNode):
        return [_value(child, seen, depth + 1) for child in node.value]
    return {_key(key): _value(child, seen, depth + 1) for key, child in node.value}


def _key(node: yaml.Node) -> str:
    if isinstance(node, yaml.ScalarNode):
        return str(node.value)
    raise YamlError("a key is not a plain text", node.start_mark.line)


def _scalar(text: str) -> object:
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text[0] not in _NUMBER_START or len(text) > _MAX_DIGITS:
        return text
    if _INT.fullmatch(text):
        number = int(text)
        return number if -_INT_LIMIT <= number < _INT_LIMIT else text
    return float(text) if _FLOAT.fullmatch(text) else text
