"""The loop of every iterative fit: advance, record, save, and stop when done, told to, or out of iterations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

from unmix.core.iteration.checkpoint import Checkpoint, Stage
from unmix.core.iteration.trace import Record, Trace
from unmix.core.storage.archive import reason


class State(Protocol):
    """A NamedTuple of arrays, numbers and further tuples; it holds all that the next iteration needs."""

    @property
    def iteration(self) -> int: ...

    @property
    def done(self) -> bool: ...


S = TypeVar("S", bound=State)


class Run:
    """One fit: its trace, and its checkpoint if it has one. Loops inside it are its stages, in order."""

    def __init__(self, trace: Trace, checkpoint: Checkpoint | None = None) -> None:
        self.trace, self.checkpoint, self.n_stages, self.stopped = trace, checkpoint, 0, False


_current: ContextVar[Run | None] = ContextVar("unmix_run", default=None)
_unit: ContextVar[float] = ContextVar("unmix_unit_of_costs", default=1.0)
SURPRISES = (IndexError, KeyError, AttributeError, TypeError)  # what a state that is none of this fit leads to
COSTS = ("cost", "objective", "free_energy", "temperature")


@contextmanager
def running(run: Run) -> Iterator[Run]:
    """Loops inside the block belong to ``run``; its checkpoint is removed when the block ends well."""
    token = _current.set(run)
    try:
        yield run
        if run.checkpoint is not None:
            run.checkpoint.remove()
    except SURPRISES as error:
        if run.checkpoint is None or not run.checkpoint.resumed:
            raise
        raise run.checkpoint.refusal(f"the fit that went on from it failed: {reason(error)}") from error
    finally:
        _current.reset(token)


@contextmanager
def costs_in(unit: float) -> Iterator[None]:
    """Loops inside the block work in units of their own; observers get costs times ``unit``, those of the data."""
    token = _unit.set(unit)
    try:
        yield
    finally:
        _unit.reset(token)


def in_data_units(measured: dict[str, float]) -> dict[str, float]:
    """What was measured, costs and temperatures in the units of the data; 0 stays 0 where these have no number."""
    unit = _unit.get()
    return {name: value * unit if value and name in COSTS else value for name, value in measured.items()}


def iterate(advance: Callable[[S], tuple[S, dict[str, float]]], state: S, *, max_iter: int, name: str) -> S:
    """Repeat ``state, measured = advance(state)`` until ``state.done`` or ``max_iter`` iterations.

    ``advance`` depends on the state and on fixed data alone (random streams are derived from the state's counters),
    so a fit resumed from a checkpoint goes on as if it had never stopped.  Once an observer asked to stop, later stages
    of the same fit make one iteration each, so that it ends soon and with a model.
    """
    run = _current.get() or Run(Trace())
    index, run.n_stages = run.n_stages, run.n_stages + 1
    records: list[Record] = []
    finished = stopped = False
    if run.checkpoint is not None and index < len(run.checkpoint.stages):
        state, finished, records = run.checkpoint.stage(index, state)
        for record in records:
            run.trace.add(record)
    while not (finished or stopped or state.done or state.iteration >= max_iter):
        state, measured = advance(state)
        records.append(Record(name, state.iteration, max_iter, in_data_units(measured)))
        run.stopped = stopped = run.trace.add(records[-1]) or run.stopped
        if run.checkpoint is not None:
            run.checkpoint.save(index, Stage(state, False, records))
    if run.checkpoint is not None and not finished:
        run.checkpoint.save(index, Stage(state, True, records))
    return state
