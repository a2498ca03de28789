"""`requests`, imported first and without the optional packages that there is no use for here.

It guesses encodings with charset_normalizer or chardet, and unpacks brotli and zstd, where these are installed.
What an API server sends is JSON, plain or gzipped, and only its bytes are read.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_UNUSED = ("charset_normalizer", "chardet", "simplejson", "brotlicffi", "brotli", "zstandard")


@contextmanager
def without(names: tuple[str, ...]) -> Iterator[None]:
    """Have these modules be as if they were not installed, but for those that are imported already."""
    hidden = [name for name in names if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type] # None is documented: import raises at once
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # requests warns that it can't guess encodings
            yield
    finally:
        for name in hidden:
            del sys.modules[name]


with without(_UNUSED):
    import requests

__all__ = ["requests"]
