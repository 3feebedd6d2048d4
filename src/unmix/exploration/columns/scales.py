"""Whole numbers that are not measured: codes of a category, steps of a scale, counts; and words that form a scale."""

from __future__ import annotations

import numpy as np
import polars as pl

from unmix.exploration.columns.names import SCALE, is_code, is_quantity, is_unit, is_written_code, words

max_levels = 30  # categories with more levels describe clusters but are not one-hot encoded
_most_steps = 11  # of a scale: 0 … 10
_fewest_rows = 50  # from which shares of levels tell something
_least_share = 0.05  # of the upper end of a scale; a count thins out there
_fewest_units = 8  # whose numbers would hardly ascend by chance
_range = r"^\s*[<>≤≥]?=?\s*\d[\d.,]*\s*(-|–|to|bis|\.\.)\s*\d[\d.,]*|^\s*[<>≤≥]=?\s*\d|\d\s*\+$"
_scales = [
    "very low|low|medium|middle|moderate|average|normal|high|very high",
    "extra small|small|medium|large|extra large",
    "xs|s|m|l|xl|xxl",
    "very bad|bad|very poor|poor|fair|medium|average|ok|good|very good|premium|excellent|ideal",
    "never|rarely|seldom|sometimes|often|usually|always",
    "strongly disagree|disagree|neutral|neither|undecided|agree|strongly agree",
    "none|mild|moderate|severe|critical",
    "first|second|third|fourth|fifth",
]


def whole_kind(name: str, x: np.ndarray) -> tuple[str, str]:
    """(kind, why) of whole numbers that neither count rows nor say when."""
    different, counts = np.unique(x, return_counts=True)
    if _is_code(name, x, different):
        return "code", f"{len(different)} different whole numbers under a name of categories"
    if is_unit(name) and _numbers_units(x, different):
        return "id", f"{len(different)} different whole numbers under a name of units"
    consecutive = bool((np.diff(different) == 1).all()) and different[0] in (0, 1)
    steps = 3 <= len(different) <= _most_steps and consecutive and not is_quantity(name)
    if steps and (_is_scale(name) or (len(x) >= _fewest_rows and counts[-1] >= _least_share * len(x))):
        return "ordered", f"a scale of whole numbers from {different[0]:g} to {different[-1]:g}"
    if different[0] in (0, 1) and different[1] == different[0] + 1:
        return "count", f"whole numbers from {different[0]:g} up"
    return "numeric", "whole numbers"


def ordered_words(given: pl.Series) -> str | None:
    """Why the levels of a text column have an order; None if it is not known."""
    levels = given.unique().str.to_lowercase()
    if len(levels) > 2 and levels.str.contains(_range).all():
        return "levels are ranges of numbers"
    if len(levels) > 2 and any(levels.is_in(scale.split("|")).all() for scale in _scales):
        return "levels are words of a scale"
    return None


def _is_code(name: str, x: np.ndarray, different: np.ndarray) -> bool:
    if different[0] < 0:
        return False
    few = len(different) <= max_levels and len(different) <= len(x) / 3
    return is_written_code(name) or (is_code(name) and (few or appear_ascending(x)))


def _numbers_units(x: np.ndarray, different: np.ndarray) -> bool:
    """More than any household has members, or given in the order of the table, or of rows that follow each other."""
    return different[0] >= 0 and (len(different) > max_levels or appear_ascending(x) or _side_by_side(x, different))


def appear_ascending(x: np.ndarray) -> bool:
    """Whether each value first appears below all smaller ones, as numbers that were given to units do."""
    first = np.unique(x, return_index=True)[1]
    return len(first) >= _fewest_units and bool((np.diff(first) > 0).all())


def _side_by_side(x: np.ndarray, different: np.ndarray) -> bool:
    """Whether rows of one value mostly follow each other."""
    return 1 + int(np.count_nonzero(np.diff(x))) <= min(1.2 * len(different), len(x) / 2)


def _is_scale(name: str) -> bool:
    return not SCALE.isdisjoint(words(name))
