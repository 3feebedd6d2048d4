"""Used columns as a matrix: each column contributes variance one, whether it is a number or a set of indicators.

number    (clip(g(x)) - mean) / std       with g = log for a long right tail, clip at 10 robust deviations
category  indicator of each level / sqrt(Σ p (1 - p))
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import polars as pl

from unmix.exploration.columns.column import skewness
from unmix.exploration.columns.kinds import Kind
from unmix.exploration.findings.records import Column

_far = 10.0  # robust standard deviations: only cells that would swamp a column are drawn in
_most_far, _spike = 0.05, 0.25  # share of such cells, or of those at the median, from which on the middle half is a
# spike, as of hours of which most are 40 and of rain on days of which most are dry
_fewest_together, _farthest_group = 5, 3.0  # far cells that are a group: so many, and no farther than times the reach
_least_spread = 0.2  # a flag set in 1 row of 1000 must not weigh as much as a whole column


@dataclass
class NumberScale:
    """How one numeric column becomes one feature."""

    column: str
    log: str | None = None  # None | log | log1p
    low: float = -np.inf
    high: float = np.inf
    unit: float = 1.0  # divided out first, so that squares of 1e300 do not overflow
    center: float = 0.0
    scale: float = 1.0

    def apply(self, values: pl.Series) -> np.ndarray:
        x = _stretch(values.cast(pl.Float64).to_numpy().astype(float), self.log)
        return ((np.clip(x, self.low, self.high) / self.unit - self.center) / self.scale)[:, None]

    @property
    def features(self) -> list[str]:
        return [self.column]


@dataclass
class Indicators:
    """How one category becomes one feature a level; an unknown level is all zero before centring."""

    column: str
    levels: list[str | None] = field(default_factory=list)  # None is the level "missing"
    center: list[float] = field(default_factory=list)
    scale: float = 1.0

    def apply(self, values: pl.Series) -> np.ndarray:
        cells = np.array(values.cast(pl.String).to_list(), dtype=object)
        hits = np.stack([cells == level for level in self.levels], axis=1)
        return (hits.astype(float) - self.center) / self.scale

    @property
    def features(self) -> list[str]:
        return [f"{self.column} = {'missing' if level is None else level}" for level in self.levels]


def fit_number(column: Column, kind: Kind, warnings: list[str]) -> NumberScale:
    """Choose log and clip for a numeric column, say so in `column.what`, and standardise."""
    given = kind.values.drop_nulls().to_numpy()
    scale = NumberScale(column.name, log=_log_for(given))
    x = _stretch(given, scale.log)
    median = np.median(x)
    reach = _reach(x, median)
    if reach > 0:
        near = x[np.abs(x - median) <= reach]  # a far cell at the reach itself would still stand apart
        scale.low, scale.high = float(near.min()), float(near.max())
        scale.high = _with_group(np.sort(x[x > scale.high]), scale.high, median + _farthest_group * reach)
        scale.low = -_with_group(np.sort(-x[x < scale.low]), -scale.low, _farthest_group * reach - median)
    n_far = int(((x < scale.low) | (x > scale.high)).sum())
    clipped = np.clip(x, scale.low, scale.high)
    scale.unit = float(np.abs(clipped).max()) or 1.0
    scale.center, scale.scale = float((clipped / scale.unit).mean()), float((clipped / scale.unit).std()) or 1.0
    if scale.log:
        column.what += f", logarithm taken (long right tail, skewness {skewness(given):.1f})"
    if n_far:
        column.what += f", {n_far} extreme value{'s' * (n_far > 1)} clipped"
        warnings.append(
            f"Column {column.name!r} has {n_far} value{'s' * (n_far > 1)} over {_far:g} robust deviations from "
            f"its median (farthest {given[np.argmax(np.abs(x - median))]:.6g}); clipped to the farthest of the others."
        )
    column.what += ", standardised" + "".join(f"; {note}" for note in kind.notes)
    return scale


def _reach(x: np.ndarray, median: float) -> float:
    """How far from the median a cell is far: by the middle half, or by nine tenths where that is a spike."""
    low, q25, q75, high = np.quantile(x, [0.05, 0.25, 0.75, 0.95])
    reach = _far * (q75 - q25) / 1.349  # a Gaussian's quartiles lie 1.349 standard deviations apart
    if reach > 0 and ((np.abs(x - median) > reach).mean() > _most_far or (x == median).mean() >= _spike):
        return float(_far * (high - low) / 3.290)
    return float(reach)


def _with_group(far: np.ndarray, edge: float, farthest: float) -> float:
    """The edge moved out to far cells (ascending) that lie nearer together than to all others, as those of a group."""
    together = len(far) >= _fewest_together and far[-1] - far[0] <= far[0] - edge and far[-1] <= farthest
    return float(far[-1]) if together else edge


def fit_indicators(column: Column, kind: Kind) -> Indicators:
    """Levels by frequency, missing last; together they have variance one."""
    counts = kind.values.value_counts().sort(["count", kind.values.name], descending=[True, False])
    levels = [level for level in counts[kind.values.name] if level is not None]
    if column.n_missing:
        levels.append(None)
        column.what += ", missing is a level of its own"
    indicators = Indicators(column.name, levels, [0.0] * len(levels))
    share = indicators.apply(kind.values).mean(axis=0)
    indicators.center = share.tolist()
    indicators.scale = max(float(np.sqrt((share * (1 - share)).sum())), _least_spread)
    return indicators


def _stretch(x: np.ndarray, log: str | None) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.log(x) if log == "log" else np.log1p(x) if log == "log1p" else x


def _log_for(given: np.ndarray) -> str | None:
    """Take logarithms where the right tail is long and they at least halve the skewness."""
    skew = skewness(given)
    if len(given) < 20 or skew < 2 or given.min() < 0:
        return None
    whole = bool((given == np.floor(given)).all())
    log = "log" if given.min() > 0 else "log1p" if whole else None
    return log if log and abs(skewness(_stretch(given, log))) < skew / 2 else None
