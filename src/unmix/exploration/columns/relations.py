"""What columns are in view of the others: targets, coordinates, codes of a category, copies and sums of columns."""

from __future__ import annotations

import polars as pl

from unmix.exploration.columns.derived import find_derived
from unmix.exploration.columns.kinds import Kind, as_levels
from unmix.exploration.columns.names import LATITUDE, LONGITUDE, TARGET, TARGET_OF_FEW, last_word, words
from unmix.exploration.columns.repeated_units import numbered_units


def relate(kinds: list[Kind]) -> list[Kind]:
    """The kinds, changed where the other columns say more than the column itself."""
    place = any(kind.values.name.strip().lower() == "x" for kind in kinds)
    kinds = _units(_codes(_coordinates([_target(kind, place) for kind in kinds])))
    numbers = [j for j, kind in enumerate(kinds) if kind.form == "numeric" and kind.kind != "target"]
    found = find_derived([kinds[j].values for j in numbers])
    for j, why in found.items():
        kinds[numbers[j]] = kinds[numbers[j]]._replace(kind="derived", why=why, treated_as="numeric")
    return kinds


def _target(kind: Kind, place: bool) -> Kind:
    name = kind.values.name.strip().lower()
    few = kind.form == "numeric" and kind.values.n_unique() <= 20 and kind.kind != "numeric"
    levels = few or kind.form in ("category", "boolean")
    said = name in TARGET or (name in TARGET_OF_FEW and levels and not place)
    if not said or not (levels or kind.form == "numeric"):
        return kind
    return kind._replace(
        kind="target", values=as_levels(kind.values) if few else kind.values,
        why=f"called {name!r}, as what others are to explain", treated_as="category" if few else kind.form,
    )  # fmt: skip


def _coordinates(kinds: list[Kind]) -> list[Kind]:
    """Latitude and longitude, by name and range, where both are there."""
    north = [j for j, kind in enumerate(kinds) if _is_degree(kind, LATITUDE, 90)]
    east = [j for j, kind in enumerate(kinds) if _is_degree(kind, LONGITUDE, 360)]
    if not north or not east:
        return kinds
    said = dict.fromkeys(north, "degrees of latitude") | dict.fromkeys(east, "degrees of longitude")
    return [
        kind._replace(kind="coordinate", why=said[j], treated_as="numeric") if j in said else kind
        for j, kind in enumerate(kinds)
    ]


def _is_degree(kind: Kind, called: frozenset[str], most: float) -> bool:
    if kind.form != "numeric" or last_word(kind.values.name) not in called:
        return False
    given = kind.values.drop_nulls()
    changes = not {"delta", "diff", "change"}.isdisjoint(words(kind.values.name))
    return bool(len(given) and given.abs().max() <= most and not changes)


def _codes(kinds: list[Kind]) -> list[Kind]:
    """Whole numbers that go one to one with the levels of a text column are its codes."""
    texts = [kind for kind in kinds if kind.form == "category" and kind.kind == "category"]
    return [_code_of(kind, texts) if kind.kind in ("numeric", "count", "ordered") else kind for kind in kinds]


def _units(kinds: list[Kind]) -> list[Kind]:
    """Whole numbers that say whose a row is are codes of units."""
    found = numbered_units(kinds)
    return [_unit(kind, found[kind.values.name]) if kind.values.name in found else kind for kind in kinds]


def _unit(kind: Kind, time: str) -> Kind:
    why = f"with {time!r} it names the row"
    return kind._replace(kind="code", values=as_levels(kind.values), why=why, treated_as="category")


def _code_of(kind: Kind, texts: list[Kind]) -> Kind:
    x, n = kind.values, kind.values.n_unique()
    if kind.form != "numeric" or not 2 < n <= len(x) / 2 or not (x.drop_nulls() == x.drop_nulls().floor()).all():
        return kind
    for text in texts:
        if text.values.n_unique() == n and pl.DataFrame([x.alias("x"), text.values.alias("y")]).n_unique() == n:
            why = f"goes one to one with {text.values.name!r}"
            return kind._replace(kind="code", values=as_levels(x), why=why, treated_as="category")
    return kind
