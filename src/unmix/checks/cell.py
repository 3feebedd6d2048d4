"""Whether what a loss says of a cell, given the numbers of a model, fits its value: probabilities, means, intervals."""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.checks.evidence import require, require_close

NEAR = (-0.1, -0.01, 0.01, 0.1)  # cells beside the best one
VARIANCE = 0.3  # of the numbers of the model
MOST_LEVELS = 50


def check_cells(loss: Any, x: np.ndarray, m: np.ndarray) -> None:
    name, best = type(loss).__name__, loss.best(m)
    error = loss.error(x, m)
    require((np.asarray(error) >= 0).all(), f"{name}.error is below 0 or NaN")
    low, high = loss.interval(m - 1.0, m + 1.0)
    require((low <= high).all(), f"{name}.interval turns the ends around: they come back low, high")
    if np.array_equal(best, m):
        _check_numbers(loss, x, m, error)
    else:
        _check_levels(loss, x, m)
        if not loss.quadratic:
            _check_neighbours(loss, best, m)


def _check_numbers(loss: Any, x: np.ndarray, m: np.ndarray, error: np.ndarray) -> None:
    """The number of the model is the cell itself, so that its normal law is that of the cell.

    It is the best cell up to the rounding of a corner there, which may be better a little beside it.
    """
    name, variance = type(loss).__name__, np.full_like(m, VARIANCE)
    require_close(loss.mean(m, variance), m, f"{name}.mean is not m, though best is", 1.0)
    words = f"{name}.deviation is not the root of the variance, though best is m"
    require_close(loss.deviation(m, variance), np.sqrt(variance), words)
    require_close(error, (x - m) ** 2, f"{name}.error is not the squared difference from the number expected", 1.0)


def _check_neighbours(loss: Any, best: np.ndarray, m: np.ndarray) -> None:
    least = loss.value(best, m)
    for step in NEAR:
        if loss.problem(best + step) == "":
            near = loss.value(best + step, m)
            words = f"{type(loss).__name__}.best costs more under the model than the cell {step:g} beside it"
            require((least <= near + 1e-6 * (1 + np.abs(near))).all(), words)


def _check_levels(loss: Any, x: np.ndarray, m: np.ndarray) -> None:
    """Where exp(-value) of all levels are probabilities, confidence is that of the best one."""
    name, sure = type(loss).__name__, loss.confidence(m, np.full_like(m, VARIANCE))
    require(sure is None or ((sure >= 0) & (sure <= 1)).all(), f"{name}.confidence is no probability")
    top = x.max()
    if sure is None or loss.quadratic or (x != np.floor(x)).any() or x.min() < 0 or top >= MOST_LEVELS:
        return
    p = np.stack([np.exp(-loss.value(np.full_like(x, level), m)) for level in range(int(top) + 1)])
    if not np.allclose(p.sum(axis=0), 1.0):
        return
    require_close(loss.confidence(m), p.max(axis=0), f"{name}.confidence is not exp(-value) of the best level")


def check_stacked(loss: Any, x: np.ndarray, m: np.ndarray) -> None:
    """Two columns with this loss together are as each alone: numbers of level 0 first, then those of level 1."""
    name, other = type(loss).__name__, m[::-1]
    both = np.stack([m, other], axis=2).reshape(len(m), -1)
    cells = np.hstack([x, x[::-1]])
    for call in ("value", "gradient", "curvature"):
        apart = [np.asarray(getattr(loss, call)(*pair)) for pair in ((x, m), (x[::-1], other))]
        true = np.stack(apart, axis=2).reshape(len(m), -1)
        words = f"{name}.{call} of two columns is not that of each: numbers of level 0 of all columns come first"
        require_close(getattr(loss, call)(cells, both), true, words, 1.0)
