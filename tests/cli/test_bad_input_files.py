"""Bad input from files, by the command line: what is no object, what is odd, what is hostile, what is huge."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import unicodedata
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.conftest import Ended, Run
from tests.cli.objects import EVERYTHING, READY, REFUSED
from tests.renderers.documents import validate
from tests.sources.test_files_bad_input import BAD
from whypending.renderers.layout import cells

PYTHON = (sys.executable, "-m", "whypending")
HOW_TO_SAVE = "Save the Pods and their Events with: kubectl get pods,events -n NAMESPACE -o yaml > pods.yaml"
HOSTILE = (
    "\x1b[31mred\x1b[0m \x1b]8;;http://evil.test\x07click\x1b]8;;\x07 \u202egnp.exe\u202c [bold]rich[/bold] "
    "[link=http://evil.test]y[/link] \x9b31m \u200b\u2066 \r\n\tforged: line\x00\x08\x7f \U000e0041"
)
FORMS = ("text", "wide", "json", "yaml", "ndjson")


def could_not_look(ended: Ended) -> tuple[str, str]:
    """The error and the next step of a run that could not look."""
    assert (ended.status, ended.out) == (3, ""), ended
    error, following = ended.err.splitlines()
    assert error.startswith("error: ")
    assert error.endswith(".")
    return error.removeprefix("error: "), following.removeprefix("next: ")


def saved(folder: Path, text: str | bytes, name: str = "dump.yaml") -> str:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


# -- what is no object ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("data", "words"), BAD.values(), ids=BAD.keys())
@pytest.mark.parametrize("form", ["text", "json"])
def test_what_can_not_be_used(run: Run, tmp_path: Path, data: str | bytes, words: str, form: str) -> None:
    error, following = could_not_look(run("pod", "web-2", "-o", form, "--from", saved(tmp_path, data)))
    assert re.search(words, error)
    assert following
    assert [c for c in error + following if not c.isprintable()] == []


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("gone.yaml", ("There is no file gone.yaml.", "Check the path given with --from.")),
        ("x\x1b[31m", ("There is no file x\\x1b[31m.", "Check the path given with --from.")),
        ("empty", ("empty holds no Kubernetes objects.", HOW_TO_SAVE)),
        ("/dev/null", ("/dev/null is empty.", HOW_TO_SAVE)),
        ("dump.yaml/x", ("dump.yaml/x can't be read: Not a directory.", "Check the path given with --from.")),
    ],
)
def test_paths(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, told: tuple[str, str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    saved(tmp_path, EVERYTHING)
    assert could_not_look(run("pod", "web-2", "--from", path)) == told


def test_closed_and_empty_stdin(process: Run) -> None:
    assert could_not_look(process("pod", "web-2", "--from", "-")) == ("standard input is empty.", HOW_TO_SAVE)
    command = f"exec {sys.executable} -m whypending pod web-2 --from - <&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    closed = could_not_look(Ended(done.returncode, done.stdout, done.stderr))
    assert closed == ("Standard input is closed.", "Pipe the objects in, or name their file.")


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1999-01-01"])
def test_a_time_that_no_cluster_has(run: Run, tmp_path: Path, moment: str) -> None:
    ended = run("pod", "web-2", "--from", saved(tmp_path, EVERYTHING), "--now", moment)
    assert (ended.status, ended.out) == (2, "")
    assert f'"{moment}" is no time of a cluster.' in ended.err


def test_no_time_at_all(run: Run, tmp_path: Path) -> None:
    timeless = re.sub(r".*(creationTimestamp|lastTransitionTime).*\n", "", REFUSED)
    path = saved(tmp_path, timeless)
    assert could_not_look(run("pod", "web-2", "--from", path)) == (
        "The files hold no time to judge by.",
        "Say when they were saved: --now TIME",
    )
    assert run("pod", "web-2", "--from", path, "--now", "2026-11-30T22:00:00Z").status == 1


# -- which Pod --------------------------------------------------------------------------------------------------------


def test_several_pods_of_that_name(run: Run, tmp_path: Path) -> None:
    other = REFUSED.replace("namespace: shop", "namespace: test").replace("uid: 2", "uid: 3")
    path = saved(tmp_path, f"{REFUSED}---{other}")
    ended = run("pod", "web-2", "--from", path)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.splitlines() == [
        'error: 2 pods are called "web-2", in the namespaces shop, test.',
        "next: Name one: -n shop",
    ]
    assert run("pod", "web-2", "-n", "test", "--from", path).out.startswith("Pod test/web-2 · unschedulable")


@pytest.mark.parametrize(
    ("words", "error", "hint"),
    [
        (("wbe-2",), 'There is no Pod "wbe-2" in what --from names.', "Near names here: web-2, web-1."),
        (
            ("web-2", "-n", "other"),
            'There is no Pod "web-2" in namespace "other" in what --from names.',
            'Namespace "shop" has it: -n shop.',
        ),
        (("zzz",), 'There is no Pod "zzz" in what --from names.', "Here are only draft, web-1, web-2."),
        (
            ("zzz", "-n", "other"),
            'There is no Pod "zzz" in namespace "other" in what --from names.',
            "add `kubectl get pods zzz -n other -o yaml` to --from",
        ),
        (
            ("deploy/web",),
            'There is no Deployment "web" in what --from names.',
            "add `kubectl get deployments.apps -A -o yaml` to --from",
        ),
    ],
)
def test_no_pod_of_that_name(run: Run, dump: str, words: tuple[str, ...], error: str, hint: str) -> None:
    assert could_not_look(run("pod", *words, "--from", dump)) == (error, hint)


def test_a_hint_can_be_pasted_into_a_shell(run: Run, dump: str) -> None:
    _, following = could_not_look(run("pod", "x; rm -rf y", "-n", "$(id)", "--from", dump))
    assert following == "add `kubectl get pods 'x; rm -rf y' -n '$(id)' -o yaml` to --from"


# -- what is odd ------------------------------------------------------------------------------------------------------

PASTED = f"user@host:~$ kubectl get pod web-2 -n shop -o yaml\n{REFUSED.strip()}\nuser@host:~$ \n"
TYPES = (
    REFUSED.replace("schedulerName: default-scheduler", "schedulerName: [1]")
    .replace("phase: Pending", "phase: {a: b}")
    .replace("spec:\n", "spec:\n  priority: high\n  nodeSelector: 3\n", 1)
    .replace("metadata:\n", "metadata:\n  labels: [a]\n", 1)
)
ODD: dict[str, tuple[str, str]] = {
    "prompts": (PASTED, ""),
    "tabs": (REFUSED.replace("  ", "\t"), ""),
    "carriage returns": (REFUSED.replace("\n", "\r\n"), ""),
    "indented": (re.sub("^", "    ", REFUSED, flags=re.MULTILINE), ""),
    "code fence": (f"Hi, can you look?\n```yaml\n{REFUSED}```\nThanks!\n", ""),
    "unknown kinds beside": (f"{REFUSED}---\napiVersion: x.test/v1\nkind: Widget\nmetadata: {{name: web-2}}\n", ""),
    "null lists": (REFUSED.replace("spec:\n", "spec:\n  tolerations: null\n  volumes:\n  initContainers: ~\n", 1), ""),
    "wrong types": (TYPES, "note: Pod shop/web-2: spec.schedulerName was ignored: Expected `str`, got `array`."),
    "a broken neighbour": (f"{REFUSED}---\nkind: Pod\nmetadata: {{name: *x}}\n", "which are not expanded."),
    "a null neighbour": (f"{REFUSED}---\nnull\n---\n- null\n- 3\n", ""),
}  # fmt: skip


@pytest.mark.parametrize(("text", "note"), ODD.values(), ids=ODD.keys())
def test_odd_files_are_still_judged(run: Run, tmp_path: Path, text: str, note: str) -> None:
    ended = run("pod", "web-2", "--from", saved(tmp_path, text, "paste.txt"), "-o", "json")
    document = json.loads(ended.out)
    validate(document)
    assert (ended.status, document["triage"]) == (1, "unschedulable")
    assert document["findings"][0]["name"] == "insufficient-cpu"
    assert note in ended.err


@pytest.mark.parametrize(
    "status", ["", "status:\n", "status: {}\n", "status: null\n", "status: [1]\n", "status: text\n"]
)
def test_missing_status(run: Run, tmp_path: Path, status: str) -> None:
    bare = REFUSED.partition("status:")[0] + status
    ended = run("pod", "web-2", "--from", saved(tmp_path, bare), "--now", "2026-11-30T22:00:00Z")
    assert (ended.status, ended.out.partition("\n")[0]) == (1, "Pod shop/web-2 · undecided (possible)")
    assert "status" in ended.out


@pytest.mark.parametrize(
    "text",
    [
        '{"apiVersion": "v1", "kind": "PodList", "items": null}',
        '{"apiVersion": "v1", "kind": "PodList"}',
        '{"apiVersion": "v1", "kind": "PodList", "items": []}',
    ],
)
def test_a_list_that_is_null_is_empty(run: Run, tmp_path: Path, text: str) -> None:
    path = saved(tmp_path, text, "pods.json")
    error, following = could_not_look(
        run("pod", "web-2", "-n", "shop", "--from", path, "--now", "2026-11-30T22:00:00Z")
    )
    assert error == 'There is no Pod "web-2" in namespace "shop" in what --from names.'
    assert following


def test_a_pod_whose_spec_is_no_object(run: Run, tmp_path: Path) -> None:
    text = re.sub(r"spec:\n(  .*\n)+", "spec: hello\n", REFUSED)
    ended = run("pod", "web-2", "--from", saved(tmp_path, text))
    assert (ended.status, ended.out[:28]) == (1, "Pod shop/web-2 · unschedulab")
    assert "note: Pod shop/web-2: spec was ignored: Expected `object`, got `str`." in ended.err


# -- what is hostile --------------------------------------------------------------------------------------------------


def hostile_objects() -> str:
    place: dict[str, Any] = {"namespace": f"ns{HOSTILE}", "creationTimestamp": "2026-11-30T20:00:00Z"}
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": f"rs{HOSTILE}", "uid": "r", "controller": True}
    container = {"name": f"c{HOSTILE}", "image": f"i{HOSTILE}"}
    state = {"name": f"c{HOSTILE}", "state": {"waiting": {"reason": "ImagePullBackOff", "message": HOSTILE}}}
    bound = {
        "metadata": {**place, "name": "bound", "uid": "1", "ownerReferences": [owner], "labels": {"a": HOSTILE}},
        "spec": {"nodeName": f"n{HOSTILE}", "schedulerName": HOSTILE, "containers": [container]},
        "status": {"phase": "Pending", "containerStatuses": [state]},
    }
    message = f"0/3 nodes are available: 3 {HOSTILE}, 2 node(s) had untolerated taint {{k{HOSTILE}: v{HOSTILE}}}."
    refusal = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": message}
    refused = {
        "metadata": {**place, "name": "refused", "uid": "2", "annotations": {HOSTILE: HOSTILE}},
        "spec": {"schedulerName": f"s{HOSTILE}", "containers": [container], "priorityClassName": HOSTILE},
        "status": {"phase": "Pending", "conditions": [refusal], "nominatedNodeName": HOSTILE},
    }
    about: dict[str, Any] = {"kind": "Pod", "namespace": place["namespace"]}
    events = [
        {
            "kind": "Event",
            "metadata": {**place, "name": f"e{uid}"},
            "involvedObject": {**about, "name": name, "uid": uid},
            "reason": f"Failed{HOSTILE}",
            "message": HOSTILE,
            "type": "Warning",
            "lastTimestamp": "2026-11-30T20:05:00Z",
        }
        for name, uid in (("bound", "1"), ("refused", "2"))
    ]
    pods = [{"kind": "Pod", **bound}, {"kind": "Pod", **refused}]
    items = [{"apiVersion": "v1", **item} for item in (*pods, *events)]
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items})


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["bound", "refused"])
def test_hostile_text_is_shown_as_data(run: Run, tmp_path: Path, name: str, form: str) -> None:
    ended = run("pod", name, "-o", form, "--from", saved(tmp_path, hostile_objects(), "evil.json"), "--verbose")
    assert ended.status == 1
    for char in ended.out + ended.err:
        assert char == "\n" or unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert "[bold]rich[/bold]" in ended.out
    assert "evil.test" in ended.out
    assert not [line for line in ended.out.splitlines() if line.startswith("forged")]
    if form in {"json", "yaml", "ndjson"}:
        document = yaml.safe_load(ended.out) if form == "yaml" else json.loads(ended.out)
        validate(document)
        assert document["target"]["namespace"].startswith("ns\x1b[31mred\x1b[0m")


def test_hostile_text_in_colour_is_still_data(run: Run, tmp_path: Path) -> None:
    path = saved(tmp_path, hostile_objects(), "evil.json")
    shown = run("pod", "bound", "--from", path, "--color", "always").out
    assert set(re.findall(r"\x1b[^m]*m", shown)) <= {f"\x1b[{n}m" for n in ("0", "1", "2", "1;31", "1;32", "33", "36")}


def on_a_terminal(*arguments: str, columns: int = 40) -> tuple[int, str]:
    """Status and what appears on a terminal of that width."""
    child, terminal = pty.fork()
    if child == 0:
        environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(columns)}
        os.execve(sys.executable, [*PYTHON, *arguments], environment)  # noqa: S606 - there is no shell to want
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    shown = b""
    while chunk := _read(terminal):
        shown += chunk
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), shown.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # EIO: the other end is closed
        return b""


@pytest.mark.filterwarnings("ignore:.*forkpty.*:DeprecationWarning")
@pytest.mark.parametrize("form", ["text", "wide"])
def test_forty_columns(tmp_path: Path, form: str) -> None:
    status, shown = on_a_terminal("pod", "web-2", "--quiet", "-o", form, "--from", saved(tmp_path, EVERYTHING))
    rows = re.sub(r"\x1b\[[0-9;]*m", "", shown).replace("\r", "").splitlines()
    long = [row for row in rows if cells(row) > 40]
    assert status == 1
    assert rows[0].startswith("Pod shop/web-2 · unschedulable ·")
    assert [row for row in long if " " in row.strip() and not row.strip().startswith(("kubectl", "whypending"))] == []
    assert len(rows) > 20


@pytest.mark.filterwarnings("ignore:.*forkpty.*:DeprecationWarning")
@pytest.mark.parametrize("name", ["bound", "refused"])
def test_hostile_text_on_a_terminal(tmp_path: Path, name: str) -> None:
    status, shown = on_a_terminal("pod", name, "--from", saved(tmp_path, hostile_objects(), "evil.json"))
    assert status == 1
    assert "\x1b]" not in shown
    assert set(re.findall(r"\x1b\[[^m]*m", shown)) <= {
        f"\x1b[{n}m" for n in ("0", "1", "2", "1;31", "1;32", "33", "36")
    }
    assert [c for c in re.sub(r"\x1b\[[0-9;]*m", "", shown) if not c.isprintable() and c not in "\r\n"] == []


@pytest.mark.parametrize("form", FORMS)
def test_a_reader_that_leaves_in_the_middle(tmp_path: Path, form: str) -> None:
    big = REFUSED.replace("1 Insufficient cpu.", "1 " + "reason, " * 100_000)
    command = [*PYTHON, "pod", "web-2", "--quiet", "-o", form, "--from", saved(tmp_path, big)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.read(10)
        running.stdout.close()
        err = running.stderr.read()
        assert (running.wait(timeout=60), err) == (1, b"")


def test_the_good_file_beside_a_bad_one(run: Run, tmp_path: Path) -> None:
    bad, good = saved(tmp_path, b"\x7fELF\0", "core.yaml"), saved(tmp_path, READY, "good.yaml")
    ended = run("pod", "web-1", "--from", bad, good)
    assert (ended.status, ended.out[:26]) == (0, "Pod shop/web-1 · not stuck")
    assert f"note: {bad} is a binary file." in ended.err
