"""Densities on a grid, and the heights whose regions hold given shares of the mass.

The region {x : p(x) ≥ h} that holds the share s is the smallest that does; h is found by adding up the cells of the
grid from the densest down. Hyndman, Computing and graphing highest density regions, American Statistician 50 (1996).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

BOX_MASS = 0.999  # share of the mass that the box should hold
LARGEST_LOG_DENSITY = 700.0  # logarithm of a density that a float can hold
WIDEST_MARGIN = 200.0  # margin around the rows, in their ranges


class Grid(NamedTuple):
    axes: list[np.ndarray]  # one (m,) array of places for each dimension
    density: np.ndarray  # (m,) or (m, m), first axis first

    @property
    def cell(self) -> float:
        return float(np.prod([axis[1] - axis[0] for axis in self.axes]))

    @property
    def mass(self) -> float:
        return float(self.density.sum() * self.cell)


def density_grid(log_density: Callable[[np.ndarray], Any], points: np.ndarray, size: int) -> Grid:
    """The density around the points, in a box that is widened until it holds all but a thousandth of the mass."""
    low, high = points.min(axis=0), points.max(axis=0)
    spread = np.where(high > low, high - low, np.maximum(np.abs(high), 1.0) * 1e-3)
    margin = 0.1
    _check_size(np.asarray(log_density(points[:100]), np.float64), np.abs([low, high]).max())
    grid = _evaluate(log_density, low - margin * spread, high + margin * spread, size)
    while grid.mass < BOX_MASS and margin < WIDEST_MARGIN:
        margin *= 2
        wider = _evaluate(log_density, low - margin * spread, high + margin * spread, size)
        if wider.mass <= grid.mass:  # what is missing lies between the places of the grid, not outside it
            break
        grid = wider
    if not grid.mass > 0:
        raise ValueError("the density is 0 at every place of the grid; raise grid_size, or smooth the density")
    if not 0.98 <= grid.mass <= 1.02:
        warnings.warn(
            f"the density adds up to {grid.mass:.3g} on the grid, not to 1; the levels are shares of that. Raise "
            "grid_size if the density has narrow peaks.",
            UserWarning,
            stacklevel=4,
        )
    return grid


def _check_size(logs: np.ndarray, size: float) -> None:
    """Of rows: between the places of the grid a density with narrow peaks may well be 0."""
    top = float(logs.max())
    if np.isfinite(top) and abs(top) > LARGEST_LOG_DENSITY:
        raise ValueError(
            f"the density is about exp({top:.0f}), beyond what a figure can show; divide X by its size, such as "
            f"{size:.0e}, and fit again"
        )


def _evaluate(log_density: Callable[[np.ndarray], Any], low: np.ndarray, high: np.ndarray, size: int) -> Grid:
    axes = [np.linspace(a, b, size) for a, b in zip(low, high)]
    places = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(axes))
    logs = np.asarray(log_density(places), np.float64)
    return Grid(axes, np.exp(logs).reshape([size] * len(axes)))


def mass_heights(grid: Grid, shares: Any) -> np.ndarray:
    """For every share of the mass a height that cuts out the smallest region which holds it.

    Halfway to the next lower value of the grid, so that a terrace of a step-wise density is inside as a whole.
    """
    cells = np.sort(grid.density, axis=None)[::-1]
    held = np.cumsum(cells) / cells.sum()
    last = np.minimum(np.searchsorted(held, shares), len(cells) - 1)
    below = np.append(cells, 0.0)[np.searchsorted(-cells, -cells[last], side="right")]
    return (cells[last] + below) / 2
