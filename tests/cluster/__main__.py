"""``python -m tests.cluster``: the test cluster by hand."""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.cluster.base import ClusterUnavailable, cache_dir, say
from tests.cluster.build import CONTROL_PLANE, NODE_MODULES, OLD_RELEASES, ORACLE, build, old_scheduler_module
from tests.cluster.cluster import Cluster
from tests.cluster.examples import NAMESPACE, stuck_pods
from tests.cluster.state import load_runs
from tests.cluster.teardown import leftovers, sweep_leftovers, take_down
from tests.cluster.tools import busybox_command, kubectl_command, runc_command
from whypending.triage import SCHEDULING_LATENCY


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and gives its exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.cluster", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    up = commands.add_parser("up", help="start a cluster with a few stuck Pods and leave it running")
    up.add_argument("--no-node", action="store_true", help="without the real node (needs no root)")
    commands.add_parser("down", help="end what `up` started")
    commands.add_parser("build", help="build and install what a cluster needs")
    commands.add_parser("build-oracle", help="build the judge of the scheduler's model; prints its path")
    commands.add_parser("build-old", help="build kube-schedulers of earlier releases; prints their paths")
    commands.add_parser("sweep-leftovers", help="take down what runs that were killed left behind")
    options = parser.parse_args(arguments)
    try:
        return _run(options)
    except ClusterUnavailable as error:
        say(f"no cluster here: {error}")
        return 1


def _run(options: argparse.Namespace) -> int:
    match options.command:
        case "up":
            return _up(node=not options.no_node)
        case "down":
            return _down()
        case "build":
            for module in (CONTROL_PLANE, *NODE_MODULES):
                build(module)
            for command in (kubectl_command, runc_command, busybox_command):
                command()
        case "build-oracle":
            _print(str(build(ORACLE) / "oracle"))
        case "build-old":
            for release in OLD_RELEASES:
                _print(str(build(old_scheduler_module(release), nice=True) / "kube-scheduler"))
        case "sweep-leftovers":
            return _sweep()
    return 0


def _up(*, node: bool) -> int:
    if any(run.detached for run in load_runs()):
        say("one is up already; `python -m tests.cluster down` ends it")
        return 1
    cluster = Cluster(cache_dir() / "up", node=node)
    cluster.bring_up(detached=True)
    cluster.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    cluster.wait("ServiceAccount", NAMESPACE, "default", lambda _: True)
    pods = stuck_pods()
    cluster.apply([pod for _, pod in pods])
    seconds = SCHEDULING_LATENCY.total_seconds() + 1
    say(f"waiting {seconds:.0f} s: younger Pods are too young to be judged")
    time.sleep(seconds)
    _print(f"export KUBECONFIG={shlex.quote(str(cluster.kubeconfig))}")
    for cause, pod in pods:
        _print(f"{_program()} pod -n {NAMESPACE} {pod['metadata']['name']}  # {cause}")
    return 0


def _program() -> str:
    """The command as this shell can call it: by its path where it is not on PATH."""
    beside = Path(sys.executable).parent / "whypending"
    if shutil.which("whypending") or not beside.exists():
        return "whypending"
    near = beside.is_relative_to(Path.cwd())
    return shlex.quote(str(beside.relative_to(Path.cwd()) if near else beside))


def _down() -> int:
    failed = 0
    for run in load_runs():
        if run.detached:
            take_down(run)
            shutil.rmtree(run.root, ignore_errors=True)
            failed += _report(leftovers(run))
    sweep_leftovers()
    return 1 if failed else 0


def _sweep() -> int:
    failed = sum(_report(leftovers(run)) for run in sweep_leftovers())
    return 1 if failed else 0


def _report(left: Sequence[str]) -> int:
    for item in left:
        say(f"still there: {item}")
    return len(left)


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
