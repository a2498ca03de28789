"""webhook-unavailable: an admission webhook must be asked before a Pod is made, and can't be reached.

What it means
    Somebody installed a webhook that must agree to every Pod (failurePolicy Fail). It does not answer, so no Pod can
    be created where it is in force, often in the whole cluster.

How it is recognised
    The refusal reads `failed calling webhook "NAME": …` with the reason: connection refused, `no endpoints available
    for service`, `service "…" not found`, a timeout (`context deadline exceeded`), or a certificate that is not trusted
    (`x509: …`). Proved: with failurePolicy Ignore the call would have been passed over.

What to do
    Bring the webhook's Pods back, or renew its certificate. If what it belonged to is gone, delete its configuration.

Limits
    Timeouts can come from the network between API server and node (firewall, CNI), with the webhook in good health.
    If the webhook's own Pods are refused by it, it can't come back by itself.

References
    apiserver pkg/util/webhook/error.go, pkg/admission/plugin/webhook (v1.37);
    https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#failure-policy
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whypending.classifiers.cause import Cause, change, look
from whypending.classifiers.no_pod._refusal import Refusal, refusal
from whypending.classifiers.words import kubectl, sentence
from whypending.diagnosis import Finding, Remedy, Triage
from whypending.evidence import Evidence
from whypending.patterns import Pattern

CAUSE = Cause("WP503", "webhook-unavailable", Triage.NO_POD, refines=("pod-creation-rejected",))

_TEXT = Pattern(r'failed calling webhook "(?P<name>[^"]+)"[:;] (?P<words>.*)', re.DOTALL)
_URL = Pattern(r'"?https://(?P<service>[a-z0-9-]+)\.(?P<namespace>[a-z0-9-]+)\.svc[.:/]')
_CONFIGURATIONS = "validatingwebhookconfigurations,mutatingwebhookconfigurations"
_WHY = (
    ("connection refused", "nothing listens at its address"),
    ("no endpoints available", "its Service has no ready Pod"),
    ("no service port", "its Service has not the port that its configuration names"),
    ("certificate has expired", "its certificate has expired"),
    ("x509", "its certificate is not trusted by the API server"),
    ("context deadline exceeded", "it does not answer in time"),
    ("i/o timeout", "it does not answer in time"),
    ("Client.Timeout", "it does not answer in time"),
    ("no such host", "its host name does not resolve"),
    ("no route to host", "the network has no route to it"),
    ("EOF", "it closes the connection without an answer"),
    ("could not find the requested resource", "its server does not know the path that its configuration names"),
    ("not found", "its Service does not exist"),
)


def classify(evidence: Evidence) -> Iterator[Finding]:
    """Which webhook, behind which Service, and why the call fails."""
    found = refusal(evidence)
    match = _TEXT.search(found.words) if found else None
    if found is None or match is None:
        return
    words = match["words"]
    why = next((text for key, text in _WHY if key in words), "")
    url = _URL.search(words)
    service = f" (Service {url['namespace']}/{url['service']})" if url else ""
    ends = f"{why}." if why else sentence(words)
    yield CAUSE.finding(
        f'Admission webhook "{match["name"]}"{service} must agree to {found.whose}, '
        f"but the API server can't call it: {ends}",
        citations=(found.proof,),
        remedies=tuple(_remedies(found, match["name"], url, certificate="x509" in words)),
    )


def _remedies(found: Refusal, name: str, url: re.Match[str] | None, *, certificate: bool) -> Iterator[Remedy]:
    configurations = kubectl("", "get", _CONFIGURATIONS, "-o", "yaml")
    if url is None:
        yield look("Find where the webhook is served.", configurations)
    else:
        namespace, service = url["namespace"], url["service"]
        if certificate:
            yield look("Renew its certificate, or compare it with caBundle of its configuration.", configurations)
        else:
            yield look(
                f"See whether Service {service} has ready endpoints; if not, bring its Pods back.",
                kubectl(namespace, "get", "endpointslices", "-l", f"kubernetes.io/service-name={service}"),
            )
        if namespace == found.workload.namespace:
            yield change(
                f"If its own Pods are refused by webhook {name} too, exempt namespace {namespace} from it.",
                kubectl("", "edit", _CONFIGURATIONS),
            )
    yield look(f"If what it belonged to is gone, delete the configuration that lists {name}; find it.", configurations)
