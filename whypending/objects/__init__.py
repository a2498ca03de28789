"""The Kubernetes objects as frozen Structs: only the fields that are read."""
