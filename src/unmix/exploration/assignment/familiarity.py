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

_block = 1024
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
    squares = _partial(X, X) + (X**2).sum(axis=1)[:, None]
    np.fill_diagonal(squares, np.inf)
    nearest = np.sqrt(np.maximum(squares.min(axis=1), 0.0)) if len(X) > 1 else np.zeros(1)
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
    for g in np.unique(labels[rows]):
        inside, kept = labels[rows] == g, known.labels == g
        if not kept.any():  # a group of which none was kept is small: nothing is known of how sure it is
            far[rows[inside]] = _nearest(X[inside], known.X)[1] > known.limit
            continue
        places, distance = _nearest(X[inside], known.X[kept])
        confidence[rows[inside]] = known.confidence[kept][places]
        away = np.flatnonzero(inside)[distance > known.limit]  # from its own group: perhaps near to another
        far[rows[away]] = _nearest(X[away], known.X)[1] > known.limit
    return confidence, far


def _nearest(X: np.ndarray, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of each row of X the place of the nearest row of Y, and the distance to it."""
    places = [_partial(X[start : start + _block], Y).argmin(axis=1) for start in range(0, len(X), _block)]
    nearest = np.concatenate([np.empty(0, int), *places])
    return nearest, np.sqrt(((X - Y[nearest]) ** 2).sum(axis=1))


def _partial(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """||x - y||² - ||x||² = ||y||² - 2 x·y, which orders the rows of Y as their distances from x do."""
    products = X @ (-2.0 * Y.T)
    products += (Y**2).sum(axis=1)
    return products
