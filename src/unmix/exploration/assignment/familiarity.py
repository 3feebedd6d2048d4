"""How well new rows are known: the nearest of the rows that were kept, how sure that one was, and how far it lies.

confidence   that of the nearest kept row of the same group
far          farther from every kept row than twice what one in a hundred of them lies from all others, and than rows
             of a group usually lie from its mean
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from unmix.exploration.assignment.encoding import Encoding

_block = 4096
_rare, _times = 0.99, 2.0


class Familiar(NamedTuple):
    """The kept rows as features, their groups and confidence, and the distance beyond which a row is far."""

    X: np.ndarray
    labels: np.ndarray
    confidence: np.ndarray
    limit: float


def familiar(encoding: Encoding) -> Familiar:
    kept = encoding.kept
    X = encoding.filling.fill(encoding.standardised(kept.values))
    means = np.stack([X[kept.labels == g].mean(axis=0) for g in range(len(encoding.names))])
    within = np.sqrt(((X - means[kept.labels]) ** 2).sum(axis=1).mean())
    squares = _squares(X, X)
    np.fill_diagonal(squares, np.inf)
    nearest = np.sqrt(squares.min(axis=1)) if len(X) > 1 else np.zeros(1)
    return Familiar(X, kept.labels, kept.confidence, max(_times * float(np.quantile(nearest, _rare)), float(within)))


def how_known(
    known: Familiar, encoding: Encoding, values: pl.DataFrame, labels: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Confidence and whether it is far, of rows with these values and groups; nan and False for one without a group."""
    confidence, far = np.full(len(labels), np.nan), np.zeros(len(labels), bool)
    rows = np.flatnonzero(labels >= 0)
    if not len(rows):
        return confidence, far
    X = encoding.unclipped(values[rows])
    for start in range(0, len(rows), _block):
        block = rows[start : start + _block]
        squares = _squares(X[start : start + _block], known.X)
        far[block] = np.sqrt(squares.min(axis=1)) > known.limit
        squares[labels[block][:, None] != known.labels] = np.inf
        nearest = squares.argmin(axis=1)
        confidence[block] = np.where(np.isfinite(squares.min(axis=1)), known.confidence[nearest], np.nan)
    return confidence, far


def _squares(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """||x - y||² = ||x||² - 2 x·y + ||y||², rounding aside not negative."""
    squares = (X**2).sum(axis=1)[:, None] - 2 * X @ Y.T + (Y**2).sum(axis=1)
    return np.maximum(squares, 0.0)
