"""What sets a group of rows apart from the whole table, column by column, strongest first, in words.

number    effect = (mean inside - mean overall) / standard deviation overall
category  effect = 2 arcsin √p_inside - 2 arcsin √p_overall for the level that is most over-represented  (Cohen 1988)
"""

from __future__ import annotations

import math

import numpy as np
import polars as pl

from unmix.exploration.columns.kinds import Kind
from unmix.exploration.findings.records import Column, Distinct

_smallest = 0.4  # between Cohen's "small" and "medium"
_most = 6
_most_levels = 200
_least_support = 0.5  # of a group's rows must have a value: a handful does not speak for the others


def contrasts(columns: list[Column], kinds: list[Kind], inside: np.ndarray, logs: set[str]) -> list[Distinct]:
    """The columns in which the rows marked by `inside` differ clearly from all rows."""
    found = []
    for column, kind in zip(columns, kinds):
        if not column.describes or _support(kind, inside) < _least_support:
            continue
        if column.form == "numeric":
            found.append(_of_number(column.name, kind, inside, column.name in logs))
        elif column.form in ("category", "boolean") and column.n_unique <= _most_levels:
            found.append(_of_category(column.name, kind, inside))
    clear = [item for item in found if item and abs(item.effect) >= _smallest]
    return sorted(clear, key=lambda item: -abs(item.effect))[:_most]


def _support(kind: Kind, inside: np.ndarray) -> float:
    """Share of the group's rows that have a value."""
    return float(kind.values.is_not_null().to_numpy()[inside].mean()) if inside.any() else 0.0


def _of_number(name: str, kind: Kind, inside: np.ndarray, log: bool) -> Distinct | None:
    x = kind.values.to_numpy()
    given = np.isfinite(x)
    if not (given & inside).any():
        return None
    unit = np.abs(x[given]).max() or 1.0
    scaled = np.log(np.maximum(x[given], x[given & (x > 0)].min())) if log else x[given] / unit
    spread, group = scaled.std(), inside[given]
    effect = float((scaled[group].mean() - scaled.mean()) / spread) if spread > 0 else 0.0
    if abs(effect) * math.sqrt(group.sum()) < 3:  # three standard errors of the group's mean
        return None
    middle, word = (np.median, "median ") if log else (np.mean, "")
    here, overall = float(middle(x[given][group] / unit) * unit), float(middle(x[given] / unit) * unit)
    direction = "higher" if effect > 0 else "lower"
    numbers = f"{shown(here, here - overall)} vs {shown(overall, here - overall)} overall"
    return Distinct(name, f"{name} {direction}: {word}{numbers}", effect, here, overall)


def _of_category(name: str, kind: Kind, inside: np.ndarray) -> Distinct | None:
    overall, here = _shares(kind.values), _shares(kind.values.filter(pl.Series(inside)))
    best = None
    for level, share in here.items():
        effect = 2 * math.asin(math.sqrt(share)) - 2 * math.asin(math.sqrt(overall[level]))
        if best is None or (effect, level) > (best.effect, best.level):
            sentence = f"{name} = {level}: {percent(share)} vs {percent(overall[level])} overall"
            best = Distinct(name, sentence, effect, share, overall[level], level)
    n_given = int((inside & kind.values.is_not_null().to_numpy()).sum())
    enough = best is not None and best.effect * math.sqrt(n_given) >= 3
    return best if enough else None


def _shares(values: pl.Series) -> dict[str, float]:
    """Of the cells that hold a value."""
    given = values.drop_nulls()
    return {level: count / len(given) for level, count in given.value_counts().iter_rows()}


def shown(value: float, difference: float) -> str:
    """A number with as many decimals as it takes to see the difference."""
    if value != 0 and not 1e-4 <= abs(value) < 1e7:
        return f"{value:.3g}"
    size = math.floor(math.log10(abs(difference))) if difference else 0
    text = f"{value:,.{max(0, min(6, 1 - size))}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def percent(share: float) -> str:
    """99.7 % is not 100 %: round towards the middle."""
    rounded = round(100 * share)
    if rounded in (0, 100) and share not in (0.0, 1.0):
        return "> 99 %" if rounded else "< 1 %"
    return f"{rounded} %"
