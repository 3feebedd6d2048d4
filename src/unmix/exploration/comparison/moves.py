"""In which columns a group lies elsewhere, and by how much, in the table's own units."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from unmix.exploration.assignment.encoding import Encoding
from unmix.exploration.columns.encode import Indicators, NumberScale
from unmix.exploration.comparison.resampled import Rows
from unmix.exploration.comparison.result import Moved
from unmix.exploration.groups.contrast import percent, shown

_smallest = 0.2  # standard deviations within a group: a smaller move matters to nobody, however sure
_most = 6
_wide = 1.96  # standard errors of an interval of 95 %


def moves(
    before: Encoding,
    g: int,
    old: Rows,
    new: Rows,
    cells: tuple[pl.DataFrame, pl.DataFrame],
    p: np.ndarray,
    claim: float,
) -> list[Moved]:
    """The moves of group g that are claimed, largest first; `cells` are the values of the rows of both tables."""
    inside = [side.labels == g for side in (old, new)]
    found: list[Moved] = []
    for j, (scale, level) in enumerate(_features(before)):
        x, y = old.X[inside[0], j], new.X[inside[1], j]
        effect = _effect(x[np.isfinite(x)], y[np.isfinite(y)])
        if p[j] >= claim or abs(effect) < _smallest:
            continue
        a, b = (table[scale.column].filter(pl.Series(rows)) for table, rows in zip(cells, inside))
        found.append(
            _number(scale, a, b, effect, float(p[j]))
            if level is None
            else _level(scale, level, a, b, effect, float(p[j]))
        )
    return sorted(found, key=lambda move: -abs(move.effect))[:_most]


def _features(before: Encoding) -> Iterator[tuple[NumberScale | Indicators, str | None]]:
    for scale in before.scales:
        if isinstance(scale, NumberScale):
            yield scale, None
        else:
            yield from ((scale, "missing" if level is None else level) for level in scale.levels)


def _effect(x: np.ndarray, y: np.ndarray) -> float:
    if len(x) < 2 or len(y) < 2:
        return 0.0
    within = np.sqrt((x.var() * len(x) + y.var() * len(y)) / (len(x) + len(y)))
    return float((y.mean() - x.mean()) / max(within, 1e-9))


def _number(scale: NumberScale | Indicators, old: pl.Series, new: pl.Series, effect: float, p: float) -> Moved:
    x, y = (side.drop_nulls().to_numpy() for side in (old, new))
    log = isinstance(scale, NumberScale) and scale.log is not None
    if log:
        shift = 1.0 if isinstance(scale, NumberScale) and scale.log == "log1p" else 0.0
        x, y = (np.log(np.maximum(side + shift, 1e-300)) for side in (x, y))
    step, error = float(y.mean() - x.mean()), float(np.sqrt(x.var() / len(x) + y.var() / len(y)))
    low, high = step - _wide * error, step + _wide * error
    if log:
        a, b = float(np.exp(x.mean())) - shift, float(np.exp(y.mean())) - shift
        low, high = float(np.exp(low)), float(np.exp(high))
        words = f"× {np.exp(step):.3g}, 95 % interval {low:.3g} to {high:.3g}"
    else:
        a, b = float(x.mean()), float(y.mean())
        words = f"{step:+.3g}, 95 % interval {low:.3g} to {high:.3g}"
    sentence = f"{scale.column} {shown(a, b - a)} → {shown(b, b - a)} ({words})"
    return Moved(scale.column, a, b, low, high, effect, p, sentence)


def _level(
    scale: NumberScale | Indicators, level: str, old: pl.Series, new: pl.Series, effect: float, p: float
) -> Moved:
    wanted = None if level == "missing" and None in getattr(scale, "levels", []) else level
    x, y = ((side.is_null() if wanted is None else (side == level).fill_null(False)).to_numpy() for side in (old, new))
    a, b = float(x.mean()), float(y.mean())
    error = float(np.sqrt(a * (1 - a) / len(x) + b * (1 - b) / len(y)))
    low, high = b - a - _wide * error, b - a + _wide * error
    points = f"{100 * (b - a):+.0f} points, 95 % interval {100 * low:.0f} to {100 * high:.0f}"
    return Moved(
        scale.column,
        a,
        b,
        low,
        high,
        effect,
        p,
        f"{scale.column} = {level}: {percent(a)} → {percent(b)} ({points})",
        level,
    )
