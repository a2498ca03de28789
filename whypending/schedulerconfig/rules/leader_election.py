"""leader-election-invalid: times and lock of leaderElection that kube-scheduler refuses.

Source: ValidateLeaderElectionConfiguration of component-base, ValidateKubeSchedulerConfiguration, and
NewLeaderElector of client-go/tools/leaderelection (renewDeadline against retryPeriod).
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.schedulerconfig.finding import Facts, Finding, at
from whypending.schedulerconfig.model import Configuration
from whypending.schedulerconfig.tree import Node
from whypending.schedulerconfig.values import duration

RULE = "leader-election-invalid"
_SECOND = 10**9
_DEFAULTS = {"leaseDuration": 15 * _SECOND, "renewDeadline": 10 * _SECOND, "retryPeriod": 2 * _SECOND}
_JITTER = 1.2


def check(configuration: Configuration, _facts: Facts) -> Iterator[Finding]:
    """Judged only where leaderElect is not false, as the component does."""
    election = configuration.root.get("leaderElection")
    if election is None or election.boolean("leaderElect") is False:
        return
    lock = election.text("resourceLock")
    if lock and lock != "leases":
        yield at(
            election.get("resourceLock"), RULE, f'resourceLock is "{lock}"; only "leases" is left.',
            "Remove resourceLock, or write leases.",
        )  # fmt: skip
    times = {name: _time(election, name) for name in _DEFAULTS}
    for name, value in times.items():
        if value < 0:
            yield at(election.get(name), RULE, f"{name} is negative.", f"Remove {name}, or write a positive time.")
    yield from _compared(election, times)


def _compared(election: Node, times: dict[str, int]) -> Iterator[Finding]:
    lease, renew, retry = times.values()
    if lease <= renew:
        yield at(
            election.get("leaseDuration") or election.get("renewDeadline"), RULE,
            f"leaseDuration ({lease / _SECOND:g}s) has to be longer than renewDeadline ({renew / _SECOND:g}s).",
            "Write a longer leaseDuration or a shorter renewDeadline.",
        )  # fmt: skip
    elif 0 < renew <= retry * _JITTER:
        yield at(
            election.get("renewDeadline") or election.get("retryPeriod"), RULE,
            f"renewDeadline ({renew / _SECOND:g}s) has to be longer than 1.2 times retryPeriod ({retry / _SECOND:g}s).",
            "Write a longer renewDeadline or a shorter retryPeriod.",
        )  # fmt: skip


def _time(election: Node, name: str) -> int:
    """Nanoseconds; 0 and what can't be read are the default."""
    return duration(election.text(name) or "") or _DEFAULTS[name]
