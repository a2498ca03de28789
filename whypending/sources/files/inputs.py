"""Paths into blobs: files, folders, standard input, gzip and tar archives; bounded, never extracted to disk."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from io import BufferedIOBase, BufferedReader, BytesIO, RawIOBase
from pathlib import Path
from typing import IO, NamedTuple, cast

from whypending.errors import UnreadableFileError

MAX_BYTES = 512 << 20
"""Of objects, uncompressed, in one run: more than this is a bomb or the wrong file."""
MAX_LOG_BYTES = 4 << 20
"""Of each log: its end."""
MAX_LOGS_BYTES = 128 << 20
"""Of all logs in archives, which have to be held in memory."""
_STEP = 1 << 20
OBJECTS = (".json", ".yaml", ".yml", ".ndjson", ".jsonl", ".txt")
LOGS = (".log",)
ARCHIVES = (".tar", ".tar.gz", ".tgz")
_SKIPPED_FOLDERS = {".git", "__pycache__", "node_modules"}
_FOREIGN = {b"PK\x03\x04": "zip", b"BZh": "bzip2", b"\xfd7zXZ": "xz", b"\x28\xb5\x2f\xfd": "zstd", b"7z\xbc\xaf": "7z"}


class Blob(NamedTuple):
    """One file: where it came from (for people), its path (for layouts), its bytes; `asked` = named by the user.

    A log on disk is not read yet: then `file` is its path, and `data` is empty.
    """

    origin: str
    path: str
    data: bytes
    asked: bool = False
    file: Path | None = None

    @property
    def content(self) -> bytes:
        """The bytes, those of a log on disk as well."""
        return end_of_log(self.file) if self.file else self.data

    @property
    def lines_before(self) -> int:
        """Lines of a log on disk that are not in `content`."""
        return lines_before_end(self.file) if self.file else 0

    @property
    def is_log(self) -> bool:
        """Whether it is a log by its name."""
        return self.path.lower().endswith(LOGS)

    def is_of_objects(self, looks_like: Callable[[bytes], bool]) -> bool:
        """Whether to look for objects in it: always where the user named it, in a stray text only if it looks so."""
        return self.asked or not self.path.lower().endswith(".txt") or looks_like(self.data[:4096])


class Reader:
    """Reads all paths once, within one budget; what was left out is in `notes`."""

    def __init__(self, notes: list[str]) -> None:
        self._left = MAX_BYTES
        self._logs_left = MAX_LOGS_BYTES
        self._notes = notes

    def read(self, paths: Sequence[str]) -> Iterator[Blob]:
        """Every file below these paths, in their order. UnreadableFileError for a path that can't be read."""
        for path in paths:
            try:
                if not path:
                    raise FileNotFoundError
                yield from self._standard_input() if path == "-" else self._path(Path(path))
            except OSError as error:
                raise _unreadable(path, error) from error

    def _standard_input(self) -> Iterator[Blob]:
        if sys.stdin is None:
            raise UnreadableFileError("Standard input is closed.", "Pipe the objects in, or name their file.")
        yield from self._stream("standard input", "", sys.stdin.buffer, asked=True)

    def _path(self, path: Path) -> Iterator[Blob]:
        """One path that the user named."""
        if path.is_dir():
            yield from self._folder(path)
            return
        with path.open("rb") as file:
            if path.name.lower().endswith(LOGS) and path.is_file():
                yield Blob(str(path), str(path), b"", asked=True, file=path)
            else:
                yield from self._stream(str(path), str(path), file, asked=True)

    def _folder(self, folder: Path) -> Iterator[Blob]:
        above = folder.resolve().name
        for root, folders, names in os.walk(folder, onerror=partial(self._no_folder, folder)):
            folders[:] = sorted(f for f in folders if f not in _SKIPPED_FOLDERS)
            for name in sorted(names):
                path = Path(root, name)
                if is_wanted(name, archives=True) and path.is_file():
                    yield from self._file(path, f"{above}/{path.relative_to(folder).as_posix()}")

    def _no_folder(self, folder: Path, error: OSError) -> None:
        if error.filename == str(folder):
            raise error
        self._notes.append(f"{error.filename} was skipped: {error.strerror}")

    def _file(self, path: Path, inner: str) -> Iterator[Blob]:
        if path.name.lower().endswith(LOGS):
            yield Blob(str(path), inner, b"", file=path)
            return
        try:
            with path.open("rb") as file:
                yield from self._stream(str(path), inner, file, asked=False)
        except (OSError, UnreadableFileError) as error:
            self._notes.append(f"{path} was skipped: {getattr(error, 'strerror', None) or error}")

    def _stream(self, origin: str, path: str, file: IO[bytes], *, asked: bool) -> Iterator[Blob]:
        head, stream = _peek(file)
        if head[:2] == b"\x1f\x8b":
            inner = path[:-3] if path.lower().endswith(".gz") else path
            yield from self._gzip(origin, inner, stream, asked=asked)
        elif head[257:262] == b"ustar":
            yield from self._tar(origin, stream)
        elif packed := next((name for magic, name in _FOREIGN.items() if head.startswith(magic)), ""):
            raise UnreadableFileError(f"{origin} is a {packed} archive.", "Unpack it, and give --from the folder.")
        else:
            yield Blob(origin, path, self._bounded(origin, stream), asked=asked)

    def _gzip(self, origin: str, path: str, stream: BufferedReader, *, asked: bool) -> Iterator[Blob]:
        import gzip  # noqa: PLC0415 - only where there is one
        import zlib  # noqa: PLC0415

        try:
            head, inner = _peek(gzip.GzipFile(fileobj=stream))
            if head[257:262] == b"ustar":
                yield from self._tar(origin, inner)
            else:
                yield Blob(origin, path, self._bounded(origin, inner), asked=asked)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise UnreadableFileError(
                f"{origin} is a gzip file that is cut off or damaged.", "Copy it again, and compare its size."
            ) from error

    def _tar(self, origin: str, stream: BufferedReader) -> Iterator[Blob]:
        from whypending.sources.files.archive import members  # noqa: PLC0415 - only where there is one

        for name, data in members(origin, stream, self._notes, self._member):
            if data[:2] == b"\x1f\x8b":
                _, packed = _peek(BytesIO(data))
                yield from self._gzip(f"{origin}:{name}", name.removesuffix(".gz"), packed, asked=False)
            else:
                yield Blob(f"{origin}:{name}", name, data)

    def _member(self, name: str, size: int, file: IO[bytes]) -> bytes:
        if name.lower().endswith(LOGS):
            return self._log_member(name, size, file)
        if size > self._left:
            raise _too_large(name)
        return self._bounded(name, file)

    def _log_member(self, name: str, size: int, file: IO[bytes]) -> bytes:
        """The end of a log, as long as there is room for it."""
        if self._logs_left <= 0:
            self._notes.append(f"More than {MAX_LOGS_BYTES >> 20} MiB of logs: {name} was skipped.")
            return b""
        for _ in range(max(0, size - MAX_LOG_BYTES) // _STEP):
            file.read(_STEP)
        data = file.read()
        self._logs_left -= len(data)
        return data

    def _bounded(self, origin: str, file: IO[bytes] | BufferedIOBase) -> bytes:
        data = file.read(self._left + 1)
        if len(data) > self._left:
            raise _too_large(origin)
        self._left -= len(data)
        return data


def is_wanted(name: str, *, archives: bool) -> bool:
    """Whether a file of this name, met in a folder or archive, can hold objects or a log."""
    lower = name.lower()
    plain = lower.removesuffix(".gz")
    return plain.endswith(OBJECTS + LOGS) or (archives and lower.endswith(ARCHIVES))


def _peek(file: IO[bytes] | BufferedIOBase) -> tuple[bytes, BufferedReader]:
    stream = file if isinstance(file, BufferedReader) else BufferedReader(cast("RawIOBase", file))
    return stream.peek(512)[:512], stream


def end_of_log(path: Path) -> bytes:
    """The end of a log on disk, empty where it can't be read."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - MAX_LOG_BYTES))
            return file.read(MAX_LOG_BYTES)
    except OSError:
        return b""


def lines_before_end(path: Path) -> int:
    """How many lines of a log on disk lie before those of `end_of_log`; 0 where it can't be read."""
    try:
        with path.open("rb") as file:
            left = max(0, file.seek(0, os.SEEK_END) - MAX_LOG_BYTES)
            file.seek(0)
            count = 0
            while left and (chunk := file.read(min(_STEP, left))):
                left -= len(chunk)
                count += chunk.count(b"\n")
            return count
    except OSError:
        return 0


def _unreadable(path: str, error: OSError) -> UnreadableFileError:
    if isinstance(error, FileNotFoundError):
        return UnreadableFileError(f"There is no file {path or repr(path)}.", "Check the path given with --from.")
    if isinstance(error, PermissionError):
        return UnreadableFileError(f"{path} may not be read.", f"Make it readable: chmod +r {path}")
    return UnreadableFileError(f"{path} can't be read: {error.strerror or error}.", "Check the path given with --from.")


def _too_large(origin: str) -> UnreadableFileError:
    return UnreadableFileError(
        f"{origin} holds more than {MAX_BYTES >> 20} MiB.",
        "Give --from only what matters: the Pod's namespace, its Events, the Nodes.",
    )
