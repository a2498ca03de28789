"""Why is this Pod not running: one true sentence, the proof, and what to do."""

__version__ = "0.1.0"
