"""Users with exactly the rights that a test gives them, and what they are answered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.cluster import Cluster
from tests.cluster.api import Api
from tests.cluster.base import until
from tests.live.conftest import run
from tests.live.recorder import Request, recording

API = "rbac.authorization.k8s.io"
_GRANT = re.compile(r'(get|list) ([a-z]+)\.?(\S*) (?:in namespace "([^"]+)"|\(cluster-wide\))')


class Answer(NamedTuple):
    """The report of one run as JSON, and the requests that it sent."""

    report: dict[str, Any]
    requests: Sequence[Request]

    @property
    def verdict(self) -> tuple[Any, ...]:
        """All that was concluded, without the words that hold an age."""
        shown = [[f[key] for key in ("code", "role", "confidence", "citations")] for f in self.report["findings"]]
        return (self.report["triage"], self.report["confidence"], shown, self.report["notEvaluated"])

    @property
    def grants(self) -> tuple[str, ...]:
        """The rights that the report says are missing."""
        return tuple(gap["grant"] for gap in self.report["notEvaluated"] if gap["reason"] == "forbidden")


def ask(kubeconfig: Path, namespace: str, name: str, folder: Path) -> Answer:
    """`whypending pod -o json` as the user of that kubeconfig."""
    with recording(kubeconfig, folder) as recorder:
        ended = run("pod", "-n", namespace, name, "-o", "json", kubeconfig=recorder.kubeconfig)
    assert ended.status in {0, 1}, ended.stderr
    return Answer(ended.json, recorder.requests)


def rules_of(grant: str) -> tuple[str, dict[str, Any]]:
    """The namespace ("" = all) and the Role or ClusterRole that a report's `grant` asks for."""
    found = _GRANT.fullmatch(grant)
    assert found, grant
    verb, resource, group, namespace = found.groups("")
    rule = {"apiGroups": [group], "resources": [resource], "verbs": [verb]}
    return namespace, {"kind": "Role" if namespace else "ClusterRole", "rules": [rule]}


def give(cluster: Cluster, user: str, role: dict[str, Any], namespace: str = "", *, name: str = "") -> None:
    """Binds the user to that Role or ClusterRole, and waits until the API server knows of it."""
    kind, meta = role["kind"], {"name": name or user}
    binding = {
        "kind": f"{kind}Binding",
        "roleRef": {"apiGroup": API, "kind": kind, **meta},
        "subjects": [{"apiGroup": API, "kind": "User", "name": user}],
    }
    objects = [{**thing, "apiVersion": f"{API}/v1", "metadata": meta} for thing in (role, binding)]
    cluster.apply(objects, namespace or None)
    wanted = _attributes(role, namespace)
    mine = Api(cluster.user_kubeconfig(user))
    assert until(lambda: _may(mine, wanted), timeout=20)


def _attributes(role: dict[str, Any], namespace: str) -> dict[str, str]:
    """The last right of the role, as an access review has it."""
    rule = role["rules"][-1]
    found = {"group": rule["apiGroups"][-1], "resource": rule["resources"][-1], "verb": rule["verbs"][-1]}
    return {**found, "namespace": namespace}


def _may(api: Api, attributes: dict[str, str]) -> bool:
    review = {"kind": "SelfSubjectAccessReview", "spec": {"resourceAttributes": attributes}}
    answer = api.request("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", review)
    return bool(answer["status"]["allowed"])
