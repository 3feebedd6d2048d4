"""Who looks on while images are worked on: the observers of `unmix.execution`, as with every fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from unmix.core.execution import current_execution
from unmix.core.iteration.loop import Run, running
from unmix.core.iteration.trace import Record, Trace
from unmix.core.threads import one_blas_thread


@contextmanager
def watched() -> Iterator[Callable[[int, int], None]]:
    """Loops inside are seen by the observer; yields what tells it how many bands of patches are done."""
    observe = current_execution().observe
    trace = Trace(*([observe] if observe else []))
    with one_blas_thread(), running(Run(trace)):
        yield lambda done, of: (trace.add(Record("patches", done, of, {})), None)[1]
