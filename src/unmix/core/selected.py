"""Some rows of a source, as if the others had never been there; read where they lie, and never copied as a whole."""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.core.sources import ArraySource, Source, as_block, joined

CLOSE, LONGEST_RUN = 1024, 16384  # rows apart up to which single rows are read together, and how many at once


def select_rows(source: Source, chosen: np.ndarray) -> Source:
    """A source of the rows ``chosen``, in rising order; those of a sparse matrix are cut out at once."""
    if not hasattr(source, "select"):
        return SelectedSource(source, chosen)
    selected: Source = source.select(chosen)
    return selected


class SelectedSource:
    """Rows of an array or a file; where the source is a file, a worker reads them there."""

    def __init__(self, source: Source, chosen: np.ndarray) -> None:
        self.source, self.chosen = source, np.asarray(chosen, dtype=np.intp)
        self.shape, self.dtype = (len(self.chosen), source.shape[1]), source.dtype
        self.names, self.sparse, self.path = source.names, source.sparse, getattr(source, "path", None)

    def select(self, chosen: np.ndarray) -> SelectedSource:
        return SelectedSource(self.source, self.chosen[chosen])

    def read(self, start: int, stop: int) -> Any:
        wanted = self.chosen[start:stop]
        if isinstance(self.source, ArraySource):
            return as_block(self.source.X[wanted], self.dtype)
        parts = []
        for places in runs(wanted):
            first = int(wanted[places[0]])
            parts.append(self.source.read(first, int(wanted[places[-1]]) + 1)[wanted[places] - first])
        return joined(parts) if len(parts) > 1 else parts[0]


def runs(wanted: np.ndarray) -> list[np.ndarray]:
    """Places of rows that lie close to each other and are read at one go: a read costs more than some rows too many."""
    order = np.argsort(wanted, kind="stable")
    rising = wanted[order]
    ends = (np.diff(rising) > CLOSE) | (np.diff(rising // LONGEST_RUN) > 0)
    return np.split(order, np.flatnonzero(ends) + 1) if len(order) else []
