"""What Events prove: the newest of a reason, whether a later success has overtaken it, and the words that matter in it.

Texts as kubelet 1.10 to 1.37 and containerd 1.4 to 2.x write them (pkg/kubelet/kuberuntime, internal/cri/server).
"""

from __future__ import annotations

import re

from whypending.classifiers.words import newest
from whypending.evidence import Evidence, seen
from whypending.objects.event import Event
from whypending.objects.pod import Pod
from whypending.patterns import Pattern

from ._containers import members

_PROGRESS = {"Pulling", "Pulled", "Created", "Started"}
_WRAPPERS = Pattern(
    r"""^(?:
        \(combined\ from\ similar\ events\):\s*
      | Failed\ (?:to\ )?create\ pod\ sandbox:\s*
      | Failed\ to\ prepare\ dynamic\ resources:\s*
      | (?:prepare\ dynamic\ resources|NodePrepareResources):\s*
      | Unable\ to\ attach\ or\ mount\ volumes:\s*
      | unmounted\ volumes=\[[^\]]*\],\ unattached\ volumes=\[[^\]]*\]:\s*
      | unmounted\ volumes=\[[^\]]*\],\ unattached\ volumes=\[[^\]]*\],\ failed\ to\ process\ volumes=\[[^\]]*\]:\s*
      | Error:\s+
      | rpc\ error:\ code\ =\ \w+\ desc\ =\s*
      | failed\ to\ (?:setup|set\ up)\ network\ for\ sandbox\ "[^"]*":\s*
      | failed\ to\ set\ up\ (?:sandbox|pod\ sandbox)\ container\ "[^"]*"\ network\ for\ pod\ "[^"]*":\s*
      | (?i:networkplugin)\ cni\ failed\ to\ set\ up\ pod\ "[^"]*"\ network:\s*
      | failed\ to\ create\ pod\ network\ sandbox\ [^:]*:\s*
      | plugin\ type="[^"]*"\ (?:name="[^"]*"\ )?failed\ \(add\):\s*
      | error\ adding\ pod\ \S+\ to\ CNI\ network\ "[^"]*":\s*
      | add\ cmd:\s*
    )""",
    re.VERBOSE,
)
_LONGEST = 240


def standing(evidence: Evidence, *reasons: str, saying: str = "") -> Event | None:
    """The newest Event of those reasons whose text holds the pattern `saying`, unless the Pod got past it since."""
    found = [e for e in seen(evidence.events) if e.reason in reasons and re.search(saying, e.text)]
    event = newest(tuple(found))
    return None if event is None or got_past(evidence, event) else event


def got_past(evidence: Evidence, event: Event) -> bool:
    """Whether the node started something in the sandbox after a volume or sandbox failure, or has its sandbox now."""
    pod = evidence.the_pod
    if pod is None:
        return True
    sandbox = pod.condition("PodReadyToStartContainers")
    if sandbox is not None and sandbox.status == "True":
        return True
    # volumes are mounted before the sandbox is tried
    progress = _PROGRESS if event.reason == "FailedCreatePodSandBox" else {*_PROGRESS, "FailedCreatePodSandBox"}
    if any(e.reason in progress and e.last_seen >= event.last_seen for e in seen(evidence.events)):
        return True
    return _ran_after(pod, event)


def _ran_after(pod: Pod, event: Event) -> bool:
    for member in members(pod):
        if member.running is not None:
            return True
        end = member.last_terminated
        if end is not None and end.started_at is not None and end.started_at >= event.last_seen:
            return True
    return False


def times(evidence: Evidence, event: Event) -> int:
    """How often that reason was seen in all; Events whose texts differ (sandbox ids) are not aggregated by the API."""
    return sum(e.times for e in seen(evidence.events) if e.reason == event.reason)


def core(text: str) -> str:
    """The part of a runtime's or kubelet's error that says what happened: wrappers with ids stripped off its front."""
    rest = " ".join(text.split())
    _, output, said = rest.partition("Mounting command: ")[2].partition(" Output: ")
    if output:
        rest = said
    while (match := _WRAPPERS.match(rest)) and match.end() < len(rest):
        rest = rest[match.end() :]
    return rest.rstrip(". ")


def short(text: str) -> str:
    """`core`, at most 240 characters, cut at a word with an ellipsis."""
    whole = core(text)
    return whole if len(whole) <= _LONGEST else whole[:_LONGEST].rsplit(" ", 1)[0] + " …"


def of_container(evidence: Evidence, name: str, *reasons: str, saying: str = "") -> Event | None:
    """The newest Event of those reasons about that container (`involvedObject.fieldPath`) whose text holds `saying`."""
    mine = (e for e in seen(evidence.events) if e.reason in reasons and f"{{{name}}}" in e.about.field_path)
    return newest(tuple(e for e in mine if re.search(saying, e.text)))
