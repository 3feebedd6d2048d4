"""A relation of two columns in a sentence: its direction where it has one, its shape, the levels it is about."""

from __future__ import annotations

import numpy as np

from unmix.exploration.associations.coding import Coded

MOSTLY = 0.5  # of the bits along a line: it rises or falls
LONGEST = 40  # characters of a level
CLEARLY_OTHER = 0.3  # correlation that is a direction; spreads between the mean of the middle and of both ends


def in_words(left: Coded, i: int, right: Coded, j: int, bits: float, linear: float, correlation: float) -> str:
    one, other = left.names[i], right.names[j]
    if left.levels[i] is None and right.levels[j] is None:
        direction = f"{one} {'rises' if correlation > 0 else 'falls'} with {other}"
        if linear >= MOSTLY * bits:
            return direction
        return f"{direction}, not evenly" if abs(correlation) >= CLEARLY_OTHER else _curved(left, i, right, j)
    if left.levels[i] is None:
        return _by_level(left, i, right, j)
    if right.levels[j] is None:
        return _by_level(right, j, left, i)
    return f"{one} goes with {other}"


def _by_level(numbers: Coded, i: int, levels: Coded, j: int) -> str:
    """Where the number is highest, among levels that are known by name."""
    names = levels.levels[j] or []
    codes, z = levels.codes[:, j], numbers.scores[:, i]
    means = [np.mean(z[(codes == c) & np.isfinite(z)]) if ((codes == c) & np.isfinite(z)).any() else -np.inf
             for c in range(len(names))]  # fmt: skip
    best = level_in_words(names[int(np.argmax(means))])
    if len(names) == 2:
        return f"{numbers.names[i]} is higher where {levels.names[j]} is {best}"
    return f"{numbers.names[i]} goes with {levels.names[j]}: highest for {best}"


def _curved(left: Coded, i: int, right: Coded, j: int) -> str:
    """The column that the other tells the mean of is said to bend along it."""
    ways = [(right, j, left, i), (left, i, right, j)]
    bent, k, along, m = max(ways, key=lambda way: _explained(*way))
    means = _means(bent, k, along, m)
    third = max(len(means) // 3, 1)
    low, middle, high = (
        means[:third].mean(),
        (means[third:-third] if len(means) > 2 else means).mean(),
        means[-third:].mean(),
    )
    if min(middle - low, middle - high) > CLEARLY_OTHER:
        where = "highest"
    elif max(middle - low, middle - high) < -CLEARLY_OTHER:
        where = "lowest"
    else:
        return f"{left.names[i]} goes with {right.names[j]}, along no line"
    return f"{bent.names[k]} is curved along {along.names[m]}: {where} in its middle"


def _means(bent: Coded, k: int, along: Coded, m: int) -> np.ndarray:
    given = (along.codes[:, m] >= 0) & np.isfinite(bent.scores[:, k])
    codes, z = np.unique(along.codes[given, m], return_inverse=True)[1], bent.scores[given, k]
    return np.asarray(np.bincount(codes, z) / np.bincount(codes))


def _explained(bent: Coded, k: int, along: Coded, m: int) -> float:
    return float(_means(bent, k, along, m).var())


def level_in_words(level: str) -> str:
    """Codes with many digits by six of them, long texts by their beginning."""
    try:
        return f"{float(level):.6g}" if len(level) > 8 else level
    except ValueError:
        return level if len(level) <= LONGEST else level[: LONGEST - 1] + "…"
