"""Required Pod (anti-)affinity terms and the siblings that meet them."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator

from whypending.evidence import Evidence, seen
from whypending.objects.pod import Pod, PodAffinityTerm
from whypending.objects.selectors import matches_selector, show_selector


def show_term(term: PodAffinityTerm, pod: Pod) -> str:
    """`app=db per kubernetes.io/hostname` and the namespaces, where they are not the Pod's own."""
    spaces = [n for n in term.namespaces if n != pod.namespace]
    where = f" in namespace {','.join(spaces)}" if spaces else ""
    return f"{show_selector(term.label_selector)}{where} per {term.topology_key}"


def matching_siblings(evidence: Evidence, term: PodAffinityTerm) -> tuple[Pod, ...]:
    """Pods of the same controller that have a node and that the term's selector matches."""
    return tuple(
        p
        for p in seen(evidence.siblings)
        if p.spec.node_name and matches_selector(term.label_selector, p.metadata.labels)
    )


def list_command(terms: Iterable[PodAffinityTerm], pod: Pod) -> Iterator[str]:
    """A command a term that lists the Pods which it speaks of."""
    for term in terms:
        selector = term.label_selector
        labels = ",".join(f"{k}={v}" for k, v in selector.match_labels.items()) if selector else ""
        space = term.namespaces[0] if len(term.namespaces) == 1 else pod.namespace
        scope = "-A" if len(term.namespaces) > 1 or term.namespace_selector is not None else f"-n {shlex.quote(space)}"
        yield f"kubectl get pods {scope} -o wide{f' -l {shlex.quote(labels)}' if labels else ''}"
