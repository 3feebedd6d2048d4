"""Numbers that only count rows: 1, 2, 3 …, evenly spaced steps, counts that begin again, numbers of blocks of rows.

They measure nothing: another order of the rows, or another start, would give others. Every number from 1 to n once, in
any order, is the number of a row that was moved, or a rank, which says of a row only how many others come before it.
"""

from __future__ import annotations

import numpy as np

_fewest = 20  # rows from which an order is no chance
_fewest_from_one = 10  # when they count 0, 1, 2 … or 1, 2, 3 …
_most_items = 12  # a short count that begins again all the time names the items of each block


def counter(x: np.ndarray) -> tuple[str, str] | None:
    """("counter" | "code", why) for values in the order of the rows, without gaps; None if they count nothing."""
    if len(x) < _fewest_from_one:
        return None
    steps = np.diff(x)
    return _even(x, steps) or _in_blocks(x, steps) or _again(x, steps) or _each_once(x)


def _even(x: np.ndarray, steps: np.ndarray) -> tuple[str, str] | None:
    step = steps[0]
    last_bits = 4 * np.finfo(float).eps * np.abs(x).max()
    if step == 0 or not np.allclose(steps, step, rtol=1e-6, atol=last_bits):
        return None
    if abs(step) == 1 and (len(x) >= _fewest or x[0] in (0, 1)):
        return "counter", "whole numbers that only count the rows" + (f", from {x[0]:g} on" if x[0] > 1 else "")
    return ("counter", f"evenly spaced in the order of the rows (steps of {step:.6g})") if len(x) >= _fewest else None


def _each_once(x: np.ndarray) -> tuple[str, str] | None:
    low = x.min()
    if len(x) < _fewest or low not in (0, 1) or not np.array_equal(np.sort(x), low + np.arange(len(x))):
        return None
    return "counter", f"every whole number from {low:g} to {x.max():g} once: numbers of rows, or ranks"


def _again(x: np.ndarray, steps: np.ndarray) -> tuple[str, str] | None:
    """1, 2, 3, 1, 2, 3, 4, 1 …: one up, or back to where it began; some rows may have been left out."""
    low = x.min()
    starts = x[1:] == low
    if len(x) < _fewest or not starts.any() or not (steps == 1).any() or ((steps == 1) | starts).mean() < 0.98:
        return None
    lengths = np.diff(np.r_[0, np.flatnonzero(starts) + 1, len(x)])
    if lengths.mean() < 3:
        return None
    if len(set(lengths)) == 1 and lengths[0] <= _most_items:
        return "code", f"runs through {low:g} … {x.max():g} in every block of {lengths[0]} rows"
    return "counter", f"counts rows from {low:g} on and begins again {len(lengths) - 1} times"


def _in_blocks(x: np.ndarray, steps: np.ndarray) -> tuple[str, str] | None:
    """1, 1, 1, 2, 2, 2, 3, 3, 3 …: the number of a block of rows that belong together."""
    if len(x) < _fewest or (steps < 0).any() or not (x == np.floor(x)).all():
        return None
    lengths = np.diff(np.r_[0, np.flatnonzero(steps) + 1, len(x)])
    consecutive = steps.max() <= 1
    if len(lengths) < (3 if consecutive else _most_items + 1) or len(set(lengths)) != 1 or lengths[0] < 2:
        return None
    kind = "code" if len(lengths) <= _most_items else "counter"
    return kind, f"numbers {len(lengths)} blocks of {lengths[0]} rows that follow each other"
