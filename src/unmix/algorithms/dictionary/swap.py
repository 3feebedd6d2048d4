"""Swaps: an atom that is hardly missed goes to where it helps the most.

K-SVD moves atoms by little, so two atoms that share one true atom stay together, and one that stands between two true
atoms stays there.  What an atom is worth is known (swap_kernel.py), and a direction u that is missing shows in the
residuals: it gains Σ_i w_i max(<r_i, u>² - spare_i, 0), where spare_i is what the signal must give up to take it.  The
gain is climbed from residuals drawn by their energy, and an atom is given away as long as the gain is more than its
worth.  Unused and repeated atoms are worth nothing and go first.
"""

from __future__ import annotations

import numpy as np

from unmix.algorithms.rows.sample import rows_under
from unmix.algorithms.sparse_codes.dictionary import squared_norms
from unmix.algorithms.sparse_codes.orthogonal_matching_pursuit import as_integers
from unmix.core.linalg import power_of_two
from unmix.core.random import spawn

MOST_SIGNALS = 20_000  # signals the search looks at, at most
CLIMBS, STEPS = 2, 6
SHARE = 16  # at most every 16th atom in one go: those that stay need the next coding to settle


def swap_atoms(
    dictionary: np.ndarray,
    codes: np.ndarray,
    residuals: np.ndarray,
    stops: np.ndarray,
    weights: np.ndarray,
    seed: int,
    round_: int,
) -> tuple[np.ndarray, int]:
    """The dictionary with some atoms exchanged, and how many; the arguments are left as they are.

    A signal whose squared residual is down to its stop lacks nothing and has no say.
    """
    rng = spawn(seed, 1, round_)
    if len(residuals) > MOST_SIGNALS:
        drawn = rows_under(rng.random(MOST_SIGNALS), np.cumsum(weights))
        codes, residuals, stops, weights = codes[drawn], residuals[drawn], stops[drawn], np.ones(MOST_SIGNALS)
    worth, spare = removal_losses(dictionary, codes, residuals, weights)
    spare[squared_norms(residuals) <= stops] = np.inf
    dictionary, left, swapped = dictionary.copy(), residuals.copy(), 0
    for k in np.argsort(worth, kind="stable")[: max(len(dictionary) // SHARE, 1)]:
        atom, gain = missing_direction(left, weights, spare, rng)
        if gain <= worth[k] * (1 + 1e-9):
            break
        dictionary[k] = atom
        shares = left @ atom
        taken = np.where(shares * shares > spare, shares, 0).astype(left.dtype)
        left -= np.outer(taken, atom)
        swapped += 1
    return dictionary, swapped


def removal_losses(
    dictionary: np.ndarray, codes: np.ndarray, residuals: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """What is lost with each atom, and what each signal loses least."""
    from unmix.algorithms.dictionary.swap_kernel import losses

    row, spare = np.empty(len(dictionary), dictionary.dtype), np.empty(len(residuals))
    correlations, gram = residuals @ dictionary.T, dictionary @ dictionary.T
    worth = np.zeros(len(dictionary))
    losses(correlations, gram, codes["atom"], codes["value"], weights, row, *as_integers(row), spare, worth)
    return worth, spare


def missing_direction(
    residuals: np.ndarray, weights: np.ndarray, spare: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, float]:
    """The best of a few climbs of the gain, each from a residual drawn by its energy."""
    energy = np.einsum("ij,ij->i", residuals, residuals, dtype=np.float64) * weights
    reached = np.cumsum(energy)
    uniform = rng.random(CLIMBS)
    if not reached[-1] > 0:
        return residuals[0], 0.0
    found = [climb(residuals, weights, spare, residuals[i]) for i in rows_under(uniform, reached)]
    return max(found, key=lambda pair: pair[1])


def climb(residuals: np.ndarray, weights: np.ndarray, spare: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, float]:
    """Power steps over the signals that gain; the direction of length one and its gain."""
    atom = of_length_one(start)
    for step in range(STEPS + 1):
        shares = residuals @ atom
        gains = np.maximum(shares.astype(np.float64) ** 2 - spare, 0.0) * weights
        if step == STEPS or not gains.any():
            break
        pulls = np.where(gains > 0, shares * weights, 0)
        pulls *= power_of_two(float(np.abs(pulls).max()))  # only the direction matters, and no product overflows
        atom = of_length_one(pulls.astype(residuals.dtype) @ residuals)
    return atom, float(gains.sum())


def of_length_one(vector: np.ndarray) -> np.ndarray:
    """Whatever its size, as long as it is not zero."""
    scaled = vector * vector.dtype.type(power_of_two(float(np.abs(vector).max())))
    return np.asarray(scaled / np.linalg.norm(scaled))
