"""Many small pieces of work side by side: same answer on any number of threads, watched, and remembered if asked."""

from __future__ import annotations

import contextvars
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from sklearn.exceptions import ConvergenceWarning

from unmix.core.execution import current_execution, execution
from unmix.core.threads import one_blas_thread, run_in_order
from unmix.core.trace import Record
from unmix.validation.cache import current_memory

THREADS = "`sklearn.utils.parallel.delayed`"  # how the warning begins
_stage: ContextVar[str] = ContextVar("unmix_stage", default="")


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
    """
    settings, memory, stage = current_execution(), current_memory(), _stage.get() + stage
    call = "" if memory is None else memory.call(stage, n)
    results: list[Any] = []

    def apart(i: int) -> Any:
        def run() -> Any:
            with execution(threads=1):
                return work(i)

        def alone() -> Any:
            return contextvars.Context().run(run)

        return alone() if memory is None else memory.once(f"{call}-{i:04d}", alone)

    def keep(i: int, result: Any) -> None:
        results.append(result)
        if settings.observe is not None:
            settings.observe(Record(stage, i + 1, n, {}))

    with one_blas_thread(), without_small_talk():
        run_in_order(apart, n, keep, settings.n_threads)
    return results


@contextmanager
def without_small_talk() -> Iterator[None]:
    """Drop warnings of fits that did not converge, and what scikit-learn says of its own threads inside ours.

    Filters are not enough: scikit-learn sets them anew in one thread while another is being warned.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.filterwarnings("ignore", THREADS)
        show = warnings.showwarning

        def filtered(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
            if not issubclass(category, ConvergenceWarning) and THREADS not in str(message):
                show(message, category, *where, **more)

        warnings.showwarning = filtered
        yield
