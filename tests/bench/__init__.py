"""Speed and memory of whole processes, against the targets that whypending has set itself: ``python -m tests.bench``.

Every figure is the operating system's own account of a finished process. What is compared runs in turn (A B A B …) on
the same machine, and only ratios are judged: a slow or busy machine is slow for both.
"""
