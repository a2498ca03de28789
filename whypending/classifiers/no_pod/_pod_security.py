"""The text of a Pod Security refusal in parts, and the fix of each rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from whypending.objects.pod import PodSpec
from whypending.patterns import Pattern

_HEAD = Pattern(r'violates PodSecurity "(?P<level>[^"]+)": (?P<rules>.*)', re.DOTALL)
_CONTAINERS = Pattern(r'containers? ((?:"[^"]+"(?:, )?)+)')


class Rule(NamedTuple):
    """One broken rule: `allowPrivilegeEscalation != false` and what the text says in brackets."""

    reason: str
    detail: str

    @property
    def containers(self) -> tuple[str, ...]:
        """The containers that the detail names."""
        return tuple(name for found in _CONTAINERS.finditer(self.detail) for name in re.findall(r'"([^"]+)"', found[1]))


class Violation(NamedTuple):
    """`restricted:latest` and its broken rules, in order."""

    level: str
    rules: tuple[Rule, ...]


def parse(text: str) -> Violation | None:
    """The violation that a refusal tells of; details may hold commas and brackets, so it is read by depth."""
    head = _HEAD.search(text)
    return Violation(head["level"], tuple(_rules(head["rules"]))) if head else None


def _rules(text: str) -> Iterator[Rule]:
    depth = start = 0
    for index, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0 and text.startswith(", ", index) and text[index - 1 : index] == ")":
            yield _rule(text[start:index])
            start = index + 2
    yield _rule(text[start:])


def _rule(text: str) -> Rule:
    reason, _, detail = text.strip().partition(" (")
    return Rule(reason, detail.removesuffix(")"))


_FIXES: tuple[tuple[str, str], ...] = (
    ("allowPrivilegeEscalation", "set securityContext.allowPrivilegeEscalation: false"),
    ("unrestricted capabilities", 'set securityContext.capabilities.drop: ["ALL"], adding only NET_BIND_SERVICE'),
    ("non-default capabilities", "remove the named capabilities from securityContext.capabilities.add"),
    ("runAsNonRoot", "set securityContext.runAsNonRoot: true (the image must run as another user than root)"),
    ("runAsUser=0", "set securityContext.runAsUser to another number than 0"),
    ("seccompProfile", "set securityContext.seccompProfile.type: RuntimeDefault"),
    ("privileged", "remove securityContext.privileged: true"),
    ("host namespaces", "remove hostNetwork, hostPID and hostIPC"),
    ("hostPath", "replace the hostPath volumes by another kind of volume"),
    ("hostPort", "remove hostPort from the ports"),
    ("restricted volume types", "replace the named volumes by claims, configMap, secret, emptyDir or projected ones"),
    ("forbidden sysctls", "remove the named securityContext.sysctls"),
    ("seLinuxOptions", "remove the named securityContext.seLinuxOptions"),
    ("procMount", "remove securityContext.procMount"),
    ("AppArmor", "use the AppArmor profile RuntimeDefault or Localhost"),
    ("hostProcess", "remove securityContext.windowsOptions.hostProcess"),
    ("probe or lifecycle host", "remove host from the probes and lifecycle hooks"),
)  # fmt: skip


def fix(rule: Rule) -> str:
    """What to do about one rule; its detail where the rule is not known."""
    return next((text for key, text in _FIXES if key in rule.reason), rule.detail or rule.reason)


_BASELINE_REASONS = (
    "non-default capabilities", "privileged", "host namespaces", "hostPath", "hostPort", "forbidden sysctls",
    "seLinuxOptions", "procMount", "AppArmor", "hostProcess", "probe or lifecycle host",
)  # fmt: skip
_BASELINE_CAPABILITIES = {
    "AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE", "SETFCAP",
    "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT",
}  # fmt: skip
_ADDED = Pattern(r"must not include (?P<names>.+?) in securityContext\.capabilities\.add")


def admits(violation: Violation) -> str:
    """The strictest level that lets this Pod in: `baseline`, or `privileged` where a rule of baseline is broken too.

    Rules of restricted stand in for the baseline rule of the same field, so their details are read.
    """
    return "privileged" if any(_breaks_baseline(r) for r in violation.rules) else "baseline"


def _breaks_baseline(rule: Rule) -> bool:
    if any(key in rule.reason for key in _BASELINE_REASONS):
        return True
    added = {name for found in _ADDED.finditer(rule.detail) for name in re.findall(r'"([^"]+)"', found["names"])}
    if added - _BASELINE_CAPABILITIES:
        return True
    unconfined = "seccompProfile" in rule.reason and "must not set" in rule.detail
    return unconfined or ("volume types" in rule.reason and '"hostPath"' in rule.detail)


_POD = {
    "runAsNonRoot != true": ("runAsNonRoot", True),
    "seccompProfile": ("seccompProfile", {"type": "RuntimeDefault"}),
}
_CONTAINER: Mapping[str, Mapping[str, Any]] = {
    "allowPrivilegeEscalation != false": {"allowPrivilegeEscalation": False},
    "unrestricted capabilities": {"capabilities": {"drop": ["ALL"]}},
}


def patch(violation: Violation, spec: PodSpec) -> Mapping[str, Any] | None:
    """A strategic merge patch of the Pod spec that mends everything, or None where a person must decide.

    Only the rules that miss a value (`must set`) are mended so, and only for containers that the template has.
    """
    if any(" must set " not in r.detail or " must not " in r.detail for r in violation.rules):
        return None
    pod: dict[str, Any] = {}
    containers: dict[str, dict[str, Any]] = {}
    for rule in violation.rules:
        if rule.reason in _POD:
            key, value = _POD[rule.reason]
            pod[key] = value
        elif rule.reason in _CONTAINER:
            for name in rule.containers:
                containers.setdefault(name, {}).update(_CONTAINER[rule.reason])
        else:
            return None
    lists = {"initContainers": spec.init_containers, "containers": spec.containers}
    body: dict[str, Any] = {"securityContext": pod} if pod else {}
    for key, items in lists.items():
        known = [{"name": c.name, "securityContext": containers.pop(c.name)} for c in items if c.name in containers]
        body |= {key: known} if known else {}
    return None if containers or not body else body
