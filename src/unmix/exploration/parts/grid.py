"""Where the numbers of a column are counted: edges fixed from the rows that were looked at, dense around its quartiles.

A quartile of all rows lies within five standard errors of that of a random sample, but for one table in a million;
values of the sample cut this stretch. So the bin of a quartile is known for sure, and holds some 0.02 % of the rows
(of 100,000 that were looked at). Every edge is a bin of its own, so that values that come often are told exactly.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from unmix.core.summation.exact_sum import as_number, exact_sum

QUARTILES = {"q25": 0.25, "median": 0.5, "q75": 0.75}
ERRORS_AROUND = 5.0  # standard errors of a quartile of the sample
EDGES_AROUND = 65
FARTHEST = 1e90  # units from the centre: what lies farther counts as that far in means and spreads


class Grid(NamedTuple):
    """Bins [edge, next edge), the first and the last open; `centre` and `unit` keep sums of powers small."""

    centre: float
    unit: float
    edges: np.ndarray
    histogram: np.ndarray

    def powers(self, x: np.ndarray) -> tuple[int, int, int]:
        """Sums of d, d² and d³ without rounding, d = (x - centre) / unit."""
        d = np.clip((x - self.centre) / self.unit, -FARTHEST, FARTHEST)
        square = d * d
        return exact_sum(d), exact_sum(square), exact_sum(square * d)

    def tally(self, x: np.ndarray) -> np.ndarray:
        return np.bincount(np.searchsorted(self.edges, x, side="right"), minlength=len(self.edges) + 1)


def make_grid(given: np.ndarray, summary: dict[str, Any]) -> Grid:
    """Of the values that were looked at, and what was said of them."""
    spread = np.linspace(-ERRORS_AROUND, ERRORS_AROUND, EDGES_AROUND)
    around = [np.clip(q + spread * np.sqrt(q * (1 - q) / len(given)), 0, 1) for q in QUARTILES.values()]
    values = np.quantile(given, np.concatenate(around), method="nearest")
    histogram = np.asarray(summary["histogram"]["edges"])
    edges = np.unique(np.concatenate([values, np.nextafter(values, np.inf), histogram]))
    unit = np.ldexp(1.0, np.frexp(summary["std"])[1]) if summary["std"] > 0 else 1.0
    return Grid(float(summary["mean"]), float(unit), edges, histogram)


def moments(grid: Grid, n: int, powers: tuple[int, int, int]) -> dict[str, float]:
    """Mean, spread and skewness of n numbers."""
    first, second, third = (as_number(power) / n for power in powers)
    variance = second - first**2
    central = float(third - 3 * first * second + 2 * first**3)
    return {
        "mean": float(Fraction(grid.centre) + Fraction(grid.unit) * first),
        "std": grid.unit * float(variance) ** 0.5,
        "skewness": central / float(variance) ** 1.5 if variance > 0 else 0.0,
    }


def quartiles(grid: Grid, counts: np.ndarray, low: float, high: float) -> dict[str, float]:
    """The quartiles, and the largest share of the rows in a bin of one: by so much its rank may be off."""
    ends, errors, found = np.cumsum(counts), [0.0], {}
    bounds = np.clip(np.concatenate([[low], grid.edges, [high]]), low, high)
    for name, q in QUARTILES.items():
        place = q * (ends[-1] - 1)
        values = []
        for row in (int(np.floor(place)), int(np.ceil(place))):
            b = int(np.searchsorted(ends, row, side="right"))
            left, right = bounds[b], bounds[b + 1]
            single = right <= np.nextafter(left, np.inf)
            errors.append(0.0 if single else counts[b] / ends[-1])
            inside = (row - (ends[b] - counts[b]) + 0.5) / counts[b]
            values.append(left if single else left + (right - left) * inside)
        found[name] = float(values[0] + (place - np.floor(place)) * (values[1] - values[0]))
    return found | {"quartile_error": float(max(errors))}


def histogram(grid: Grid, counts: np.ndarray) -> dict[str, list[float] | list[int]]:
    """Of all rows in the bins of those that were looked at, of which the first and the last hold what lies beyond."""
    inner = np.searchsorted(grid.edges, grid.histogram[1:-1])
    parts = np.split(counts, inner + 1)
    return {"edges": grid.histogram.tolist(), "counts": [int(part.sum()) for part in parts]}
