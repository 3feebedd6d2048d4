"""Rows that come in pieces: made dense, their running mean and covariance."""

from __future__ import annotations

import numpy as np


def dense_rows(blocks):
    """All rows of one call as a float64 array."""
    rows = blocks.gather()
    return np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows, dtype=np.float64)


def running_mean(mean, seen, rows, weights):
    """(mean, weight) of everything seen, from those before and the rows that are new."""
    mass = float(len(rows) if weights is None else weights.sum())
    total = seen + mass
    return mean + mass / total * (np.average(rows, axis=0, weights=weights) - mean), total


def running_covariance(covariance, mean, seen, rows, weights, new_mean, total):
    """The covariance about ``new_mean`` of everything seen, from that about ``mean`` of the rows before."""
    centred = rows - new_mean
    added = centred.T @ (centred if weights is None else centred * weights[:, None])
    moved = new_mean - mean
    return (seen * (covariance + np.outer(moved, moved)) + added) / total
