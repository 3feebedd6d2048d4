"""Many small pieces of work side by side: same answer on any number of threads, watched, and remembered if asked."""

from __future__ import annotations

import contextvars
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from sklearn.exceptions import ConvergenceWarning

from unmix.core.execution import current_execution, execution
from unmix.core.iteration.trace import Record
from unmix.core.threads import one_blas_thread, run_in_order
from unmix.core.warning_filters import filters_for, muted
from unmix.validation.fits.cache import current_memory

THREADS = "`sklearn.utils.parallel.delayed`"  # how the warning begins
_lock, _inside, _show = threading.Lock(), 0, warnings.showwarning
_stage: ContextVar[str] = ContextVar("unmix_stage", default="")
_apart: ContextVar[bool] = ContextVar("unmix_apart", default=False)  # inside a piece of work


@contextmanager
def stage_of(name: str) -> Iterator[None]:
    """What the rounds of `in_parallel` inside belong to: an observer hears of "stability: resamples"."""
    token = _stage.set(f"{_stage.get()}{name}: ")
    try:
        yield
    finally:
        _stage.reset(token)


def in_parallel(work: Callable[[int], Any], n: int, stage: str) -> list[Any]:
    """[work(0), …, work(n - 1)] on the threads of the surrounding execution, telling its observer after each.

    Work runs apart from the surrounding settings: its fits report to nobody, save nothing and use one thread each.
    That one of them did not converge, or found fewer clusters than asked for, is no news: the criteria see it.
    Where a cache is at hand (`remembering`), every result goes there as soon as it is made.
    Pieces of a piece of work are apart already. On a cluster its workers do them, but for what goes to a cache.
    """
    if _apart.get() and current_memory() is None:
        return [work(i) for i in range(n)]
    settings, memory, stage = current_execution(), current_memory(), _stage.get() + stage
    call = "" if memory is None else memory.call(stage, n)
    results: list[Any] = []

    def keep(i: int, result: Any) -> None:
        results.append(result)
        if settings.observe is not None:
            settings.observe(Record(stage, i + 1, n, {}))

    if settings.executor is not None and memory is None:
        for i, result in enumerate(on_workers(settings.executor, work, n)):
            keep(i, result)
        return results

    def apart(i: int) -> Any:
        def alone() -> Any:
            return contextvars.Context().run(_run_apart, work, i)

        return alone() if memory is None else memory.once(f"{call}-{i:04d}", alone)

    with one_blas_thread(), filters_for(ConvergenceWarning), without_thread_warnings():
        run_in_order(apart, n, keep, settings.n_threads)
    return results


def _run_apart(work: Callable[[int], Any], i: int) -> Any:
    _apart.set(True)
    with execution(threads=1), muted(ConvergenceWarning):
        return work(i)


def on_workers(client: Any, work: Callable[[int], Any], n: int) -> Iterator[Any]:
    """What each piece returns, in order, as soon as it is there; what they share is sent once."""
    sent = client.submit(_itself, work, pure=False)  # a task of its own, which dask does again where its worker is lost
    for piece in client.map(_piece, [sent] * n, range(n), pure=False):
        yield piece.result()


def _itself(work: Callable[[int], Any]) -> Callable[[int], Any]:
    return work


def _piece(work: Callable[[int], Any], i: int) -> Any:
    """On a worker."""
    with one_blas_thread(), filters_for(ConvergenceWarning), without_thread_warnings():
        return contextvars.Context().run(_run_apart, work, i)


@contextmanager
def without_thread_warnings() -> Iterator[None]:
    """Drop what scikit-learn says of its own threads inside ours, for as long as anyone is inside.

    A filter is not enough: scikit-learn takes all filters away in one thread while another is being warned.
    """
    global _inside, _show
    with _lock:
        if _inside == 0:
            _show, warnings.showwarning = warnings.showwarning, _show_others
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0 and warnings.showwarning is _show_others:
                warnings.showwarning = _show


def _show_others(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
    if THREADS not in str(message):
        _show(message, category, *where, **more)
