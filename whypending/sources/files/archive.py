"""Tar archives, member by member, in memory: links, devices and paths that lead out are left alone."""

from __future__ import annotations

import tarfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from typing import IO

from whypending.errors import UnreadableFileError
from whypending.sources.files.inputs import is_wanted

MAX_MEMBERS = 200_000
MAX_NAME = 4096


def members(
    origin: str, stream: IO[bytes], notes: list[str], read: Callable[[str, int, IO[bytes]], bytes]
) -> Iterator[tuple[str, bytes]]:
    """Name and content of each regular file that can hold objects or a log; `read(name, size, file)` bounds it."""
    try:
        with tarfile.open(fileobj=stream, mode="r|") as archive:
            for count, member in enumerate(archive):
                if count >= MAX_MEMBERS:
                    notes.append(f"{origin}: only the first {MAX_MEMBERS} members were read.")
                    return
                if not _is_inside(member.name):
                    notes.append(f"{origin}: {member.name[:200]} leads out of the archive and was skipped.")
                elif (
                    member.isreg() and is_wanted(member.name, archives=False) and (file := archive.extractfile(member))
                ):
                    yield member.name.removeprefix("./"), read(member.name, member.size, file)
    except (tarfile.TarError, EOFError, zlib.error) as error:
        raise UnreadableFileError(
            f"{origin} is an archive that is cut off or damaged.", "Copy it again, and compare its size."
        ) from error


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name.replace("\\", "/"))
    return len(name) < MAX_NAME and not path.is_absolute() and ".." not in path.parts
