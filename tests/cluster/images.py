"""Container images for the node, made by hand from one static program each."""

from __future__ import annotations

import hashlib
import io
import json
import os
import platform
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path

PAUSE = "whypending.test/pause:1"
BUSYBOX = "whypending.test/busybox:1"
SCHEDULER = "whypending.test/kube-scheduler:1"

APPLETS = (
    *("sh", "sleep", "ls", "cat", "wget", "nc", "true", "false", "httpd", "echo", "env", "id"),
    *("date", "touch", "rm", "mkdir", "grep", "tail", "head", "test", "yes", "dd"),
)
_FOLDERS = ("bin", "etc", "tmp", "proc", "sys", "dev", "var", "root")


def write_image(target: Path, name: str, program: Path, entrypoint: Sequence[str], links: Mapping[str, str]) -> Path:
    """Writes an image archive with one layer: ``/bin`` with the program and links to it."""
    layer = io.BytesIO()
    with tarfile.open(fileobj=layer, mode="w") as tar:
        for folder in _FOLDERS:
            entry = tarfile.TarInfo(folder)
            entry.type, entry.mode = tarfile.DIRTYPE, 0o1777 if folder == "tmp" else 0o755
            tar.addfile(entry)
        tar.add(os.path.realpath(program), f"bin/{program.name}")
        for link, destination in links.items():
            entry = tarfile.TarInfo(link)
            entry.type, entry.linkname = tarfile.SYMTYPE, destination
            tar.addfile(entry)
    _write_archive(target, name, layer.getvalue(), entrypoint)
    return target


def busybox_images(folder: Path, busybox: Path) -> list[tuple[str, Path]]:
    """The image of the Pods' sandboxes and the one that tests run."""
    links = {f"bin/{applet}": "busybox" for applet in APPLETS}
    sleep = ["/bin/sleep", "2147483647"]
    return [
        (PAUSE, write_image(folder / "pause.tar", PAUSE, busybox, sleep, links)),
        (BUSYBOX, write_image(folder / "busybox.tar", BUSYBOX, busybox, [], links)),
    ]


def _write_archive(target: Path, name: str, layer: bytes, entrypoint: Sequence[str]) -> None:
    digest = hashlib.sha256(layer).hexdigest()
    machine = {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    settings = {"Env": ["PATH=/bin"], "Cmd" if not entrypoint else "Entrypoint": list(entrypoint) or ["/bin/sh"]}
    config = json.dumps(
        {
            "architecture": machine,
            "os": "linux",
            "config": settings,
            "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}"]},
        }
    ).encode()
    config_name = f"{hashlib.sha256(config).hexdigest()}.json"
    manifest = [{"Config": config_name, "RepoTags": [name], "Layers": [f"{digest}/layer.tar"]}]
    target.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(target, "w") as tar:
        contents = {
            config_name: config,
            f"{digest}/layer.tar": layer,
            "manifest.json": json.dumps(manifest).encode(),
        }
        for member, content in contents.items():
            entry = tarfile.TarInfo(member)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
