"""Starts the commands that it reads from stdin, one JSON object a line, and answers each with what it took.

It runs as a process of its own, with nothing imported that it does not need: the peak memory of a process counts from
that of the process that started it.
"""

from __future__ import annotations

import json
import os
import sys
import time


def main() -> None:
    """Answers until stdin ends."""
    for line in sys.stdin:
        asked = json.loads(line)
        began = time.perf_counter()
        pid = os.posix_spawn(asked["argv"][0], asked["argv"], asked["env"], file_actions=_nowhere())
        _, status, usage = os.wait4(pid, 0)
        answer = {
            "wall": time.perf_counter() - began,
            "cpu": usage.ru_utime + usage.ru_stime,
            "peak": usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
            "status": os.waitstatus_to_exitcode(status),
        }
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def _nowhere() -> list[tuple[int, int, str, int, int]]:
    """Nothing comes in, and what is printed is thrown away."""
    modes = (os.O_RDONLY, os.O_WRONLY, os.O_WRONLY)
    return [(os.POSIX_SPAWN_OPEN, number, os.devnull, mode, 0) for number, mode in enumerate(modes)]


if __name__ == "__main__":
    main()
