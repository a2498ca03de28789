"""Files as a source: kubectl output, folders, archives, bundles and snapshots, with the logs beside them."""

from whypending.sources.files.source import FilesSource

__all__ = ["FilesSource"]
