"""What an estimator with `verbose` prints: lines made from the records of its trace."""

from __future__ import annotations

import sys

from unmix.core.iteration.trace import Record


def say(line: str) -> None:
    sys.stdout.write(line + "\n")


def describe(record: Record) -> str:
    """The stage, the iteration and what was measured."""
    measured = ", ".join(f"{name} {value:.6g}" for name, value in record.values.items())
    return f"{record.stage} {record.iteration} of {record.max_iter}: {measured}"
