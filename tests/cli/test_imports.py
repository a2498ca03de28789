"""What is imported for a look: importing is most of the time that a look takes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.cli import fake_cluster as fake
from tests.sources.livekit import b64, kubeconfig, serve
from whypending.classifiers import FOLDERS

_SCRIPT = """
import json, sys
from whypending.cli import edge
status = edge.run(json.loads(sys.argv[1]))
print(json.dumps([status, sorted(name for name, module in sys.modules.items() if module)]), file=sys.stderr)
"""
_SELDOM = {"rich", "kubernetes", "asyncio", "dateutil", "html", "zoneinfo"}
_NOT_LIVE = {"yaml", "charset_normalizer", "chardet", "idna.core", "zipfile", "certifi", "importlib.metadata"}
_NOT_FILES = {"requests", "urllib3", "ssl", "http", "email"}


def imported(*arguments: str) -> set[str]:
    """The modules that are there at the end of a look."""
    argv = [sys.executable, "-c", _SCRIPT, json.dumps([*arguments, "--quiet"])]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=True)
    status, modules = json.loads(done.stderr.splitlines()[-1])
    assert status in (0, 1), done.stderr
    return set(modules)


def folders(modules: set[str]) -> set[str]:
    """The classes whose classifiers are among them."""
    return {str(folder) for folder in FOLDERS if f"whypending.classifiers.{folder}" in modules}


@pytest.fixture
def live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """What a look at a refused Pod imports, with a kubeconfig as kubectl writes it and a client certificate."""
    for name in ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    client = fake.AUTHORITY.issue()
    user = {"client-certificate-data": b64(client.certificate), "client-key-data": b64(client.key)}
    with serve(fake.PAIR, fake.cluster(), client_ca=fake.AUTHORITY.pem) as server:
        path = kubeconfig(tmp_path / "config", server.url, ca=fake.AUTHORITY.pem, user=user)
        path.write_text(yaml.safe_dump(json.loads(path.read_text())))
        return imported("pod", "-n", "prod", "api-1", "--kubeconfig", str(path))


def test_a_cluster_is_looked_at_without_what_is_seldom_needed(live: set[str]) -> None:
    assert "requests" in live
    assert not live & (_SELDOM | _NOT_LIVE)
    assert not any(name.startswith("whypending.sources.files") for name in live)


def test_of_the_classifiers_only_those_of_the_class_are_imported(live: set[str]) -> None:
    assert folders(live) == {"unschedulable"}


def test_files_are_read_without_anything_for_the_network(tmp_path: Path) -> None:
    path = tmp_path / "pod.json"
    path.write_text(json.dumps(fake.refused_pod()))
    modules = imported("pod", "api-1", "--from", str(path))
    assert not modules & (_SELDOM | _NOT_FILES | {"yaml"})
    assert folders(modules) == {"unschedulable"}
