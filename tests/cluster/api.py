"""A small client of the API server, much quicker than a kubectl process for each request."""

from __future__ import annotations

import base64
import http.client
import json
import ssl
import tempfile
import urllib.parse
from dataclasses import dataclass
from pathlib import Path

import yaml

from tests.cluster.base import Object

_DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
MERGE_PATCH = "application/merge-patch+json"


class ApiError(RuntimeError):
    """The API server refused; ``status`` is the HTTP status, ``reason`` the server's word for it."""

    def __init__(self, status: int, reason: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason


@dataclass(frozen=True)
class Resource:
    """Where objects of a kind are found."""

    prefix: str
    plural: str
    namespaced: bool

    def path(self, namespace: str | None, name: str = "") -> str:
        """The path of one object, or of the collection if the name is empty."""
        scope = f"/namespaces/{namespace}" if self.namespaced and namespace else ""
        return f"{self.prefix}{scope}/{self.plural}" + (f"/{name}" if name else "")


class Api:
    """Requests as the user of a kubeconfig with a client certificate."""

    def __init__(self, kubeconfig: Path) -> None:
        config = yaml.safe_load(kubeconfig.read_text())
        cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
        self._address = urllib.parse.urlsplit(cluster["server"]).netloc
        authority = base64.b64decode(cluster["certificate-authority-data"]).decode()
        self._tls = ssl.create_default_context(cadata=authority)
        with tempfile.NamedTemporaryFile() as pair:
            pair.write(base64.b64decode(user["client-certificate-data"]))
            pair.write(base64.b64decode(user["client-key-data"]))
            pair.flush()
            self._tls.load_cert_chain(pair.name)
        self._resources: dict[str, Resource] = {}

    def connection(self) -> http.client.HTTPSConnection:
        """A connection of one's own, to be closed: for very many requests by one thread."""
        return http.client.HTTPSConnection(self._address, context=self._tls, timeout=30)

    def text(
        self,
        method: str,
        path: str,
        body: Object | None = None,
        content_type: str = "application/json",
        accept: str = "application/json",
    ) -> str:
        """The body of the answer to one request."""
        connection = self.connection()
        try:
            data = None if body is None else json.dumps(body)
            connection.request(method, path, data, {"Content-Type": content_type, "Accept": accept})
            answer = connection.getresponse()
            text = answer.read().decode()
        finally:
            connection.close()
        if answer.status >= 400:
            raise _error(answer.status, text)
        return text

    def request(
        self, method: str, path: str, body: Object | None = None, content_type: str = "application/json"
    ) -> Object:
        """The object that answers one request."""
        answer: Object = json.loads(self.text(method, path, body, content_type))
        return answer

    def get(self, path: str) -> Object:
        """The object at that path."""
        return self.request("GET", path)

    def find(self, path: str) -> Object | None:
        """The object at that path, or None."""
        try:
            return self.get(path)
        except ApiError as error:
            if error.status == 404:
                return None
            raise

    def merge(self, path: str, patch: Object) -> Object:
        """Merges a patch into the object at that path."""
        return self.request("PATCH", path, patch, MERGE_PATCH)

    def resource(self, kind: str) -> Resource:
        """Where that kind is found, by its kind, plural, singular or short name, also ``name.group``."""
        if kind.lower() not in self._resources:
            for root in ("/apis", "/api"):
                self._discover(json.loads(self.text("GET", root, accept=_DISCOVERY)))
        try:
            return self._resources[kind.lower()]
        except KeyError:
            raise KeyError(f"the server has no kind {kind!r}") from None

    def _discover(self, groups: Object) -> None:
        # Core comes last and each group from the last to the first, so that these win a shared name.
        for group in reversed(groups["items"]):
            name = group["metadata"].get("name", "")
            for version in reversed(group["versions"]):
                prefix = f"/apis/{name}/{version['version']}" if name else f"/api/{version['version']}"
                for entry in version.get("resources", []):
                    self._remember(name, prefix, entry)

    def _remember(self, group: str, prefix: str, entry: Object) -> None:
        resource = Resource(prefix, entry["resource"], entry["scope"] == "Namespaced")
        names = [entry["resource"], entry.get("singularResource", ""), *entry.get("shortNames", [])]
        names.append(entry.get("responseKind", {}).get("kind", ""))
        for name in filter(None, names):
            self._resources[name.lower()] = resource
            self._resources[f"{name.lower()}.{group}"] = resource


def _error(status: int, text: str) -> ApiError:
    try:
        answer = json.loads(text)
        return ApiError(status, answer.get("reason", ""), answer.get("message", text))
    except (ValueError, AttributeError):
        return ApiError(status, "", text)
