"""Builds the cluster's binaries from the Go modules beside this file, once for each change of them.

Built output stays outside the tree, in ``cache_dir()``, in a folder named by the hash of what went
into it. A build goes into a temporary folder that is renamed when it is complete, under a file
lock, so that neither an interruption nor two test runs at once leave half a build behind.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from tests.cluster.base import ClusterUnavailable, cache_dir, file_lock, say
from tests.cluster.tools import go_command, go_version

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Module:
    """One Go module to build.

    ``outputs`` maps the name of each binary to the package it is built from, ``links`` are further
    names for the first binary (which looks at the name it is called by).
    """

    name: str
    outputs: tuple[tuple[str, str], ...]
    links: tuple[str, ...] = ()
    ldflags: str = "-s -w"
    cold_minutes: float = 1


def _stamp(release: str) -> str:
    """Linker flags that tell a Kubernetes binary its release."""
    major, minor, _ = release.split(".")
    prefix = "k8s.io/component-base/version"
    return f"-s -w -X {prefix}.gitVersion=v{release} -X {prefix}.gitMajor={major} -X {prefix}.gitMinor={minor}"


RELEASE = "1.37.2"
OLD_RELEASES = ("1.30.14", "1.32.13", "1.34.4")
_CONTAINERD = "github.com/containerd/containerd/v2/cmd"
_CNI = "github.com/containernetworking/plugins/plugins"

CONTROL_PLANE = Module(
    "controlplane",
    (("hyper", "."),),
    ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet"),
    _stamp(RELEASE),
    5,
)
CONTAINERD = Module(
    "containerd",
    tuple((n, f"{_CONTAINERD}/{n}") for n in ("containerd", "containerd-shim-runc-v2", "ctr")),
)
CNI = Module(
    "cni",
    tuple((p.rsplit("/")[-1], f"{_CNI}/{p}") for p in ("main/bridge", "main/loopback", "ipam/host-local")),
    cold_minutes=0.3,
)
ORACLE = Module("oracle", (("oracle", "."),), (), _stamp(RELEASE), 3)
NODE_MODULES = (CONTAINERD, CNI)


def old_scheduler_module(release: str) -> Module:
    """The module that builds the kube-scheduler of an earlier release."""
    package = "k8s.io/kubernetes/cmd/kube-scheduler"
    return Module(f"old_schedulers/{release}", (("kube-scheduler", package),), (), _stamp(release), 3)


def build(module: Module, *, nice: bool = False) -> Path:
    """The folder with the module's binaries, built now if it is not there yet."""
    go = go_command(_required_go())
    target = cache_dir() / "bin" / f"{module.name.replace('/', '-')}-{_key(module, go_version(go))}"
    with file_lock(f"build-{module.name}"):
        if not target.is_dir():
            _build_into(module, go, target, nice=nice)
    return target


def _required_go() -> tuple[int, ...]:
    """The newest Go release that one of the modules asks for."""
    texts = (p.read_text() for p in HERE.glob("*/go.mod"))
    found = (re.search(r"^go (\d+)\.(\d+)(?:\.(\d+))?$", text, re.MULTILINE) for text in texts)
    return max(tuple(int(n or 0) for n in match.groups()) for match in found if match)


def _key(module: Module, version: str) -> str:
    digest = hashlib.sha256(f"{module!r} {version}".encode())
    folder = HERE / module.name
    for path in sorted([folder / "go.mod", folder / "go.sum", *folder.glob("*.go")]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _build_into(module: Module, go: Path, target: Path, *, nice: bool) -> None:
    minutes = f"{module.cold_minutes:g} min"
    say(f"building {module.name} (about {minutes} on two cores with an empty Go cache)")
    began = time.monotonic()
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{target.name}.{os.getpid()}")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    # Without cgo no C compiler is needed, and the binaries run in an image that holds nothing else.
    env = dict(os.environ, CGO_ENABLED="0", GOWORK="off", GOTOOLCHAIN="local", GOFLAGS="-buildvcs=false")
    try:
        for name, package in module.outputs:
            command = [str(go), "build", "-trimpath", "-ldflags", module.ldflags]
            command += ["-o", str(partial / name), package]
            if nice:
                command = ["nice", "-n", "19", *command]
            done = subprocess.run(command, cwd=HERE / module.name, env=env, text=True, capture_output=True, check=False)
            if done.returncode:
                tail = " / ".join(done.stderr.strip().splitlines()[-3:])
                raise ClusterUnavailable(f"go build of tests/cluster/{module.name} failed: {tail}")
        for link in module.links:
            (partial / link).symlink_to(module.outputs[0][0])
        partial.rename(target)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    say(f"built {module.name} in {time.monotonic() - began:.0f} s")
