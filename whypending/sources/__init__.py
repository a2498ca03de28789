"""Where evidence comes from: a cluster or files, one protocol."""
