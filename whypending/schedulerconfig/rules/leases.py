"""lease-*, leader-election-off: who may lead, and whether two can at once.

Source: cmd/kube-scheduler/app/options/options.go (ApplyLeaderElectionTo): --leader-elect-* outdo the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from whypending.schedulerconfig.finding import Deployed, Facts, Finding, warn
from whypending.schedulerconfig.model import DEFAULT_NAME, Configuration
from whypending.schedulerconfig.tree import Node

_DEFAULT = "kube-system/kube-scheduler"


class Lease(msgspec.Struct, frozen=True):
    """The Lease a scheduler campaigns for: `NAMESPACE/NAME`, empty without leader election."""

    name: str
    node: Node


def lease_of(configuration: Configuration, deployed: Deployed | None = None) -> Lease:
    """From the file, and the flags of the workload that runs it."""
    root = configuration.root
    election = root.get("leaderElection") or Node(root.line, "leaderElection", root.shape)
    flags = {
        key: deployed.flag(f"leader-elect{key}") if deployed else None
        for key in ("", "-resource-namespace", "-resource-name")
    }
    elects = flags[""].lower() not in {"false", "0", "f"} if flags[""] else election.boolean("leaderElect") is not False
    namespace = flags["-resource-namespace"] or election.text("resourceNamespace") or "kube-system"
    name = flags["-resource-name"] or election.text("resourceName") or "kube-scheduler"
    node = election.get("resourceName") or election
    return Lease(f"{namespace}/{name}" if elects else "", node)


def check(configuration: Configuration, facts: Facts) -> Iterator[Finding]:
    """One configuration, with every workload that runs it."""
    for deployed in facts.deployed or (None,):
        lease = lease_of(configuration, deployed)
        names = configuration.names
        if lease.name == _DEFAULT and names and DEFAULT_NAME not in names:
            yield warn(
                lease.node, "lease-of-the-default",
                f"It serves {_listed(names)} by {_DEFAULT}, the default scheduler's Lease: only one of both works.",
                f"Write leaderElection.resourceName: {names[0]}, and grant its ServiceAccount that Lease.",
            )  # fmt: skip
        replicas = deployed.replicas if deployed else None
        if deployed and not lease.name and replicas is not None and replicas > 1:
            yield warn(
                lease.node, "leader-election-off",
                f"{deployed.ref} runs {replicas} replicas without leader election: they bind the same Pods.",
                "Write leaderElect: true, or run one replica.",
            )  # fmt: skip


def check_together(configurations: Sequence[Configuration], facts: Sequence[Facts]) -> Iterator[tuple[int, Finding]]:
    """The same Lease in two configurations; texts that are never read campaign for nothing."""
    seen: dict[str, Configuration] = {}
    for number, configuration in enumerate(configurations):
        if not facts[number].used or (configuration.number > 1 and configuration.holder):
            continue
        deployed = facts[number].deployed
        lease = lease_of(configuration, deployed[0] if deployed else None)
        other = seen.setdefault(lease.name, configuration)
        if lease.name and other is not configuration:
            finding = warn(
                lease.node, "lease-shared",
                f"{_listed(configuration.names)} and {_listed(other.names)} ({other.file}, line {other.root.line}) "
                f"share the Lease {lease.name}: only one of them works.",
                f"Give it its own: leaderElection.resourceName: {(configuration.names or ('own',))[0]}",
            )  # fmt: skip
            yield number, finding


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join(f'"{n}"' for n in dict.fromkeys(names)) or "a scheduler without a name"
