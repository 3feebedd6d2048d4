"""How work is run: on how many threads or on which cluster, where it is saved, who watches.

These settings surround a fit instead of being parameters of an estimator, because they never change its result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from unmix.core.threads import default_threads


@dataclass(frozen=True)
class Execution:
    executor: Any = None
    threads: int | None = None
    checkpoint: Path | None = None
    checkpoint_seconds: float = 30.0
    observe: Callable[[Any], Any] | None = None

    @property
    def n_threads(self) -> int:
        return self.threads or default_threads()


_default = Execution()
_current: ContextVar[Execution] = ContextVar("unmix_execution", default=_default)


def current_execution() -> Execution:
    return _current.get()


@contextmanager
def locally() -> Iterator[Execution]:
    """Fits inside the ``with`` block run in this process: for small tables, whatever cluster is in use around them."""
    token = _current.set(replace(_current.get(), executor=None))
    try:
        yield _current.get()
    finally:
        _current.reset(token)


@contextmanager
def execution(
    *,
    executor: Any = None,
    threads: int | None = None,
    checkpoint: str | Path | None = None,
    checkpoint_seconds: float | None = None,
    observe: Callable[[Any], Any] | None = None,
) -> Iterator[Execution]:
    """Settings for every fit inside the ``with`` block; what is not given is inherited.

    Parameters
    ----------
    executor : dask.distributed.Client, optional
        Run on this cluster. Without it, a dask collection runs on the active client if there is one, and everything
        else on threads of this process.
    threads : int, optional
        Threads of this process; by default ``UNMIX_NUM_THREADS``, else every processor it may use.
    checkpoint : path, optional
        A file to which a fit saves its state, and from which the same fit on the same data resumes.
        It is removed when the fit ends.
    checkpoint_seconds : float, optional
        The least time between two savings, 30 seconds by default.
    observe : callable, optional
        Called with a `Record` after every iteration; returning True stops the fit there.

    Examples
    --------
    >>> import unmix
    >>> with unmix.execution(threads=1) as settings:
    ...     settings.n_threads
    1
    """
    if threads is not None and (not isinstance(threads, int) or threads < 1):
        raise ValueError(f"threads={threads!r} is not a number of threads; give a whole number from 1 up, or None")
    if executor is not None and not hasattr(executor, "submit"):
        raise TypeError(f"executor={executor!r} is not a dask.distributed.Client; start one, or leave it out")
    given = {
        "executor": executor,
        "threads": threads,
        "checkpoint": None if checkpoint is None else Path(checkpoint),
        "checkpoint_seconds": checkpoint_seconds,
        "observe": observe,
    }
    token = _current.set(replace(_current.get(), **{k: v for k, v in given.items() if v is not None}))
    try:
        yield _current.get()
    finally:
        _current.reset(token)
