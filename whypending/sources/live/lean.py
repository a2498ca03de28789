"""`requests`, imported first and without what it brings along that there is no use for here: a fifth of its time.

- charset_normalizer or chardet guess the encoding of texts, brotli and zstd are ways to pack them. What an API server
  sends is JSON, plain or gzipped, and only its bytes are read. All of these are optional for requests and urllib3.
- idna and zipfile are imported again where a host name is not ASCII, or a CA bundle lies in a zip file.
- urllib3 imports importlib.metadata to ask for the version of h2 where HTTP/2 is switched on, and requests imports
  certifi to ask for a path. They get the functions for these questions alone.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

_UNUSED = ("charset_normalizer", "chardet", "simplejson", "brotlicffi", "brotli", "zstandard")


@contextmanager
def instead(modules: Mapping[str, ModuleType | None]) -> Iterator[None]:
    """For a while, imports of these get what is given, or fail where that is None; what is imported already stays."""
    ours = {name: module for name, module in modules.items() if name not in sys.modules}
    sys.modules.update(ours)  # type: ignore[arg-type] # None is the documented way to have an import fail
    try:
        yield
    finally:
        for name in ours:
            del sys.modules[name]


class _Later(ModuleType):
    """A module that is imported when something of it is used."""

    def __getattr__(self, name: str) -> object:
        return getattr(import_module(self.__name__), name)


def _only(name: str, **functions: Callable[..., object]) -> ModuleType:
    module = ModuleType(name)
    vars(module).update(functions)
    return module


def _version(name: str) -> str:
    from importlib.metadata import version  # noqa: PLC0415

    return version(name)


def _bundle() -> Path | None:
    """What certifi's `where` says, found without importlib.resources; None where it is no plain file."""
    spec = find_spec("certifi")
    path = Path(spec.origin).with_name("cacert.pem") if spec and spec.origin else None
    return path if path and path.is_file() else None


def _stand_ins() -> dict[str, ModuleType]:
    later = {name: _Later(name) for name in ("idna", "zipfile")}
    bundle = _bundle()
    certifi = {"certifi": _only("certifi", where=lambda: str(bundle))} if bundle else {}
    return {**later, **certifi, "importlib.metadata": _only("importlib.metadata", version=_version)}


with instead({**dict.fromkeys(_UNUSED), **_stand_ins()}), warnings.catch_warnings():
    warnings.simplefilter("ignore")  # requests warns that it can't guess encodings
    import requests

__all__ = ["requests"]
