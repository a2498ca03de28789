"""What may be deleted so that a new volume is made: only where somebody makes one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from whypending.classifiers.unschedulable._claims import claims_of
from whypending.classifiers.unschedulable._owner import made_anew
from whypending.evidence import NOT_READ, Evidence, Known, Target
from whypending.objects.base import ObjectMeta, OwnerReference
from whypending.objects.pod import Pod, PodSpec, Volume, VolumeReference
from whypending.objects.storage import ClaimSpec, PersistentVolumeClaim, StorageClass

SET = OwnerReference(kind="StatefulSet", name="db", controller=True)


def _evidence(provisioner: str, *, owned: bool, read: bool = True) -> Evidence:
    owners = (SET,) if owned else ()
    pod = Pod(
        metadata=ObjectMeta(name="db-0", namespace="shop", owner_references=owners),
        spec=PodSpec(volumes=(Volume(name="v", persistent_volume_claim=VolumeReference(claim_name="data-db-0")),)),
    )
    claim = PersistentVolumeClaim(
        metadata=ObjectMeta(name="data-db-0", namespace="shop"), spec=ClaimSpec(storage_class_name="fast")
    )
    class_ = StorageClass(metadata=ObjectMeta(name="fast"), provisioner=provisioner)
    known: Known[StorageClass] = ((class_,) if provisioner else ()) if read else NOT_READ
    return Evidence(
        target=Target(namespace="shop", name="db-0"),
        now=datetime(2026, 9, 14, tzinfo=UTC),
        pod=(pod,),
        claims=(claim,),
        storage_classes=known,
    )


def _texts(evidence: Evidence) -> list[str]:
    return [r.text for c in claims_of(evidence) for r in made_anew(evidence, c, "elsewhere")]


@pytest.mark.parametrize("provisioner", ["kubernetes.io/no-provisioner", ""])
def test_nothing_is_deleted_that_nobody_makes_again(provisioner: str) -> None:
    assert not _texts(_evidence(provisioner, owned=True))


def test_a_stateful_set_makes_claim_and_pod_again() -> None:
    (text,) = _texts(_evidence("csi.example", owned=True))
    assert "csi.example makes a new volume elsewhere" in text
    assert "StatefulSet db makes again" in text


def test_a_claim_without_such_an_owner_has_to_be_made_by_hand() -> None:
    (text,) = _texts(_evidence("csi.example", owned=False))
    assert "create it again from its manifest" in text


def test_a_class_that_was_not_read_is_a_condition() -> None:
    (text,) = _texts(_evidence("", owned=False, read=False))
    assert "its class has a provisioner" in text
