"""What the Pod's schedulers were found to lack, by access reviews or by roles and bindings, without any log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from whypending.classifiers.no_scheduler._logs import LEADS, logs_of
from whypending.classifiers.no_scheduler._refusals import User
from whypending.classifiers.words import names
from whypending.diagnosis import Citation, Confidence, Finding
from whypending.evidence import Access, Evidence, is_known
from whypending.inventory.found import Scheduler, is_certain, serving, works
from whypending.inventory.leases import holds, is_held, lease_of
from whypending.rbacmodel.scheduler import is_of_lease, missing, stops_start, subject_of

_ALWAYS = frozenset({"nodes", "pods"})
"""Lists that no configuration turns off."""
_SURE, _UNSURE = Confidence.PROVED, Confidence.LIKELY


class Lack(NamedTuple):
    """What one scheduler lacks, and how sure it is that this holds it up."""

    scheduler: Scheduler
    user: User
    access: tuple[Access, ...]
    confidence: Confidence


def of_lease(evidence: Evidence) -> Iterator[Lack]:
    """Schedulers that may not take or keep the Lease that they need; a Lease that is there need not be created."""
    for scheduler, user, lacks in _lacking(evidence):
        lease = lease_of(evidence, scheduler)
        found = tuple(a for a in lacks if is_of_lease(a) and (lease is None or a.verb != "create"))
        if not found or (lease is not None and is_held(evidence, lease) and holds(scheduler, lease)):
            continue
        maybe_there = lease is None and not is_known(evidence.leases) and all(a.verb == "create" for a in found)
        sure = scheduler.is_up is True and is_certain(scheduler) and not maybe_there
        yield Lack(scheduler, user, found, _SURE if sure else _UNSURE)


def of_lists(evidence: Evidence) -> Iterator[Lack]:
    """Schedulers that may not list or watch what they begin with; a profile can do without some of the lists."""
    for scheduler, user, lacks in _lacking(evidence):
        found = tuple(a for a in lacks if stops_start(a))
        if found:
            whole = not _turns_off(scheduler) or any(a.resource in _ALWAYS for a in found)
            sure = scheduler.is_up is True and scheduler.names is not None and whole
            yield Lack(scheduler, user, found, _SURE if sure else _UNSURE)


def with_logged(found: Iterable[Finding], logged: Iterable[Finding]) -> Iterator[Finding]:
    """Rights say more than a log, which tells the first refusal; where they say nothing the log's findings stand."""
    lacks, told = list(found), list(logged)
    if not lacks:
        yield from told
        return
    proof = [citation for finding in told for citation in finding.citations]
    first = lacks[0]
    confidence = max((first.confidence, *(f.confidence for f in told)), key=_rank)
    yield Finding(
        code=first.code, name=first.name, confidence=confidence, message=first.message, role=first.role,
        citations=(*proof, *first.citations), remedies=first.remedies,
    )  # fmt: skip
    yield from lacks[1:]


def citations(lack: Lack, most: int = 5) -> Iterator[Citation]:
    """One line a resource, as `kubectl auth can-i` would answer."""
    by_resource: dict[str, list[Access]] = {}
    for access in lack.access:
        by_resource.setdefault(resource_of(access), []).append(access)
    for resource, found in list(by_resource.items())[:most]:
        place = f" in namespace {found[0].namespace}" if found[0].namespace else ""
        field = f"may {names([a.verb for a in found])} {resource}"
        yield Citation(object=f"User {found[0].subject}", field=field, value=f"no, by {found[0].how}{place}")


def words(access: Iterable[Access]) -> str:
    """`list and watch nodes and pods, and create leases.coordination.k8s.io`."""
    by_resource: dict[str, list[str]] = {}
    for each in access:
        by_resource.setdefault(resource_of(each), []).append(each.verb)
    by_verbs: dict[str, list[str]] = {}
    for resource, verbs in by_resource.items():
        by_verbs.setdefault(names(verbs), []).append(resource)
    return ", and ".join(f"{verbs} {names(resources)}" for verbs, resources in by_verbs.items())


def resource_of(access: Access) -> str:
    """`leases.coordination.k8s.io`, as kubectl takes it."""
    resource, slash, sub = access.resource.partition("/")
    return f"{resource}{'.' if access.group else ''}{access.group}{slash}{sub}"


def _lacking(evidence: Evidence) -> Iterator[tuple[Scheduler, User, tuple[Access, ...]]]:
    """None where the scheduler is seen at work, by a bind or in its log: then something else allows it."""
    pod = evidence.the_pod
    if pod is None or works(evidence) or _leads(evidence):
        return
    for scheduler in serving(evidence, pod.scheduler_name):
        subject = subject_of(scheduler)
        lacks = missing(evidence, subject) if subject else ()
        if lacks:
            yield scheduler, User(subject, is_own=True), lacks


def _leads(evidence: Evidence) -> bool:
    needles = ("cquired lease", "schedule pod", "bound pod")
    lines = (line for log in logs_of(evidence) if log.is_sure for line in log.lines)
    return any(any(n in line.text for n in needles) and LEADS.search(line.text) for line in lines)


def _turns_off(scheduler: Scheduler) -> bool:
    found = scheduler.configuration
    return found is not None and "disabled" in found.source.data.get(found.key, "")


def _rank(confidence: Confidence) -> int:
    return -list(Confidence).index(confidence)
