"""The rights that whypending needs, shipped as the YAML that an administrator applies."""

from __future__ import annotations

from pathlib import Path


def cluster_role() -> str:
    """The ClusterRole with everything that whypending can ask for, as YAML."""
    return _text("clusterrole")


def role(namespace: str = "") -> str:
    """The Role for a person with rights in one namespace, as YAML; `namespace` goes into its metadata."""
    text = _text("role")
    return (
        text.replace("  name: whypending\n", f"  name: whypending\n  namespace: {namespace}\n") if namespace else text
    )


def _text(name: str) -> str:
    return (Path(__file__).parent / f"{name}.yaml").read_text(encoding="utf-8")
