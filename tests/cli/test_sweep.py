"""`whypending sweep` as a command: its options, exit statuses, streams, and bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.fake_cluster import AUTHORITY, PAIR, asked, failing, path_of, refused_pod
from tests.cli.objects import READY, REFUSED
from tests.sources.livekit import VERSION, Responder, items, kubeconfig, reply, serve
from whypending.cli.progress import progress
from whypending.renderers.sweep import SweepForm


def files(tmp_path: Path, text: str) -> str:
    path = tmp_path / "objects.yaml"
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize(
    ("text", "more", "status"),
    [(REFUSED, (), 1), (READY, (), 0), (f"{READY}---{REFUSED}", (), 1), (REFUSED, ("--exit-zero",), 0)],
)
def test_exit_status(run: Run, tmp_path: Path, text: str, more: tuple[str, ...], status: int) -> None:
    assert run("sweep", *more, "--from", files(tmp_path, text)).status == status


@pytest.mark.parametrize("command", ["sweep", "schedulers"])
def test_several_paths_are_all_read(run: Run, tmp_path: Path, command: str) -> None:
    paths = [tmp_path / "a.yaml", tmp_path / "b.yaml"]
    for path, text in zip(paths, (READY, REFUSED), strict=True):
        path.write_text(text)
    ended = run(command, "--from", *map(str, paths), "-o", "json")
    assert all(path.name in ended.out for path in paths)


def test_manifests_are_not_stuck(run: Run, dump: str) -> None:
    ended = run("sweep", "--from", dump)
    assert ended.status == 1
    assert "draft" not in ended.out
    assert ended.out.startswith("1 stuck Pod in all namespaces")


@pytest.mark.parametrize("form", SweepForm)
def test_every_form(run: Run, dump: str, form: SweepForm) -> None:
    ended = run("sweep", "--from", dump, "-o", form.value)
    assert ended.status == 1
    assert "insufficient-cpu" in ended.out
    assert ended.out.endswith("\n")


def test_the_form_may_stand_in_front(run: Run, dump: str) -> None:
    assert json.loads(run("-o", "json", "sweep", "--from", dump).out)["counts"]["stuckPods"] == 1


def test_files_hold_the_namespace_or_not(run: Run, dump: str) -> None:
    assert run("sweep", "-n", "shop", "--from", dump).status == 1
    ended = run("sweep", "-n", "elsewhere", "--from", dump)
    assert ended.status == 3
    assert 'holds no Pods in namespace "elsewhere"' in ended.err


def test_selector_of_files(run: Run, dump: str) -> None:
    ended = run("sweep", "-l", "app=nothing", "--from", dump)
    assert ended.status == 0
    assert ended.out.startswith("Nothing is stuck in all namespaces with app=nothing (")


def test_a_selector_that_is_none_is_a_sentence(run: Run, dump: str) -> None:
    ended = run("sweep", "-l", "a==b==c", "--from", dump)
    assert (ended.status, ended.out) == (2, "")
    assert "a==b==c" in ended.err


def test_prometheus_is_for_sweeps_alone(run: Run, dump: str) -> None:
    assert run("pod", "web-2", "--from", dump, "-o", "prometheus").status == 2


def test_progress_may_change(capsys: pytest.CaptureFixture[str]) -> None:
    with progress(lambda: "judging", quiet=False):
        pass
    assert capsys.readouterr().err == ""


def paged(pods: int, seen: list[str]) -> Responder:
    """A cluster that lists so many refused Pods in pages of 500 and refuses nothing."""

    def respond(handler: object) -> None:
        path = path_of(handler)  # type: ignore[arg-type]
        seen.append(handler.path)  # type: ignore[attr-defined]
        if path == "/version":
            reply(handler, VERSION)  # type: ignore[arg-type]
        elif path.endswith("/pods") and asked(handler, "fieldSelector").startswith("status.phase"):  # type: ignore[arg-type]
            start = int(asked(handler, "continue") or 0)  # type: ignore[arg-type]
            listed = [refused_pod(f"api-{n}") for n in range(start, min(start + 500, pods))]
            more = str(start + 500) if start + 500 < pods else ""
            page = items("pods", *listed)
            page["metadata"] = {"continue": more}
            reply(handler, page)  # type: ignore[arg-type]
        else:
            reply(handler, items(path.rpartition("/")[2]))  # type: ignore[arg-type]

    return respond


def test_pages_of_a_cluster_become_one_diagnosis(process: Run, tmp_path: Path) -> None:
    seen: list[str] = []
    with serve(PAIR, paged(1200, seen)) as server:
        config = kubeconfig(tmp_path / "config", server.url, ca=AUTHORITY.pem)
        ended = process("sweep", "-A", "-o", "json", "--kubeconfig", str(config))
    assert ended.status == 1, ended.err
    document = json.loads(ended.out)
    assert (document["counts"]["stuckPods"], len(document["pods"])) == (1200, 1)
    assert sum("status.phase" in path for path in seen) == 3
    assert sum("/events" in path for path in seen) == 1


def test_forbidden_everywhere_names_the_way_out(process: Run, tmp_path: Path) -> None:
    words = 'pods is forbidden: User "joe" cannot list resource "pods" in API group "" at the cluster scope'
    with serve(PAIR, failing(403, "Forbidden", words)) as server:
        config = kubeconfig(tmp_path / "config", server.url, ca=AUTHORITY.pem)
        ended = process("sweep", "-A", "--kubeconfig", str(config))
    assert (ended.status, ended.out) == (3, "")
    error, following = ended.err.splitlines()
    assert error.startswith("error: You may not list Pods in all namespaces.")
    assert following == "next: whypending sweep -n NAMESPACE, or ask for the right to list pods (cluster-wide)"


@pytest.mark.parametrize("arguments", [("-A", "-l", ""), ("-n", "Not A Namespace"), ("--selector",), ("extra",)])
def test_wrong_command_lines(process: Run, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    ended = process("sweep", *arguments, env={"KUBECONFIG": str(tmp_path / "none")})
    assert ended.status in {2, 3}
    assert "Traceback" not in ended.err
