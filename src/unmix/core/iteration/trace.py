"""What an iterative fit records, and who may look on while it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Record(NamedTuple):
    """One iteration: of which stage, which one, at most how many, and what was measured."""

    stage: str
    iteration: int
    max_iter: int
    values: dict[str, float]


class Trace:
    """The records of one fit. An observer that returns True asks for a stop."""

    def __init__(self, *observers: Callable[[Record], Any]) -> None:
        self.records: list[Record] = []
        self._observers = observers

    def add(self, record: Record) -> bool:
        self.records.append(record)
        answers = [observer(record) for observer in self._observers]  # every observer is called, also after a stop
        return any(answer is True for answer in answers)

    def rows(self) -> list[dict[str, Any]]:
        """Plain rows, as kept in ``trace_``."""
        return [{"stage": r.stage, "iteration": r.iteration, **r.values} for r in self.records]
