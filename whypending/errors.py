"""Every failure that a person can meet, one class a stage, each with a sentence and a next step."""

from __future__ import annotations


class WhypendingError(Exception):
    """A failure with one sentence (`message`) and what to do next (`hint`)."""

    exit_status = 4

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(WhypendingError):
    """The command line asks for something that does not exist or does not fit together."""

    exit_status = 2


class SourceError(WhypendingError):
    """The cluster or the files could not be looked at."""

    exit_status = 3


class ConfigurationError(SourceError):
    """No usable kubeconfig, context, credential or proxy."""


class UnreachableError(SourceError):
    """The API server did not answer, or what answered is no API server."""


class ForbiddenError(SourceError):
    """The API server refused the one read that nothing can replace."""


class NotFoundError(SourceError):
    """The target does not exist, or went away between two reads."""


class UnreadableFileError(SourceError):
    """A path given with `--from` cannot be read or holds no Kubernetes objects."""


class RenderError(WhypendingError):
    """A diagnosis could not be written out."""
