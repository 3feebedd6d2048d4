"""Numbers that stand for "no value": 99, 999, −999.9, 1e20 and the like, where they lie apart from all others."""

from __future__ import annotations

import numpy as np
import polars as pl

_nines = {sign * float("9" * n) for n in range(2, 8) for sign in (-1, 1)} | {-9.0}
_nines |= {sign * float(f"{'9' * n}.{'9' * m}") for n in (2, 3, 4) for m in (1, 2) for sign in (-1, 1)}
_nines |= {1e20, 1e30, -1e30, -32768.0, 9.969209968386869e36}  # fill values of instruments and of grids
_fewest_others = 3


def drop_sentinels(values: pl.Series) -> tuple[pl.Series, list[float]]:
    """The column with such numbers as null, and which they were; they stand farther out than the others are wide."""
    found: list[float] = []
    while (apart := _apart(values)) is not None:
        found.append(apart)
        values = values.set(values == apart, None)
    return values, sorted(found)


def _apart(values: pl.Series) -> float | None:
    if values.min() not in _nines and values.max() not in _nines:
        return None
    different = values.drop_nulls().unique().sort().to_numpy()
    for at in (0, -1):
        if len(different) <= _fewest_others or different[at] not in _nines:
            continue
        others = different[1:] if at == 0 else different[:-1]
        if np.abs(different[at] - others).min() > others[-1] - others[0]:
            return float(different[at])
    return None
