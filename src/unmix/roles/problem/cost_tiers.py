"""Costs without a unit: whole numbers where their ratios are simple, in tiers where some outweigh all others together.

A solver of integer programmes works to absolute tolerances (about 1e-6 in costs and in constraints), so what it proves
depends on the unit of the costs and on the decades between them. Written as multiples of the smallest one, costs are
whole numbers k_j in most cases, and two answers differ by 1 or not at all. Where all cheap things together cost less
than the least difference between two answers in the dear ones,

    Σ_{j cheap} c_j < gcd of the dear costs,

the dear ones are settled first and the cheap ones among the answers that are best in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, inf, isfinite, lcm
from typing import NamedTuple

import numpy as np

# Costs of one programme span at most this: its tolerances times the largest are then far below the smallest.
SAFE_FACTOR = 1 << 16
LARGEST_DENOMINATOR = 1000  # largest denominator of a simple ratio
LARGEST_WEIGHT = 1 << 500  # so that sums of many stay finite
ROUNDING = Fraction(1, 1 << 50)  # relative error of a ratio of two rounded numbers


class Tier(NamedTuple):
    """Costs as the solver gets them, what 1 of them is worth, whether they are whole, and whether it can be sure."""

    cost: np.ndarray
    unit: Fraction
    whole: bool
    sure: bool


def multiples(values: Sequence[float]) -> list[Fraction]:
    """Finite values as multiples of the smallest positive one; simple ratios are freed of rounding.

    >>> [str(k) for k in multiples([0.1, 0.3, 0.0, 0.25])]
    ['1', '3', '0', '5/2']
    """
    least = Fraction(min((value for value in values if value > 0), default=1.0))
    return [_simple(Fraction(value) / least) for value in values]


def _simple(ratio: Fraction) -> Fraction:
    near = ratio.limit_denominator(LARGEST_DENOMINATOR)
    return near if abs(near - ratio) <= ratio * ROUNDING else ratio


def ratios(weights: Sequence[float]) -> tuple[float, ...]:
    """Weights in units of the smallest positive one, for a search; infinite ones stay so.

    Where they are too far apart for that, in units that keep the largest within bounds.

    >>> ratios((2e-7, 1e-7, 0.0, inf, 3e-7))
    (2.0, 1.0, 0.0, inf, 3.0)
    """
    found = multiples([w for w in weights if isfinite(w)])
    shrink = max([Fraction(1), *(amount / LARGEST_WEIGHT for amount in found)])
    rest = iter(found)
    return tuple(float(next(rest) / shrink) if isfinite(w) else inf for w in weights)


def unit_free(weights: Sequence[float]) -> tuple[float, ...]:
    """Weights for a programme: in units of the smallest if they can be, else as they are, so that none is rounded."""
    found = ratios(weights)
    return found if all(w < LARGEST_WEIGHT for w in found if w < inf) else tuple(weights)


def total(weights: Sequence[float], counts: Sequence[int]) -> Fraction | float:
    """Σ w n without rounding; what does not occur costs nothing, whatever its weight."""
    if any(w == inf for w, n in zip(weights, counts) if n):
        return inf
    return sum((Fraction(w) * int(n) for w, n in zip(weights, counts) if n), Fraction(0))


def rounded(amount: Fraction | float) -> float:
    """As a number of the machine, infinite beyond the largest."""
    try:
        return float(amount)
    except OverflowError:
        return inf


def bound_below(value: Fraction | float, bound: Fraction | float) -> float:
    """The bound as a number that equals the value's only where the two are equal before rounding."""
    close = bound < value and rounded(bound) == rounded(value)
    return float(np.nextafter(rounded(value), -inf)) if close else rounded(bound)


def tiers(cost: np.ndarray) -> list[Tier]:
    """The costs, dearest tier first; one tier where they span little."""
    values, which = np.unique(cost, return_inverse=True)
    amounts, counts = multiples(values.tolist()), np.bincount(which, minlength=values.size).tolist()
    scale = lcm(*(amount.denominator for amount in amounts))
    whole = [int(amount * scale) for amount in amounts]
    worth = Fraction(min((value for value in values.tolist() if value > 0), default=1.0)) / scale
    found = []
    for group in _groups(whole, counts):
        own = [k if j in group else 0 for j, k in enumerate(whole)]
        found.append(_tier(own, which, worth))
    return found


def _groups(whole: list[int], counts: list[int]) -> list[set[int]]:
    """Positions of rising costs in groups, dearest first: each outweighs all that come after it.

    As few groups as may be: what is close enough for one programme stays together.
    """
    below = [0]
    for k, count in zip(whole, counts):
        below.append(below[-1] + k * count)
    parts: list[set[int]] = [{len(whole) - 1}]
    for j in range(len(whole) - 2, -1, -1):
        if below[j + 1] < gcd(*(whole[i] for i in parts[-1])):
            parts.append(set())
        parts[-1].add(j)
    groups = parts[:1]
    for part in parts[1:]:
        together = [whole[i] for i in groups[-1] | part]
        if max(together) <= SAFE_FACTOR * max(1, gcd(*together)):
            groups[-1] |= part
        else:
            groups.append(part)
    return groups


def _tier(own: list[int], which: np.ndarray, worth: Fraction) -> Tier:
    divisor, largest = max(1, gcd(*own)), max(own)
    if largest <= SAFE_FACTOR * divisor:
        cost = np.array([k // divisor for k in own], float)
        return Tier(cost[which], worth * divisor, whole=True, sure=True)
    # The largest becomes 2²⁰, so that the solver's tolerance is small beside the smallest.
    unit = Fraction(largest, 1 << 20)
    cost = np.array([float(k / unit) for k in own])
    return Tier(cost[which], worth * unit, whole=False, sure=largest <= SAFE_FACTOR * min(k for k in own if k))
