"""A few daemon threads: nothing that they wait for can hold the process at its end or after Ctrl-C."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")

SIZE = 8
"""Concurrent requests; kubectl's own client allows 50 a second."""
GRACE = 2.0
"""Seconds beyond the deadline after which a call that still hangs is given up."""


class Task(Generic[T]):
    """A call that runs once, in whichever thread takes it first."""

    def __init__(self, call: Callable[[], T]) -> None:
        self._call = call
        self._taken = threading.Lock()
        self._done = threading.Event()
        self._result: T | None = None
        self._error: BaseException | None = None

    def run(self) -> None:
        """Run it, unless another thread has taken it."""
        if not self._taken.acquire(blocking=False):
            return
        try:
            self._result = self._call()
        except BaseException as error:  # noqa: BLE001 - raised again by result()
            self._error = error
        self._done.set()

    def result(self, deadline: float) -> T:
        """What the call returned, or raises what it raised; TimeoutError when it hangs past the deadline."""
        if not self._done.wait(max(deadline + GRACE - time.monotonic(), 0)):
            raise TimeoutError
        if self._error is not None:
            raise self._error
        return cast("T", self._result)


class Pool:
    """Threads are started as they are needed. `deadline` is on the monotonic clock."""

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline
        self._tasks: queue.SimpleQueue[Task[Any]] = queue.SimpleQueue()
        self._threads: set[threading.Thread] = set()
        self._lock = threading.Lock()

    def submit(self, call: Callable[[], T]) -> Task[T]:
        """Have it run soon."""
        task = Task(call)
        self._tasks.put(task)
        with self._lock:
            if len(self._threads) < SIZE:
                thread = threading.Thread(target=self._work, name="whypending-read", daemon=True)
                self._threads.add(thread)
                thread.start()
        return task

    def gather(self, calls: Sequence[Callable[[], Any]]) -> list[Any]:
        """Results in order; the first error in order is raised.

        A thread of the pool does what nobody has taken yet itself, so nested calls can't wait for each other; the
        main thread only waits, so Ctrl-C ends it at once.
        """
        tasks = [self.submit(call) for call in calls]
        if self.is_worker:
            for task in reversed(tasks):
                task.run()
        return [task.result(self._deadline) for task in tasks]

    @property
    def is_worker(self) -> bool:
        """Whether the current thread is one of the pool's."""
        return threading.current_thread() in self._threads

    def _work(self) -> None:
        while True:
            self._tasks.get().run()
