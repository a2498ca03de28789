"""A snapshot onto disk: one archive or one folder, readable by its owner only, all or nothing."""

from __future__ import annotations

import gzip
import os
import shutil
import tarfile
from collections.abc import Mapping
from datetime import datetime
from io import BytesIO
from pathlib import Path
from uuid import uuid4

from whypending.errors import UsageError
from whypending.sources.manifest import NAME

ARCHIVES = (".tar.gz", ".tgz")


def write(path: Path, files: Mapping[str, bytes], clock: datetime, *, force: bool = False) -> None:
    """Write the files; UsageError where `path` exists (without `force`) or can't be written."""
    temporary = path.with_name(f".{path.name}.{uuid4().hex[:8]}")
    try:
        if path.name.endswith(ARCHIVES):
            _write_new(temporary, _archive(files, clock))
            _publish(temporary, path, force=force)
        else:
            _folder(temporary, files)
            _publish_folder(temporary, path, force=force)
    except FileExistsError as error:
        raise UsageError(f"{path} exists already.", "Choose another name, or overwrite it: --force") from error
    except OSError as error:
        raise UsageError(f"{path} can't be written: {error.strerror or error}.", "Choose another place.") from error
    finally:
        _remove(temporary)


def _archive(files: Mapping[str, bytes], clock: datetime) -> bytes:
    buffer = BytesIO()
    with (
        gzip.GzipFile(fileobj=buffer, mode="wb", mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode, member.mtime = len(data), 0o600, int(clock.timestamp())
            archive.addfile(member, BytesIO(data))
    return buffer.getvalue()


def _write_new(path: Path, data: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _publish(temporary: Path, path: Path, *, force: bool) -> None:
    if force:
        temporary.replace(path)
    else:
        os.link(temporary, path)  # unlike a rename, never replaces a file that appeared meanwhile


def _folder(folder: Path, files: Mapping[str, bytes]) -> None:
    folder.mkdir(mode=0o700)
    for name, data in files.items():
        file = folder / name
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write_new(file, data)


def _publish_folder(temporary: Path, path: Path, *, force: bool) -> None:
    if path.exists():
        if not (force and (path / NAME).is_file()):
            raise FileExistsError(path)
        shutil.rmtree(path)
    temporary.rename(path)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
