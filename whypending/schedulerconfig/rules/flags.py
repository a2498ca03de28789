"""flag-ignored, flag-outdoes-file: flags of the workload beside --config.

Source: Options.ApplyTo of cmd/kube-scheduler/app/options: with --config, only the --leader-elect-* flags still count.
"""

from __future__ import annotations

from collections.abc import Iterator

from whypending.schedulerconfig.finding import Deployed, Facts, Finding, Severity
from whypending.schedulerconfig.model import Configuration

_IGNORED = {
    "profiling": "enableProfiling",
    "contention-profiling": "enableContentionProfiling",
    "kubeconfig": "clientConnection.kubeconfig",
    "kube-api-content-type": "clientConnection.contentType",
    "kube-api-qps": "clientConnection.qps",
    "kube-api-burst": "clientConnection.burst",
}
_GONE = ("policy-config-file", "policy-configmap", "algorithm-provider", "scheduler-name", "lock-object-name")
_OUTDOING = {
    "leader-elect": "leaderElect",
    "leader-elect-lease-duration": "leaseDuration",
    "leader-elect-renew-deadline": "renewDeadline",
    "leader-elect-retry-period": "retryPeriod",
    "leader-elect-resource-lock": "resourceLock",
    "leader-elect-resource-name": "resourceName",
    "leader-elect-resource-namespace": "resourceNamespace",
}


def check(configuration: Configuration, facts: Facts) -> Iterator[Finding]:
    """Every workload that runs this configuration."""
    for deployed in facts.deployed:
        for flag, field in _IGNORED.items():
            if deployed.flag(flag) is not None:
                yield _about(deployed, "flag-ignored", f"--{flag} of {deployed.ref} is ignored because of --config.",
                             f"Write {field} in the configuration, and remove the flag.")  # fmt: skip
        for flag in _GONE:
            if deployed.flag(flag) is not None:
                yield _about(deployed, "flag-unknown", f"--{flag} of {deployed.ref} does not exist any more.",
                             "Remove the flag: profiles of the configuration replace it.", Severity.ERROR)  # fmt: skip
        yield from _outdone(configuration, deployed)


def _outdone(configuration: Configuration, deployed: Deployed) -> Iterator[Finding]:
    election = configuration.root.get("leaderElection")
    for flag, field in _OUTDOING.items():
        given, node = deployed.flag(flag), election.get(field) if election else None
        if given is None or node is None:
            continue
        written = str(node.value).lower() if isinstance(node.value, bool) else str(node.value)
        if given != written:
            said = f"--{flag}={given} of {deployed.ref} outdoes {field}: {written} of the file."
            yield Finding(rule="flag-outdoes-file", severity=Severity.WARNING, line=node.line, path=node.path,
                          message=said, fix="Keep one of the two.")  # fmt: skip


def _about(deployed: Deployed, rule: str, message: str, fix: str, severity: Severity = Severity.WARNING) -> Finding:
    return Finding(rule=rule, severity=severity, file=deployed.ref, message=message, fix=fix)
