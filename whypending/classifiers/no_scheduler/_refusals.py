"""RBAC refusals of the API server in logs: whom they refuse, and how to ask again as that user."""

from __future__ import annotations

import re
from collections.abc import Iterable
from shlex import quote
from typing import NamedTuple

from whypending.evidence import Evidence
from whypending.inventory.found import Scheduler, schedulers_in, serving
from whypending.inventory.process import DEFAULT
from whypending.patterns import Pattern

FORBIDDEN = Pattern(
    r'User \\?"(?P<user>[^"\\]{1,500})\\?" cannot (?P<verb>[a-z]{1,30}) resource \\?"(?P<resource>[^"\\]{1,253})\\?" '
    r'in API group \\?"(?P<group>[^"\\]{0,253})\\?"(?: in the namespace \\?"(?P<namespace>[^"\\]{1,253})\\?")?'
)
"""forbiddenMessage of apiserver's pkg/endpoints/handlers/responsewriters; quotes may be escaped by a logger."""
OPTIONAL = "extension-apiserver-authentication"
"""A ConfigMap that serving /metrics to others wants; scheduling goes on without it."""
_NAMED = Pattern(r' \\?"([^"\\]{1,253})\\?" is forbidden: $')
NEEDS = (" cannot ",)
"""What each such line has in it."""
_ACCOUNT = "system:serviceaccount:"


def named(match: re.Match[str]) -> str:
    """The name of the object that was refused, empty for lists."""
    found = _NAMED.search(match.string[max(0, match.start() - 300) : match.start()])
    return found[1] if found else ""


class User(NamedTuple):
    """Who was refused. is_own: it is what the Pod's scheduler runs as. is_foreign: another scheduler does."""

    name: str
    is_own: bool = False
    is_foreign: bool = False

    @property
    def account(self) -> tuple[str, str] | None:
        """Namespace and name of the ServiceAccount, if it is one."""
        namespace, _, name = self.name.removeprefix(_ACCOUNT).partition(":")
        return (namespace, name) if self.name.startswith(_ACCOUNT) and name else None

    @property
    def subject(self) -> str:
        """As `kubectl create rolebinding` takes it."""
        account = self.account
        return f"--serviceaccount={quote(':'.join(account))}" if account else f"--user={quote(self.name)}"

    def can_i(self, verb: str, resource: str, *, subresource: str = "", namespace: str = "") -> str:
        """The command that asks the API server whether this user may, there or everywhere."""
        sub = f" --subresource={quote(subresource)}" if subresource else ""
        where = f"-n {quote(namespace)}" if namespace else "-A"
        return f"kubectl auth can-i {quote(verb)} {quote(resource)}{sub} --as={quote(self.name)} {where}"


def users_of(evidence: Evidence, refused: Iterable[str]) -> dict[str, User]:
    """Each of these users once; logs repeat them thousands of times."""
    return {name: user_of(evidence, name) for name in set(refused)}


def user_of(evidence: Evidence, name: str) -> User:
    """The user with what the schedulers that were found say of it."""
    pod = evidence.the_pod
    mine = serving(evidence, pod.scheduler_name) if pod else ()
    own = any(_runs_as(s, name) for s in mine) or (
        pod is not None and pod.scheduler_name == DEFAULT and name == "system:kube-scheduler"
    )
    foreign = not own and any(_runs_as(s, name) for s in schedulers_in(evidence) if s not in mine)
    return User(name, is_own=own, is_foreign=foreign)


def _runs_as(scheduler: Scheduler, user: str) -> bool:
    """A static Pod has no ServiceAccount: it comes with a kubeconfig, by convention of system:kube-scheduler."""
    if scheduler.is_default:
        return user == "system:kube-scheduler"
    account = scheduler.template.service_account_name
    return bool(account) and user == f"{_ACCOUNT}{scheduler.owner.namespace}:{account}"
