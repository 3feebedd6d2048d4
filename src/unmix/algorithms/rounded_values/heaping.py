"""Heaping: values of which many were rounded to a coarser step than the others, as weights given to 50 g among 25 g.

On a lattice of step s a share h rounded to every m-th value, at residue r, has the rows of residue r mod m weigh

    p = h + (1 - h) / m   against   q = (1 - h) / m   at every other residue,   so   p - q = h.

q is taken as the largest of the others, so that what stands at every 10th value is not taken for heaps at every 20th.
Heaps must stand out from what lies between them, one after the other (a sign test), and none of them alone may make up
the share: a law that is lumpy by itself, as of small counts or of many zeros, is not heaped.
Reference: Roberts & Brewer, Measures and tests of heaping in discrete quantitative distributions, J. Applied
Statistics 28 (2001).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import bdtrc

HEAPED_SHARE = 0.25  # of the rows; heaps at every second value are then by two thirds higher than what is between
HIGHER_SHARE = 0.85  # of the heaps are higher than what is about them; of every 5th value, if tens are heaped, fewer
CHANCE = 0.01  # of a sign test on a law that is not heaped
LEAST_WEIGHT = 0.25  # of the mean weight about a heap; where there is less, as in tails, single rows would decide
MOST_MULTIPLES = 120  # all are tried up to here, beyond only those that make a round step
MOST_POINTS = 2**20  # of the fine lattice
DIGITS = (1.0, 2.0, 2.5, 5.0)  # that round steps begin with


class Heaps(NamedTuple):
    """Every ``multiple``-th point of the lattice, from ``first`` on."""

    multiple: int
    first: int


def find_heaps(places: np.ndarray, weights: np.ndarray, step: float) -> Heaps | None:
    """The coarsest heaping of weights at whole places from 0 on, ``step`` apart; None where there is none."""
    length = int(places.max()) + 1
    if length > MOST_POINTS:
        return None
    counts = np.bincount(places, weights, length)
    heaviest, total = int(np.argmax(counts)), counts.sum()
    for multiple in sorted(multiples(length, step), reverse=True):
        residues = np.bincount(np.arange(length) % multiple, counts, multiple) / total
        first = int(np.argmax(residues))
        share = residues[first] - np.delete(residues, first).max()
        alone = counts[heaviest] / total if heaviest % multiple == first else 0.0
        if share >= HEAPED_SHARE and share - alone >= HEAPED_SHARE / 2 and stand_out(counts, multiple, first):
            return Heaps(multiple, first)
    return None


def multiples(length: int, step: float) -> set[int]:
    """Numbers of fine steps that a coarse one may have, and still be there seven times, as the sign test needs."""
    most = length // 7
    small = set(range(2, min(most, MOST_MULTIPLES) + 1))
    tens = 10.0 ** np.arange(np.floor(np.log10(step)), np.ceil(np.log10(step * max(most, 1))) + 1)
    wanted = np.multiply.outer(tens, DIGITS).ravel() / step
    whole = np.abs(wanted - np.rint(wanted)) < 1e-6 * wanted
    return small | {int(m) for m in np.rint(wanted[whole]) if 2 <= m <= most}


def stand_out(counts: np.ndarray, multiple: int, first: int) -> bool:
    """Whether heaps are higher than the mean of what lies between them and the next, more often than chance makes."""
    reached = np.append(0.0, np.cumsum(counts))
    heaps = np.arange(first, len(counts), multiple)
    low, high = np.maximum(heaps - multiple + 1, 0), np.minimum(heaps + multiple, len(counts))
    about = reached[high] - reached[low]
    between = (about - counts[heaps]) / np.maximum(high - low - 1, 1)
    clear = (about >= LEAST_WEIGHT * about.mean()) & (counts[heaps] != between)
    higher, compared = int((clear & (counts[heaps] > between)).sum()), int(clear.sum())
    return bool(higher >= HIGHER_SHARE * compared and bdtrc(higher - 1, compared, 0.5) < CHANCE)
