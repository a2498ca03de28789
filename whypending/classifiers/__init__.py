"""All causes, a folder a triage class; a folder's `MODULES` is the explicit, ordered list of what is judged there."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from whypending.classifiers.cause import Classifier
from whypending.diagnosis import Triage

FOLDERS = tuple(t for t in Triage if t is not Triage.UNKNOWN)


@cache
def classifiers_of(class_: Triage) -> tuple[Classifier, ...]:
    """What is judged in this class, in order. Only that class's modules are imported."""
    if class_ is Triage.UNKNOWN:
        return ()
    folder = import_module(f"whypending.classifiers.{class_}")
    return tuple(Classifier(m.CAUSE, m.__doc__, m.classify) for m in folder.MODULES)


def catalogue() -> tuple[Classifier, ...]:
    """Every cause once, by code."""
    every = {c.cause.code: c for class_ in FOLDERS for c in classifiers_of(class_)}
    return tuple(every[code] for code in sorted(every))
