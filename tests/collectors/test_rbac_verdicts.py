"""The verdicts that rights allow without a log, and what keeps them from being proved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.asked import NOW
from tests.collectors.test_rbac import ADMIN, LEADS, Live, Object, bound, opened, role, rule, scheduler
from tests.worlds import WEB
from whypending.collectors import collect
from whypending.diagnosis import Confidence, Finding
from whypending.engine import diagnose
from whypending.evidence import Evidence, Gap, GapReason, LogLine, Served
from whypending.objects.base import ObjectMeta
from whypending.objects.node import Lease, LeaseSpec

READS = role("reads", *(rule("*", group, "*") for group in ("", "apps", "policy", "storage.k8s.io", "resource.k8s.io",
                                                         "events.k8s.io")))  # fmt: skip
NO_LEASE = (bound("reads"), READS)
NO_LISTS = (bound("leads", "Role", "RoleBinding"), LEADS)
ALL = (bound("admin"), role("admin", ADMIN))
LEASE = "scheduler-lease-rbac"
LISTS = "scheduler-rbac"


def found(folder: Path, *objects: Object, kept: list[Object] | None = None) -> Evidence:
    return collect(Live(opened(folder, *(kept or scheduler()), *objects)), *WEB)


def verdicts(evidence: Evidence, **changes: Any) -> dict[str, Finding]:
    changed = msgspec.structs.replace(evidence, **changes)
    return {f.name: f for f in diagnose(changed, strict=True).findings if f.name in {LEASE, LISTS}}


def lease(**spec: Any) -> Lease:
    return Lease(metadata=ObjectMeta(name="other", namespace="kube-system"), spec=LeaseSpec(**spec))


def test_a_lease_that_may_not_be_taken_is_proved_by_the_roles(tmp_path: Path) -> None:
    (name, finding), *rest = verdicts(found(tmp_path, *NO_LEASE)).items()
    assert (name, finding.confidence, rest) == (LEASE, Confidence.PROVED, [])
    user = "system:serviceaccount:kube-system:second"
    assert finding.message.endswith(f"{user} may not get, create and update Lease kube-system/other.")
    assert {c.value for c in finding.citations} == {"no, by roles and bindings in namespace kube-system"}


def test_lists_that_may_not_be_read_are_proved_by_the_roles(tmp_path: Path) -> None:
    ((name, finding),) = verdicts(found(tmp_path, *NO_LISTS)).items()
    assert (name, finding.confidence) == (LISTS, Confidence.PROVED)
    assert "may not list and watch nodes, pods" in finding.message
    assert finding.remedies[0].command.count("--serviceaccount=kube-system:second") == 2


def test_an_account_with_all_rights_is_not_suspected(tmp_path: Path) -> None:
    assert verdicts(found(tmp_path, *ALL)) == {}


def test_one_list_is_named_alone(tmp_path: Path) -> None:
    whole = (rule("*", group, "*") for group in ("", "apps", "policy", "events.k8s.io", "resource.k8s.io"))
    storage = rule("*", "storage.k8s.io", "storageclasses csidrivers volumeattachments csistoragecapacities")
    few = role("few", *whole, storage)
    finding = verdicts(found(tmp_path, bound("few"), few, *NO_LISTS))[LISTS]
    assert "may not list and watch csinodes.storage.k8s.io, so" in finding.message
    assert finding.confidence is Confidence.PROVED


def test_a_profile_that_turns_plugins_off_may_do_without_a_list(tmp_path: Path) -> None:
    few = role("few", *(rule("*", g, "*") for g in ("", "apps", "policy", "events.k8s.io", "resource.k8s.io")))
    objects = scheduler()
    config = next(o for o in objects if o["kind"] == "ConfigMap")
    config["data"]["config.yaml"] = config["data"]["config.yaml"].replace(
        "{schedulerName: other}",
        "{schedulerName: other, plugins: {multiPoint: {disabled: [{name: NodeVolumeLimits}]}}}",
    )
    finding = verdicts(found(tmp_path, bound("few"), few, *NO_LISTS, kept=objects))[LISTS]
    assert finding.confidence is Confidence.LIKELY


def test_a_scheduler_that_binds_others_is_not_suspected(tmp_path: Path) -> None:
    served = (Served(scheduler_name="other", pod="shop/x", bound_at=NOW),)
    assert verdicts(found(tmp_path, *NO_LEASE, *NO_LISTS[:0]), served=served) == {}


def test_a_scheduler_whose_log_shows_it_leading_is_not_suspected(tmp_path: Path) -> None:
    text = 'I1130 22:14:50.250000 1 leaderelection.go:1] "Successfully acquired lease" lock="kube-system/other"'
    line = LogLine(origin="kube-system/second-1/main", number=1, text=text)
    assert verdicts(found(tmp_path, *NO_LEASE), logs=(line,)) == {}


def test_a_lease_that_is_there_need_not_be_created(tmp_path: Path) -> None:
    may = role("may", rule("get update", "coordination.k8s.io", "leases"), kind="Role")
    evidence = found(tmp_path, *NO_LEASE, bound("may", "Role", "RoleBinding"), may)
    assert verdicts(evidence, leases=(lease(),)) == {}
    assert verdicts(evidence, leases=())[LEASE].confidence is Confidence.PROVED
    gap = Gap(what="Leases", reason=GapReason.FORBIDDEN)
    assert verdicts(evidence, leases=gap)[LEASE].confidence is Confidence.LIKELY


def test_a_lease_that_it_holds_refutes_the_roles(tmp_path: Path) -> None:
    held = lease(holder_identity="second-1_u", renew_time=NOW, lease_duration_seconds=15)
    assert verdicts(found(tmp_path, *NO_LEASE), leases=(held,)) == {}


@pytest.mark.parametrize("change", ["not ready", "not configured"])
def test_a_scheduler_that_may_be_another_is_only_likely(tmp_path: Path, change: str) -> None:
    objects = scheduler()
    if change == "not ready":
        objects = [o for o in objects if o["kind"] != "Pod" or o["metadata"]["name"] == "web"]
    else:
        objects = [o for o in objects if o["kind"] != "ConfigMap"]
        objects[0]["metadata"]["name"] = "other-scheduler"
    assert {f.confidence for f in verdicts(found(tmp_path, kept=objects)).values()} == {Confidence.LIKELY}


def test_a_lease_from_a_configmap_that_was_changed_since_is_only_likely(tmp_path: Path) -> None:
    objects = scheduler()
    config = next(o for o in objects if o["kind"] == "ConfigMap")
    config["metadata"]["managedFields"][0]["time"] = "2026-11-30T20:30:00Z"
    assert verdicts(found(tmp_path, *NO_LEASE, kept=objects))[LEASE].confidence is Confidence.LIKELY


def test_leases_that_are_not_read_are_told_of_by_a_log_that_waits(tmp_path: Path) -> None:
    text = (
        'I1130 22:14:50.250000 1 leaderelection.go:1] "Attempting to acquire leader lease..." lock="kube-system/other"'
    )
    line = LogLine(origin="kube-system/second-1/main", number=1, text=text)
    gap = Gap(what="Leases", reason=GapReason.FORBIDDEN)
    evidence = msgspec.structs.replace(found(tmp_path, *ALL), leases=gap, logs=(line,))
    first = diagnose(evidence, strict=True).findings[0]
    assert (first.name, first.confidence) == ("scheduler-not-leading", Confidence.LIKELY)
    assert first.citations[0].value == text
    leads = msgspec.structs.replace(line, number=2, text=text.replace("Attempting to acquire", "Successfully acquired"))
    after = msgspec.structs.replace(leads, text=leads.text.replace("leader lease...", "lease"))
    shown = diagnose(msgspec.structs.replace(evidence, logs=(line, after)), strict=True)
    assert "scheduler-not-leading" not in {f.name for f in shown.findings}
