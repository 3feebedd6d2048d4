"""Rows that come in pieces: made dense, their running mean and covariance."""

from __future__ import annotations

import numpy as np

BEYOND = 100.0  # times by which rows spread more or less than those before
FEW_ROWS = 4  # times the columns


def dense_rows(blocks):
    """All rows of one call as a float64 array."""
    rows = blocks.gather()
    return np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows, dtype=np.float64)


def beyond_compare(rows, before, weights):
    """Whether rows spread so much more or less than those ``before``, a mean square, that these say nothing of them.

    A mean over rows of both sizes would be that of the larger ones for good: a stream that began in another unit, or
    with a vast row, starts anew. Few rows are not judged.
    """
    if before == 0 or len(rows) <= FEW_ROWS * rows.shape[1]:
        return False
    ratio = mean_square(rows, weights) / before
    return not 1 / BEYOND**2 <= ratio <= BEYOND**2


def elsewhere(rows, before, weights):
    """Whether the mean ``before`` is many times the spread of the rows away from theirs, in any column."""
    mean = np.average(rows, axis=0, weights=weights)
    spread = np.sqrt(np.average(np.square(rows - mean), axis=0, weights=weights))
    return bool((np.abs(mean - before) > BEYOND * spread)[spread > 0].any())


def mean_square(rows, weights):
    """The squared distance of the rows from their mean, on average."""
    return float(np.average(np.square(rows - np.average(rows, axis=0, weights=weights)).sum(axis=1), weights=weights))


def running_mean(mean, seen, rows, weights):
    """(mean, weight) of everything seen, from those before and the rows that are new."""
    mass = float(len(rows) if weights is None else weights.sum())
    total, new = seen + mass, np.average(rows, axis=0, weights=weights)
    return (mean + mass / total * (new - mean) if seen else new), total


def running_covariance(covariance, mean, seen, rows, weights, new_mean, total):
    """The covariance about ``new_mean`` of everything seen, from that about ``mean`` of the rows before."""
    centred = rows - new_mean
    added = centred.T @ (centred if weights is None else centred * weights[:, None])
    if not seen:
        return added / total
    moved = new_mean - mean
    return (seen * (covariance + np.outer(moved, moved)) + added) / total
