"""Grid points as a reader names them: by size where that tells them apart, else by their settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from unmix.validation.selection.result import Selection


def heading(selection: Selection) -> str:
    """What the names count: the one parameter that varies, else the settings."""
    names = _varying(selection.params)
    return names[0].split("__")[-1] if len(names) == 1 else "settings"


def point_names(selection: Selection) -> list[str]:
    """A short text for each grid point.

    >>> from types import SimpleNamespace
    >>> point_names(SimpleNamespace(params=[{"n_clusters": 1}, {"n_clusters": 2}]))
    ['1', '2']
    >>> point_names(SimpleNamespace(params=[{"a__b": 1, "c": "x"}, {"a__b": 2, "c": "x"}, {}]))
    ['1', '2', 'one cluster']
    """
    varying = _varying(selection.params)
    return [_name(point, varying) if point else "one cluster" for point in selection.params]


def _varying(params: list[dict[str, Any]]) -> list[str]:
    """Parameters that differ between grid points; all of them where there is one point only."""
    points = [point for point in params if point]
    names = list(dict.fromkeys(name for point in points for name in point))
    varying = [name for name in names if any(str(p.get(name)) != str(points[0].get(name)) for p in points)]
    return varying or names


def _name(point: dict[str, Any], varying: list[str]) -> str:
    if len(varying) == 1:
        return str(point.get(varying[0], "–"))
    return ", ".join(f"{name.split('__')[-1]}={point[name]}" for name in varying if name in point)
