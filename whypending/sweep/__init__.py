"""Many diagnoses as one answer: which causes hold up which Pods, orphan scheduler names first. Pure."""
