"""Threads over leaves, with BLAS held at one thread.

Leaves run side by side, so a BLAS that starts its own threads would only fight them, and the number of its threads
would change the last bits of a product.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import Any

_lock = threading.Lock()
_pins = 0
_limiter: Any = None


@cache
def _controller() -> Any:
    import scipy.linalg  # noqa: F401  brings a BLAS of its own, which the controller sees only once it is loaded
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Pin BLAS for as long as anyone is inside; the last to leave restores the user's setting."""
    global _pins, _limiter
    with _lock:
        if _pins == 0:
            _limiter = _controller().limit(limits=1, user_api="blas")
            _limiter.__enter__()
        _pins += 1
    try:
        yield
    finally:
        with _lock:
            _pins -= 1
            if _pins == 0:
                _limiter.__exit__(None, None, None)


def default_threads() -> int:
    """UNMIX_NUM_THREADS, or the processors this process may use."""
    given = os.environ.get("UNMIX_NUM_THREADS", "")
    if given:
        if not given.isdecimal() or int(given) < 1:
            raise ValueError(f"UNMIX_NUM_THREADS={given!r} is not a number of threads; give a whole number from 1 up")
        return int(given)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)


_pools: dict[tuple[int, int], ThreadPoolExecutor] = {}


def _pool(helpers: int) -> ThreadPoolExecutor:
    """Threads are kept between passes; a forked child has none of its parent's, so the key holds the process."""
    with _lock:
        key = (os.getpid(), helpers)
        if key not in _pools:
            _pools[key] = ThreadPoolExecutor(helpers, thread_name_prefix="unmix", initializer=_one_openmp_thread)
        return _pools[key]


def _one_openmp_thread() -> None:
    """In a thread of ours: OpenMP in what is run there would start as many threads again, and they wait by spinning."""
    _controller().limit(limits=1, user_api="openmp")


def run_in_order(work: Callable[[int], Any], n: int, keep: Callable[[int, Any], None], threads: int) -> None:
    """Call ``work(i)`` for i < n on several threads and ``keep(i, result)`` in index order, as results arrive."""
    threads = min(threads, n)
    if threads <= 1:
        for i in range(n):
            keep(i, work(i))
        return
    queue = _OrderedQueue(work, n, keep)
    helpers = [_pool(threads - 1).submit(queue.drain) for _ in range(threads - 1)]
    queue.drain()
    for helper in helpers:
        # A pool that is busy with other passes must not hold up this one: what has not started is not needed.
        if not helper.cancel():
            helper.result()
    queue.raise_first_error()


class _OrderedQueue:
    """Indices go out one by one; results are kept strictly in order."""

    def __init__(self, work: Callable[[int], Any], n: int, keep: Callable[[int, Any], None]) -> None:
        self._work, self._n, self._keep = work, n, keep
        self._next_out, self._next_kept = 0, 0
        self._waiting: dict[int, Any] = {}
        self._error: BaseException | None = None
        self._lock = threading.Lock()

    def drain(self) -> None:
        while (i := self._take()) is not None:
            try:
                self._put(i, self._work(i))
            except BaseException as error:  # handed to the caller's thread
                self._error = self._error or error

    def _take(self) -> int | None:
        with self._lock:
            if self._error is not None or self._next_out == self._n:
                return None
            self._next_out += 1
            return self._next_out - 1

    def _put(self, i: int, result: Any) -> None:
        with self._lock:
            self._waiting[i] = result
            while self._next_kept in self._waiting:
                self._keep(self._next_kept, self._waiting.pop(self._next_kept))
                self._next_kept += 1

    def raise_first_error(self) -> None:
        if self._error is not None:
            raise self._error
