"""The models to choose from: a list of settings, each checked against the estimator before anything is fitted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from itertools import product
from typing import Any

import numpy as np

from unmix.validation.fits.no_structure import labels_rows
from unmix.validation.fits.refit import SIZES, size_parameter


def settings_of(estimator: Any, grid: Any, n_rows: int) -> list[dict[str, Any]]:
    """One dict of parameters for each grid point.

    `grid` is a dict of parameter -> values (all combinations), a list of such single settings, or simply the numbers
    of clusters. Of a decomposition it is the ranks, of which 0, nothing but the column means, is one.
    """
    points = _points(estimator, grid)
    if not points:
        raise ValueError(f"grid={grid!r} holds no setting to choose from; give for example range(1, 11)")
    known = list(estimator.get_params(deep=True))
    for name in {name for point in points for name in point}:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(sorted(known))}."
            raise ValueError(f"grid names {name!r}, which is no parameter of {type(estimator).__name__}; {hint}")
    for point in points:
        _check_size(point, n_rows, 1 if labels_rows(estimator) else 0)
    return points


def _points(estimator: Any, grid: Any) -> list[dict[str, Any]]:
    if isinstance(grid, Mapping):
        values = [_values(name, given) for name, given in grid.items()]
        return [dict(zip(grid, combination)) for combination in product(*values)] if grid else []
    if isinstance(grid, str) or not isinstance(grid, Iterable) or getattr(grid, "shape", None) == ():
        raise TypeError(f"grid={grid!r} is no grid; give the numbers of clusters, such as range(1, 11), or a dict")
    given = list(grid)
    if all(isinstance(point, Mapping) for point in given):
        return [dict(point) for point in given]
    size = size_parameter(estimator)
    if size is None:
        raise TypeError(
            f"{type(estimator).__name__} has neither n_clusters nor n_components; give grid as a dict of name -> values"
        )
    if any(isinstance(point, Mapping) for point in given):
        raise TypeError(f"grid={given!r} mixes numbers and settings; give either numbers of clusters or dicts")
    return [{size: _size(value)} for value in given]


def _values(name: str, given: Any) -> list[Any]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise TypeError(f"grid[{name!r}]={given!r} is one value; give a list of values to choose from")
    return [(_size if name.split("__")[-1] in SIZES else _plain)(value) for value in given]


def _size(value: Any) -> Any:
    """Whole numbers as such, also where they come as 3.0."""
    value = _plain(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _check_size(point: Mapping[str, Any], n_rows: int, least: int) -> None:
    for name, size in point.items():
        if name.split("__")[-1] not in SIZES:
            continue
        if isinstance(size, bool) or (isinstance(size, int | float) and not (size >= least and size == int(size))):
            raise ValueError(f"grid asks for {name}={size!r}; give whole numbers from {least} up")
        if isinstance(size, int) and size > n_rows:
            rows = "1 row" if n_rows == 1 else f"{n_rows} rows"
            raise ValueError(f"grid asks for {name}={size}, but only {rows} can be judged; end the grid at {n_rows}")
