from __future__ import annotations

import subprocess
import sys

import pytest

_HIDDEN = ("charset_normalizer", "idna", "zipfile", "certifi", "importlib.metadata")


def said(code: str) -> str:
    """What a fresh process prints, warnings being errors."""
    argv = [sys.executable, "-W", "error", "-c", code]
    return subprocess.run(argv, capture_output=True, text=True, timeout=60, check=True).stdout.strip()


def test_what_is_not_needed_is_not_imported_and_stays_importable() -> None:
    code = f"""
import sys, whypending.sources.live
print([name for name in {_HIDDEN} if name in sys.modules])
import certifi, charset_normalizer, idna, importlib.metadata, zipfile
print([m.__name__ for m in (certifi, charset_normalizer, idna, importlib.metadata, zipfile) if not m.__spec__])
"""
    assert said(code).splitlines() == ["[]", "[]"]


@pytest.mark.parametrize(
    ("shown", "meant"),
    [
        ("requests.certs.where()", "certifi.where()"),
        ("requests.utils.DEFAULT_CA_BUNDLE_PATH", "certifi.where()"),
        ("requests.utils.zipfile.ZipFile", "zipfile.ZipFile"),
        ("requests.PreparedRequest._get_idna_encoded_host('b\\u00fccher.test')", "'xn--bcher-kva.test'"),
        ("urllib3.http2.version('requests')", "requests.__version__"),
    ],
)
def test_requests_works_as_ever(shown: str, meant: str) -> None:
    code = f"import whypending.sources.live, certifi, requests, urllib3, zipfile; print({shown} == {meant})"
    assert said(code) == "True"


def test_what_was_imported_before_is_left_alone() -> None:
    code = "import idna, sys; before = idna; import whypending.sources.live; print(sys.modules['idna'] is before)"
    assert said(code) == "True"
