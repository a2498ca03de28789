"""Bad input from the cluster's side, by the command line: small HTTPS servers that misbehave."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from tests.cli import fake_cluster as fake
from tests.cli.conftest import Run
from tests.cli.fake_cluster import AUTHORITY, ask, asked, cluster, failing, path_of, refused_pod, saying, sentence
from tests.renderers.documents import validate
from tests.sources.livekit import Authority, Responder, b64, items, kubeconfig, pod, reply, serve, status

PLUGIN_API = "client.authentication.k8s.io/v1"
PORTAL = "A login portal or a proxy is in between, or the kubeconfig's server is not an API server."
CUT = "Try again; if it stays, something between here and the API server cuts or changes answers."
BUSY = "The API server, or what is in front of it, is overloaded or not healthy: try again in a moment."
LOG_IN = "Log in again, or get a fresh kubeconfig for this cluster."


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("KUBECONFIG", "KUBERNETES_SERVICE_HOST", "HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


# -- the first contact ------------------------------------------------------------------------------------------------

FIRST: dict[str, tuple[Responder, str, str]] = {
    "401": (
        failing(401, "Unauthorized", "Unauthorized"),
        'does not accept the credential of the user "lab-user" (a token).',
        LOG_IN,
    ),
    "429": (failing(429, "TooManyRequests", "slow down"), "answered 429 (slow down).", BUSY),
    "429 for an hour": (
        failing(429, "TooManyRequests", "slow down", Retry_After="3600"),
        "answered 429 (slow down).",
        BUSY.replace("in a moment", "in 3600 s, as it asks"),
    ),
    "500": (failing(500, "InternalError", "etcd: new leader"), "answered 500 (etcd: new leader).", BUSY),
    "503 of a balancer": (
        saying(b"<html><head><title>503 Service\nUnavailable</title></head>", 503),
        "answered 503 (503 Service Unavailable).",
        BUSY,
    ),
    "truncated": (
        saying(json.dumps(refused_pod()).encode()[:-20], kind="application/json"),
        "can't be read: Input data was truncated.",
        CUT,
    ),
    "nothing at all": (saying(b"", kind="application/json"), "can't be read: Input data was truncated.", CUT),
    "captive portal": (
        saying(b"\n<!DOCTYPE html><title>Hotel \x1b[31mLogin</title>"),
        'answered with a web page called "Hotel \\x1b[31mLogin" instead of the Kubernetes API.',
        PORTAL,
    ),
    "denied by a proxy": (
        saying(b"<html><title>Access denied</title>", 403),
        'answered with a web page called "Access denied" instead of the Kubernetes API.',
        PORTAL,
    ),
    "redirect": (
        lambda h: reply(h, b"", 302, Location="https://portal.test/login?next=x"),
        "sends on to https://portal.test/login instead of answering.",
        PORTAL,
    ),
    "another server": (
        saying(b"404 page not found\n", 404, "text/plain"),
        "is not a Kubernetes API server: it knows no /api/v1/namespaces/prod/pods/api-1.",
        "Check the kubeconfig's server, with its path.",
    ),
    "another object": (
        lambda h: reply(h, pod("somebody-else")),
        "can't be read: it is not the object asked for.",
        CUT,
    ),
    "other JSON": (saying(b'{"a": 1}', kind="application/json"), "can't be read: it is not the object asked for.", CUT),
    "hangs up": (
        fake.hangs_up,
        "can't be reached: Remote end closed connection without response.",
        "Check that the cluster is up, and the network, VPN and kubeconfig context.",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("respond", "words", "hint"), FIRST.values(), ids=FIRST.keys())
def test_first_contact(process: Run, tmp_path: Path, respond: Responder, words: str, hint: str) -> None:
    start = time.monotonic()
    error, following = sentence(ask(process, tmp_path, respond))
    assert error.startswith(("https://127.0.0.1:", "The answer of https://127.0.0.1:"))
    assert error.endswith(words)
    assert following == hint
    assert time.monotonic() - start < 15


def test_without_a_credential(process: Run, tmp_path: Path) -> None:
    error, following = sentence(ask(process, tmp_path, failing(401, "Unauthorized", "Unauthorized"), user={}))
    assert error.startswith('The context "lab" has no credential, and https://127.0.0.1:')
    assert following == LOG_IN


def test_unreachable(process: Run, tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        server = f"https://127.0.0.1:{probe.getsockname()[1]}"
        error, following = sentence(ask(process, tmp_path, cluster(), server=server))
    assert error == f"{server} refused the connection."
    assert "VPN" in following


@pytest.mark.parametrize("respond", [fake.hangs, fake.drips])
def test_slow_servers_end_with_the_timeout(process: Run, tmp_path: Path, respond: Responder) -> None:
    start = time.monotonic()
    error, following = sentence(ask(process, tmp_path, respond, "api-1", "--timeout", "1.5"))
    assert error.endswith("did not answer within 1.5 s.")
    assert following.endswith("give it longer with --timeout.")
    assert time.monotonic() - start < 6


def test_the_hint_names_the_flag_that_ended_the_wait(process: Run, tmp_path: Path) -> None:
    error, following = sentence(ask(process, tmp_path, fake.hangs, "api-1", "--request-timeout", "0.7"))
    assert error.endswith("did not answer within 0.7 s.")
    assert following.endswith("give it longer with --request-timeout.")


def test_a_port_that_never_shakes_hands(process: Run, tmp_path: Path) -> None:
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()
        server = f"https://127.0.0.1:{deaf.getsockname()[1]}"
        error, _ = sentence(ask(process, tmp_path, cluster(), "api-1", "--timeout", "1", server=server))
    assert error == f"{server} did not answer within 1 s."


def test_expired_certificate_of_the_server(process: Run, tmp_path: Path) -> None:
    with serve(AUTHORITY.issue("127.0.0.1", valid=timedelta(days=-1)), cluster()) as server:
        error, following = sentence(ask(process, tmp_path, cluster(), server=server.url))
        assert server.requests == []
    assert error == f"The certificate of {server.url}, or of one of its issuers, has expired."
    assert "clock" in following


def test_certificate_of_another_cluster(process: Run, tmp_path: Path) -> None:
    with serve(Authority("other").issue("127.0.0.1"), cluster()) as server:
        error, following = sentence(ask(process, tmp_path, cluster(), server=server.url))
        assert server.requests == []
    assert error == f"The certificate of {server.url} is not signed by the cluster's CA in the kubeconfig."
    assert "get a fresh one" in following


def test_expired_certificate_of_the_user(process: Run, tmp_path: Path) -> None:
    mine = AUTHORITY.issue(valid=timedelta(hours=-1))
    user = {"client-certificate-data": b64(mine.certificate), "client-key-data": b64(mine.key)}
    error, following = sentence(ask(process, tmp_path, failing(401, "Unauthorized", "Unauthorized"), user=user))
    assert error.startswith('The client certificate of the user "lab-user" expired at 2')
    assert following == LOG_IN


def test_words_of_a_server_are_escaped(process: Run, tmp_path: Path) -> None:
    words = "\x1b]8;;http://evil.test\x07click\x1b]8;;\x07 \u202egnp.exe [bold]x[/bold]\r\n\x9b31m"
    ended = ask(process, tmp_path, failing(403, "Forbidden", words))
    error, _ = sentence(ended)
    assert "[bold]x[/bold]" in error
    assert r"\x1b]8;;http://evil.test\x07click" in error
    assert [c for c in ended.err if c != "\n" and not c.isprintable()] == []


def test_ctrl_c_while_a_server_hangs(tmp_path: Path) -> None:
    with serve(fake.PAIR, fake.hangs) as server:
        path = kubeconfig(tmp_path / "config", server.url, ca=AUTHORITY.pem)
        command = [sys.executable, "-m", "whypending", "pod", "x", "--kubeconfig", str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
            while not server.requests and running.poll() is None:
                time.sleep(0.02)
            start = time.monotonic()
            running.send_signal(signal.SIGINT)
            out, err = running.communicate(timeout=10)
    assert (running.returncode, out, err.strip()) == (130, b"", b"")
    assert time.monotonic() - start < 1.5


# -- after the Pod ----------------------------------------------------------------------------------------------------

LATER: dict[str, tuple[Responder, str]] = {
    "403": (failing(403, "Forbidden", 'User "jane" cannot list'), "forbidden"),
    "401": (failing(401, "Unauthorized", "Unauthorized"), "forbidden"),
    "410": (failing(410, "Expired", "too old resource version"), "expired"),
    "429": (failing(429, "TooManyRequests", "slow down", Retry_After="3600"), "unreachable"),
    "500": (failing(500, "InternalError", "etcdserver: no leader", Retry_After="100"), "unreachable"),
    "web page": (saying(b"<html><title>Sign in</title>"), "malformed"),
    "truncated": (fake.cut_off, "malformed"),
    "no such API": (saying(b"404 page not found\n", 404, "text/plain"), "not supported by this server"),
    "hangs up": (fake.hangs_up, "unreachable"),
    "hangs": (fake.hangs, "timed out"),
}


@pytest.mark.parametrize(("then", "reason"), LATER.values(), ids=LATER.keys())
def test_any_other_read_that_fails_costs_only_itself(
    process: Run, tmp_path: Path, then: Responder, reason: str
) -> None:
    start = time.monotonic()
    ended = ask(process, tmp_path, fake.all_but_the_pod(then), "api-1", "-o", "json", "--timeout", "2")
    document = json.loads(ended.out)
    validate(document)
    assert (ended.status, document["triage"], ended.err) == (1, "unschedulable", "")
    assert document["findings"][0]["name"] == "insufficient-cpu"
    assert {gap["reason"] for gap in document["notEvaluated"]} == {reason}
    assert {'Events of api-1 in namespace "prod"', "the Nodes"} <= {gap["what"] for gap in document["notEvaluated"]}
    assert time.monotonic() - start < 8


def test_a_read_that_fails_before_the_pod_has_come_hides_nothing(process: Run, tmp_path: Path) -> None:
    def late(handler: BaseHTTPRequestHandler) -> None:
        time.sleep(0.6)
        reply(handler, refused_pod())

    for then in (fake.cut_off, fake.hangs_up, saying(b"<html>")):
        ended = ask(process, tmp_path, cluster(**{"pods__api-1": late, "events": then}))
        assert ended.status == 1, ended.err
        assert ended.out.startswith("Pod prod/api-1 · unschedulable · insufficient-cpu")
        assert 'Events of api-1 in namespace "prod"' in ended.out.partition("Not looked at")[2]


def node(name: str) -> dict[str, Any]:
    room = {"cpu": "1", "memory": "1Gi", "pods": "110"}
    ready = {"type": "Ready", "status": "True"}
    return {"metadata": {"name": name}, "status": {"allocatable": room, "conditions": [ready]}}


def test_a_list_that_expires_between_two_pages_is_read_again(process: Run, tmp_path: Path) -> None:
    told: Counter[str] = Counter()

    def nodes(handler: BaseHTTPRequestHandler) -> None:
        token = asked(handler, "continue")
        told[token] += 1
        if not token:
            return reply(handler, items("Node", node("n1"), node("n2"), more="t"))
        if told[token] == 1:
            return reply(handler, status(410, "Expired", "The provided continue parameter is too old"), 410)
        return reply(handler, items("Node", node("n3")))

    ended = ask(process, tmp_path, cluster(nodes=nodes), "api-1", "-o", "json")
    document = json.loads(ended.out)
    assert (ended.status, told) == (1, {"": 2, "t": 2})
    assert "the Nodes" not in {gap["what"] for gap in document["notEvaluated"]}


def test_an_api_group_that_the_server_lacks(process: Run, tmp_path: Path) -> None:
    queued = refused_pod(labels={"kueue.x-k8s.io/queue-name": "team"})
    ended = ask(process, tmp_path, cluster(**{"pods__api-1": queued}), "api-1", "-o", "json")
    gaps = {gap["detail"]: gap["reason"] for gap in json.loads(ended.out)["notEvaluated"]}
    assert ended.status == 1
    assert gaps["this server does not serve localqueues.kueue.x-k8s.io"] == "not supported by this server"


# -- the Pod itself ---------------------------------------------------------------------------------------------------


def pods(*names: str) -> dict[str, Any]:
    return items("Pod", *(refused_pod(name) for name in names))


@pytest.mark.parametrize(
    ("objects", "hint"),
    [
        ({"prod__pods": pods("api-1-x", "web", "db")}, "Near names here: api-1-x."),
        ({"v1__pods": items("Pod", pod("api-2", "shop"))}, 'Namespace "shop" has it: -n shop.'),
        (
            {"v1__pods": items("Pod", pod("api-2", "shop"), pod("api-2", "test")), "prod__pods": pods("api-22")},
            "These namespaces have it: shop, test. Near names here: api-22.",
        ),
        ({"prod__pods": pods("web", "db")}, "Here are only db, web."),
        ({"prod__pods": pods("web")}, "Here is only web."),
        ({}, '"prod" holds no Pod, if there is such a namespace: kubectl get namespaces.'),
        ({"prod__pods": pods(*(f"web{n}" for n in range(20)))}, "See what there is: kubectl get pods -n prod"),
        ({"prod__pods": pods("api-2")}, "It is there again, made anew in between: ask again."),
        (
            {"prod__pods": failing(403, "Forbidden"), "v1__pods": failing(403, "Forbidden")},
            'Check the name and -n; to show near names needs the right to list pods in namespace "prod".',
        ),
        ({"prod__pods": fake.cut_off, "v1__pods": fake.hangs_up}, "See what there is: kubectl get pods -n prod"),
    ],
)
def test_a_pod_that_is_not_there(process: Run, tmp_path: Path, objects: dict[str, Any], hint: str) -> None:
    assert sentence(ask(process, tmp_path, cluster(**objects), "api-2")) == (
        'There is no Pod "api-2" in namespace "prod".',
        hint,
    )


def test_a_pod_that_may_not_be_got_but_listed(process: Run, tmp_path: Path) -> None:
    whole = cluster(**{"pods__api-1": failing(403, "Forbidden", "no get"), "prod__pods": pods("api-1")})
    ended = ask(process, tmp_path, whole)
    assert (ended.status, ended.out.partition("\n")[0][:46]) == (1, "Pod prod/api-1 · unschedulable · insufficient-")


def test_a_pod_that_may_not_be_read_says_what_its_events_say(process: Run, tmp_path: Path) -> None:
    told = {
        "metadata": {"name": "e"},
        "reason": "FailedScheduling",
        "message": "0/3 nodes are available: 3 Insufficient cpu.",
        "involvedObject": {"kind": "Pod", "name": "api-1"},
    }
    refused = failing(403, "Forbidden", 'pods "api-1" is forbidden')
    whole = cluster(**{"pods__api-1": refused, "prod__pods": refused, "events": items("Event", told)})
    error, following = sentence(ask(process, tmp_path, whole))
    assert error == (
        'You may not read Pod "api-1" in namespace "prod": pods "api-1" is forbidden. '
        "Its newest Event may be read: FailedScheduling: 0/3 nodes are available: 3 Insufficient cpu."
    )
    assert following == (
        'Ask for the right to get pods in namespace "prod", or have someone send you '
        "`kubectl get pods api-1 -n prod -o yaml` and read it with --from."
    )


def test_a_pod_that_can_not_be_read_while_the_rest_can(process: Run, tmp_path: Path) -> None:
    error, following = sentence(ask(process, tmp_path, cluster(**{"pods__api-1": fake.cut_off})))
    assert error.startswith('Pod "api-1" could not be read (malformed). The answer of https://127.0.0.1:')
    assert following.startswith("Try again, or have someone send you `kubectl get pods api-1 -n prod -o yaml`")


OWNED: dict[str, Any] = {
    "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "api", "uid": "r", "controller": True}]
}


def test_a_pod_that_is_deleted_between_two_reads(process: Run, tmp_path: Path) -> None:
    ended = ask(process, tmp_path, cluster(**{"pods__api-1": refused_pod(**OWNED)}), "api-1", "-o", "json")
    document = json.loads(ended.out)
    assert (ended.status, ended.err, document["triage"]) == (1, "", "unschedulable")


def test_a_workload_whose_pod_is_deleted_between_two_reads(process: Run, tmp_path: Path) -> None:
    template = {"metadata": {"labels": {"app": "api"}}, "spec": {"containers": []}}
    spec = {"replicas": 1, "selector": {"matchLabels": {"app": "api"}}, "template": template}
    workload = {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": {"name": "api", "namespace": "prod", "uid": "r"},
    }
    answers = iter([items("Pod", refused_pod(**OWNED)), items("Pod")])
    whole = cluster(
        **{
            "replicasets__api": {**workload, "spec": spec, "status": {"replicas": 1}},
            "prod__pods": lambda handler: reply(handler, next(answers, items("Pod"))),
            "pods__api-1": fake.nothing,
        }
    )
    ended = ask(process, tmp_path, whole, "rs/api", "-o", "json")
    document = json.loads(ended.out)
    validate(document)
    assert (ended.status, document["triage"]) == (1, "unschedulable")
    assert document["target"]["kind"] == "ReplicaSet"


def test_only_get_is_ever_sent(process: Run, tmp_path: Path) -> None:
    methods: set[tuple[str, bool]] = set()

    def noting(handler: BaseHTTPRequestHandler) -> None:
        methods.add((handler.command, "secrets" in path_of(handler)))
        cluster()(handler)

    ask(process, tmp_path, noting)
    assert methods == {("GET", False)}
