"""The order in which an online rule is shown the rows: every epoch a new shuffle, in which weight 2 is the row twice.

m presentations stand at the middles of m equal slices of the total weight, shuffled; a presentation shows the row under
its position. Without weights this is a permutation of the rows.

Of a longer table one window is in memory at a time. Its presentations are cut into pieces of consecutive ones, the
pieces are dealt to windows in random order, and each window is shuffled as a whole: so it holds rows from all over the
table, however that is sorted, and reads them in a few stretches.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.rows.sample import draw_sample, rows_under
from unmix.core.blocks import RowBlocks
from unmix.core.random import spawn
from unmix.core.sources import joined

MOST_REPEATS = 16  # weights that add up to more are taken as relative, so that an epoch stays an epoch
WINDOW_ENTRIES, LEAST_WINDOW = 2**23, 8192  # entries of a window, and rows of one however wide they are
PIECES = 32  # of a window


class Window(NamedTuple):
    """Rows in memory, and their numbers in the order in which they are shown."""

    rows: Any
    order: np.ndarray


class Deal(NamedTuple):
    """The pieces of every window, as places among the presentations before they are shuffled, and where windows end."""

    windows: list[list[range]]
    ends: np.ndarray


class ShownRows:
    """The rows of a table as they are shown, one epoch after the other; ``showings`` make an epoch.

    Few rows are sorted and equal ones joined, so that neither order nor repetition can matter.
    """

    def __init__(self, X: RowBlocks, weights: np.ndarray | None, seed: int) -> None:
        n = X.shape[0]
        total, held = (n, n) if weights is None else (float(weights.sum()), int((weights > 0).sum()))
        self.showings = round(total) if held <= total <= MOST_REPEATS * held else held
        self._X, self._weights, self._seed = X, unless_ones(weights, self.showings), seed
        piece = max(LEAST_WINDOW, WINDOW_ENTRIES // X.shape[1]) // PIECES
        self._n_pieces = 1 if self.showings <= piece * PIECES else -(-self.showings // piece)
        if self._n_pieces == 1:
            sample = draw_sample(X, weights, max(n, int(np.ceil(total))), 0)
            self._all, self._weights = sample.blocks.gather(), unless_ones(sample.weights, self.showings)
        self._deal, self._open = lru_cache(2)(self._deal_pieces), lru_cache(2)(self._read_window)

    def __call__(self, first: int, count: int) -> Any:
        """The rows of so many presentations from ``first`` on, counted over all epochs; an array or CSR."""
        parts = []
        while count > 0:
            epoch, place = divmod(first, self.showings)
            number, end = self._window_at(epoch, place)
            rows, order = self._open(epoch, number)
            parts.append(rows[order[len(order) - (end - place) :][:count]])
            first, count = first + parts[-1].shape[0], count - parts[-1].shape[0]
        return parts[0] if len(parts) == 1 else joined(parts)

    def in_chunks(self, first: int, count: int, scale: float, size: int) -> Iterator[tuple[int, np.ndarray]]:
        """Scaled rows, dense and in float64, ``size`` at a time, with the place of the first among the ``count``."""
        for start in range(0, count, size):
            rows = self(first + start, min(size, count - start))
            dense = rows.toarray() if hasattr(rows, "tocsr") else rows
            yield start, scale * np.asarray(dense, np.float64)

    def _window_at(self, epoch: int, place: int) -> tuple[int, int]:
        """The number of the window that shows this place of the epoch, and where it ends."""
        if self._n_pieces == 1:
            return 0, self.showings
        ends = self._deal(epoch).ends
        number = int(np.searchsorted(ends, place, side="right"))
        return number, int(ends[number])

    def _deal_pieces(self, epoch: int) -> Deal:
        edges = [i * self.showings // self._n_pieces for i in range(self._n_pieces + 1)]
        dealt = [range(edges[i], edges[i + 1]) for i in spawn(self._seed, 4, epoch).permutation(self._n_pieces)]
        windows = [dealt[i : i + PIECES] for i in range(0, len(dealt), PIECES)]
        return Deal(windows, np.cumsum([sum(map(len, window)) for window in windows]))

    def _read_window(self, epoch: int, number: int) -> Window:
        if self._n_pieces == 1:
            return Window(self._all, presentation(self._weights, self.showings, self._seed, epoch))
        places = np.concatenate([np.arange(p.start, p.stop) for p in self._deal(epoch).windows[number]])
        shuffled = places[spawn(self._seed, 4, epoch, number).permutation(len(places))]
        chosen, order = np.unique(rows_shown(shuffled, self._weights, self.showings), return_inverse=True)
        return Window(self._X.select(chosen).gather(), order)


def unless_ones(weights: np.ndarray | None, showings: int) -> np.ndarray | None:
    """The weights, or None where each row is shown once in an epoch."""
    once = weights is None or (len(weights) == showings and (weights == 1).all())
    return None if once else weights


def presentation(weights: np.ndarray | None, showings: int, seed: int, epoch: int) -> np.ndarray:
    """Numbers of the rows in the order in which they are shown, all of them."""
    return rows_shown(spawn(seed, 4, epoch).permutation(showings), weights, showings)


def rows_shown(places: np.ndarray, weights: np.ndarray | None, showings: int) -> np.ndarray:
    """The rows under places among the presentations."""
    if weights is None:
        return places  # every row is under its own position
    return rows_under((places + 0.5) / showings, np.cumsum(weights))
