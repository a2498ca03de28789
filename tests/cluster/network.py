"""The node's bridge, by ioctl so that no iproute2 is needed, and the mounts below a folder."""

from __future__ import annotations

import fcntl
import os
import socket
import struct
import subprocess
from pathlib import Path

_ADD_BRIDGE, _DELETE_BRIDGE = 0x89A0, 0x89A1
_GET_FLAGS, _SET_FLAGS = 0x8913, 0x8914
_SET_ADDRESS, _SET_NETMASK = 0x8916, 0x891C
_UP = 1


def add_bridge(name: str, address: str) -> None:
    """Makes a bridge with that address in a /24 network and brings it up."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        if not bridge_exists(name):
            fcntl.ioctl(control, _ADD_BRIDGE, name.encode() + b"\0")
        for request, value in ((_SET_ADDRESS, address), (_SET_NETMASK, "255.255.255.0")):
            packed = struct.pack("16sHH4s8x", name.encode(), socket.AF_INET, 0, socket.inet_aton(value))
            fcntl.ioctl(control, request, packed)
        _set_up(control, name, up=True)


def delete_bridge(name: str) -> None:
    """Removes a bridge if it is there."""
    if not bridge_exists(name):
        return
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        _set_up(control, name, up=False)
        fcntl.ioctl(control, _DELETE_BRIDGE, name.encode() + b"\0")


def bridge_exists(name: str) -> bool:
    """Whether there is an interface of that name."""
    return Path(f"/sys/class/net/{name}").exists()


def _set_up(control: socket.socket, name: str, *, up: bool) -> None:
    request = struct.pack("16sH22x", name.encode(), 0)
    flags = struct.unpack("16sH22x", fcntl.ioctl(control, _GET_FLAGS, request))[1]
    flags = flags | _UP if up else flags & ~_UP
    fcntl.ioctl(control, _SET_FLAGS, struct.pack("16sH22x", name.encode(), flags))


def mounts_below(folder: Path) -> list[str]:
    """Every mount point at or below a folder, deepest and latest first."""
    prefix = f"{os.path.realpath(folder)}/"
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    points = [line.split()[4].encode().decode("unicode_escape") for line in lines]
    found = [point for point in points if f"{point}/".startswith(prefix)]
    return sorted(found, key=lambda point: -point.count("/"))


def unmount_below(folder: Path) -> None:
    """Unmounts everything at or below a folder; what is busy is detached."""
    for point in mounts_below(folder):
        if subprocess.run(["umount", point], capture_output=True, check=False).returncode:
            subprocess.run(["umount", "-l", point], capture_output=True, check=False)
