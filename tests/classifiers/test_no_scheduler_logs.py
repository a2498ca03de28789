"""What the logs of schedulers decide in no_scheduler, and what they must not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.classifiers.test_no_scheduler import READ, bound, only, with_status
from tests.classifiers.test_no_scheduler_parts import (
    config,
    deployment,
    evidence,
    lines,
    profile,
)
from whypending.classifiers.no_scheduler import (
    scheduler_auth_failed,
    scheduler_config_version_removed,
    scheduler_informer_not_synced,
    scheduler_lease_rbac,
    scheduler_rbac,
    scheduler_version_skew,
)
from whypending.diagnosis import Confidence, Role
from whypending.evidence import Evidence

USER = "system:serviceaccount:infra:batch"


def refusal(resource: str, verb: str = "list", group: str = "apps", at: str = "09:29:31") -> str:
    told = f'User \\"{USER}\\" cannot {verb} resource \\"{resource}\\" in API group \\"{group}\\" at the cluster scope'
    failed = f"failed to list *v1.X: {resource}.{group} is forbidden: {told}"
    return f'E1120 {at}.812345       1 reflector.go:227] "Failed to watch" err="{failed}"'


def logged(*texts: str, account: str = "batch", origin: str = "scheduler.log", **fields: Any) -> Evidence:
    workload = deployment("batch-scheduler", "--scheduler-name=batch-scheduler", image="my-scheduler",
                          service_account_name=account)  # fmt: skip
    return evidence(**READ | {"scheduler_workloads": (workload,), "logs": lines(*texts, origin=origin)} | fields)


def test_a_fresh_refusal_of_its_own_account_is_proved() -> None:
    assert only(scheduler_rbac.classify(logged(refusal("nodes")))).confidence is Confidence.PROVED


@pytest.mark.parametrize(
    "found",
    [
        logged(refusal("nodes", at="05:29:31")),
        logged(refusal("nodes"), served=(bound("batch-scheduler"),)),
        logged(refusal("nodes"), account=""),
        logged(refusal("nodes").partition("] ")[2]),
    ],
)
def test_an_old_or_anonymous_or_refuted_refusal_is_likely(found: Evidence) -> None:
    assert only(scheduler_rbac.classify(found)).confidence is Confidence.LIKELY


def test_the_refusals_of_another_scheduler_are_not_taken() -> None:
    other = deployment("other", "--scheduler-name=other", image="my-scheduler", service_account_name="batch")
    found = evidence(**READ | {"scheduler_workloads": (other,), "logs": lines(refusal("nodes"))})
    assert not list(scheduler_rbac.classify(found))
    assert not list(scheduler_informer_not_synced.classify(found))


def test_events_that_may_not_be_written_stop_no_scheduler() -> None:
    found = only(scheduler_rbac.classify(logged(refusal("events", "create", "events.k8s.io"))))
    assert found.role is Role.CONTRIBUTING
    assert "cannot start" not in found.message


def test_a_subresource_is_asked_for_as_kubectl_takes_it() -> None:
    found = only(scheduler_rbac.classify(logged(refusal("pods/status", "patch", ""))))
    assert "auth can-i patch pods --subresource=status" in found.remedies[-1].command


def test_a_lease_that_may_not_be_read_is_its_own_cause() -> None:
    text = (
        '"Error retrieving lease lock" err="leases.coordination.k8s.io \\"mine\\" is forbidden: User \\"'
        + USER
        + '\\" '
        'cannot get resource \\"leases\\" in API group \\"coordination.k8s.io\\" in the namespace \\"infra\\""'
    )
    found = only(scheduler_lease_rbac.classify(logged(text)))
    assert found.message.endswith(f"{USER} may not get Lease infra/mine.")
    assert "--serviceaccount=infra:batch" in found.remedies[0].command
    assert not list(scheduler_rbac.classify(logged(text)))
    assert not list(scheduler_lease_rbac.classify(logged(text, '"Successfully acquired lease" lock="infra/mine"')))


def test_a_client_that_the_scheduler_turns_away_is_not_its_own_trouble() -> None:
    text = '"Unable to authenticate the request" err="[x509: certificate has expired or is not yet valid]"'
    assert not list(scheduler_auth_failed.classify(logged(text, text)))


def test_one_refused_log_in_is_likely_and_two_are_proved() -> None:
    text = 'E1120 09:29:31.1       1 x.go:1] "Failed to watch" err="failed to list *v1.Node: Unauthorized"'
    origin = "batch-scheduler.log"
    assert only(scheduler_auth_failed.classify(logged(text, origin=origin))).confidence is Confidence.LIKELY
    assert only(scheduler_auth_failed.classify(logged(text, text, origin=origin))).confidence is Confidence.PROVED


def test_a_normal_start_is_no_trouble() -> None:
    start = ('"Waiting for caches to sync"', '"Caches are synced"', '"Attempting to acquire leader lease..."')
    assert not list(scheduler_informer_not_synced.classify(logged(*start)))


def test_the_type_that_is_not_served_is_named() -> None:
    failed = "failed to list *v1beta1.CSINode: the server could not find the requested resource"
    text = f"Failed to watch *v1beta1.CSINode: {failed}"
    assert "asks for v1beta1.CSINode, which" in only(scheduler_version_skew.classify(logged(text))).message


@pytest.mark.parametrize(
    ("image", "version", "said"),
    [
        ("kube-scheduler:v1.29.0", "v1beta3", "gone in 1.29"),
        ("scheduler-plugins/kube-scheduler:v0.31.8", "v1beta3", "gone in 1.29"),
        ("kube-scheduler:v1.24.1", "v1", "new in 1.25"),
        ("kube-scheduler:v1.28.9", "v1beta3", ""),
        ("koord-scheduler:v1.5.0", "v1beta3", ""),
        ("kube-scheduler:latest", "v1beta3", ""),
        ("kube-scheduler@sha256:129", "v1beta3", ""),
    ],
)
def test_configuration_versions_by_the_image(image: str, version: str, said: str) -> None:
    workload = deployment("batch-scheduler", "kube-scheduler", "--config=/c.yaml", image=image, config="config")
    configs = (config(profile("batch-scheduler", version=version)),)
    found = list(
        scheduler_config_version_removed.classify(evidence(scheduler_workloads=(workload,), scheduler_configs=configs))
    )
    assert [said in f.message for f in found] == [True] * bool(said)
    up = with_status(workload, 1, 1)
    fine = evidence(scheduler_workloads=(up,), scheduler_configs=configs)
    assert not list(scheduler_config_version_removed.classify(fine))


def test_a_version_that_is_too_new_is_not_mended_by_setting_it() -> None:
    text = (
        'no kind "KubeSchedulerConfiguration" is registered for version "kubescheduler.config.k8s.io/v1" in scheme "x"'
    )
    found = only(scheduler_config_version_removed.classify(logged(text)))
    assert "1.25 or later" in found.remedies[0].text
    assert not list(scheduler_config_version_removed.classify(logged(text, '"Starting Kubernetes Scheduler"')))
