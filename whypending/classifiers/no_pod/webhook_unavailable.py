"""webhook-unavailable: an admission webhook must be asked before a Pod is made, and can't be reached.

What it means
    Somebody installed a webhook that must agree to every Pod (failurePolicy Fail). It does not answer, so no Pod can
    be created where it is in force, often in the whole cluster.

How it is recognised
    The refusal reads `failed calling webhook "NAME": …` with the reason: connection refused, `no endpoints available
    for service`, `service "…" not found`, a timeout (`context deadline exceeded`), or a certificate that is not trusted
    (`x509: …`). Proved: with failurePolicy Ignore the call would have been passed over.

What to do
    Bring the webhook's Pods back, or renew its certificate. If what it belonged to is gone (its Service does not
    exist), delete the ValidatingWebhookConfiguration or MutatingWebhookConfiguration that lists it.

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
_NOT_TRUSTED, _EXPIRED, _NO_SERVICE = (
    "certificate is not trusted",
    "certificate has expired",
    "its Service does not exist",
)
_WHY = (
    ("connection refused", "nothing listens at its address"),
    ("no endpoints available", "its Service has no ready Pod"),
    ("no service port", "its Service has not the port that its configuration names"),
    ("certificate has expired", f"its {_EXPIRED}"),
    ("x509", f"its {_NOT_TRUSTED} by the API server"),
    ("context deadline exceeded", "it does not answer in time"),
    ("i/o timeout", "it does not answer in time"),
    ("Client.Timeout", "it does not answer in time"),
    ("no such host", "its host name does not resolve"),
    ("no route to host", "the network has no route to it"),
    ("EOF", "it closes the connection without an answer"),
    ("could not find the requested resource", "its server does not know the path that its configuration names"),
    ("not found", _NO_SERVICE),
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
        remedies=tuple(_remedies(found, match["name"], url, why)),
    )


def _remedies(found: Refusal, name: str, url: re.Match[str] | None, why: str) -> Iterator[Remedy]:
    gone = why == _NO_SERVICE
    if url is not None and (_NOT_TRUSTED in why or _EXPIRED in why):
        yield look(
            f"Renew its certificate, or compare it with caBundle in the configuration that lists {name}.",
            kubectl("", "get", _CONFIGURATIONS, "-o", "yaml"),
        )
    elif url is not None and not gone:
        namespace, service = url["namespace"], url["service"]
        yield look(
            f"See whether Service {service} has ready endpoints; if not, bring its Pods back.",
            kubectl(namespace, "get", "endpointslices", "-l", f"kubernetes.io/service-name={service}"),
        )
    listed = "custom-columns=KIND:.kind,NAME:.metadata.name,WEBHOOKS:.webhooks[*].name"
    yield look(f"Find the configuration that lists webhook {name}.", kubectl("", "get", _CONFIGURATIONS, "-o", listed))
    if url is not None and gone:
        yield look(
            f"If Service {url['namespace']}/{url['service']} should be there, install again what it belonged to; else "
            "delete that configuration, as nothing will ever answer for it."
        )
    else:
        yield look(
            "If what it belonged to is gone, delete that configuration; to let Pods in meanwhile, set failurePolicy of "
            f"webhook {name} in it to Ignore."
        )
    if url is not None and url["namespace"] == found.workload.namespace:
        yield change(
            f"If its own Pods are refused by webhook {name} too, exempt namespace {url['namespace']} from it "
            "(namespaceSelector).",
            kubectl("", "edit", _CONFIGURATIONS),
        )
