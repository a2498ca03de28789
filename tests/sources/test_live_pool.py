from __future__ import annotations

import threading
import time
from functools import partial

import pytest

from whypending.sources.live.pool import SIZE, Pool


@pytest.fixture
def pool() -> Pool:
    return Pool(time.monotonic() + 10)


def test_results_are_in_order(pool: Pool) -> None:
    def slow(n: int) -> int:
        time.sleep(0.01 * (5 - n))
        return n

    assert pool.gather([partial(slow, n) for n in range(5)]) == list(range(5))
    assert pool.gather([]) == []


def test_the_first_error_in_order_is_raised(pool: Pool) -> None:
    def fail(text: str) -> None:
        raise ValueError(text)

    with pytest.raises(ValueError, match="one"):
        pool.gather([lambda: 1, lambda: fail("one"), lambda: fail("two")])


def test_nested_calls_do_not_wait_for_each_other(pool: Pool) -> None:
    def tree(depth: int) -> int:
        return 1 if depth == 0 else sum(pool.gather([lambda: tree(depth - 1)] * 4))

    assert pool.gather([lambda: tree(4)] * SIZE) == [256] * SIZE


def test_threads_are_few_and_hold_nothing(pool: Pool) -> None:
    before = threading.active_count()
    pool.gather([lambda: None] * 50)
    new = [t for t in threading.enumerate() if t.name == "whypending-read"]
    assert threading.active_count() - before <= SIZE
    assert new
    assert all(t.daemon for t in new)


def test_a_call_that_hangs_past_the_deadline_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whypending.sources.live.pool.GRACE", 0.05)
    release = threading.Event()
    with pytest.raises(TimeoutError):
        Pool(time.monotonic() + 0.05).gather([release.wait])
    release.set()


def test_the_callers_thread_is_no_worker(pool: Pool) -> None:
    assert not pool.is_worker
    assert pool.gather([lambda: pool.is_worker]) == [True]
