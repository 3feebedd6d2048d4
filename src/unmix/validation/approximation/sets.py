"""Approximation sets: how precisely may a solution be chosen before the choice no longer repeats on other data?

    C_γ(X) = { c : R(c, X) ≤ min R(., X) + γ },     I(γ) = log2 ( |C| |C_γ(X') ∩ C_γ(X'')| / (|C_γ(X')| |C_γ(X'')|) )

X' and X'' are two measurements of the same objects. A small γ names few solutions, but others on X'' than on X'; a
large one repeats but says nothing. The best γ balances both, and I there is the information the cost draws from data.

|C_γ(X')| |C_γ(X'')| / |C| is what two such sets share by chance, if one may be moved to any place among all solutions.
Where it may only be moved by putting the objects in another order, the sizes of clusters, the type t, stay, and it is

    Σ_t |C_γ,t(X')| |C_γ,t(X'')| / |C_t|,     C_t all solutions of the type t.

Reference: Buhmann, Information theoretic model validation for clustering, IEEE ISIT (2010).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from unmix.validation.approximation.decoding import CommonSets, ListedSolutions

ROUNDING = 1e-9  # of the range of costs: relabelled clusterings cost the same, up to the order of additions


@dataclass(frozen=True, eq=False)
class ApproximationSets:
    """Information at every level of precision; all sizes as log2.

    Attributes
    ----------
    levels : the γ of a cost, or the steps of an algorithm
    curve : information at each level, in bits; -inf where the two sets have nothing in common
    first, second, common : log2 sizes of the sets of X', of X'', and of what they share
    total : log2 of the number of all solutions
    rows : bits of each object at the best level, where they can be told; they add up to `bits`
    members : of what the sets share, where solutions can be drawn from it; see `decode`
    """

    levels: np.ndarray
    curve: np.ndarray
    first: np.ndarray
    second: np.ndarray
    common: np.ndarray
    total: float
    rows: np.ndarray | None = None
    members: CommonSets | None = None

    @property
    def best(self) -> int:
        """Where the information is greatest; the coarsest of equals."""
        top = np.flatnonzero(self.curve >= self.bits - 1e-9)
        return int(top[self.common[top].argmax()])

    @property
    def bits(self) -> float:
        """The information at the best level, at least 0: the set of all solutions says nothing, and is a level."""
        return float(self.curve.max())

    @property
    def best_level(self) -> float:
        return float(self.levels[self.best])

    def decode(
        self, n_solutions: int | None = None, *, step: int | None = None, random_state: Any = None
    ) -> np.ndarray:
        """Solutions drawn from what both sets share at the best level, the last step of approximation set coding.

        Parameters
        ----------
        n_solutions : int, optional
            How many, drawn independently of each other; by default one, without an axis for their number.
        step : int, optional
            The position of another level in `levels`.
        random_state : int, Generator or None

        Returns
        -------
        numpy.ndarray
            Numbers of solutions in the order of the costs given (`approximation_sets`), labellings
            (`ApproximationSetCoding.measure`) or the numbers of the edges of a tree (`contracting_information`).

        Notes
        -----
        Listed solutions and trees are drawn with equal probabilities. Of labellings that were counted by entropies
        or by sampling, draws are as even as the count is exact.

        Examples
        --------
        >>> sets = approximation_sets([0, 1, 9, 9], [1, 0, 9, 9])
        >>> sets.best_level, np.unique(sets.decode(100, random_state=0))
        (1.0, array([0, 1]))
        """
        if self.members is None:
            raise TypeError("the solutions behind these sets were not kept; call measure on the pair of samples itself")
        if not (n_solutions is None or (isinstance(n_solutions, int | np.integer) and n_solutions >= 1)):
            raise ValueError(f"n_solutions={n_solutions!r}: give a whole number from 1 up, or None for one solution")
        level = self.best if step is None else range(len(self.levels))[step]
        if not np.isfinite(self.common[level]):
            raise ValueError(
                f"the two sets share no solution at step {level}; give a later step of a cost, or an earlier "
                "one of an algorithm"
            )
        found = self.members.sample(level, int(n_solutions or 1), np.random.default_rng(random_state))
        return found[0] if n_solutions is None else found


def from_log_sizes(
    levels: Any, total: float, first: Any, second: Any, common: Any, by_chance: Any = None
) -> ApproximationSets:
    """The information at each level from natural logarithms of the sizes, and of what sets share by chance."""
    one, two, both = (np.asarray(part, dtype=np.float64) / np.log(2) for part in (first, second, common))
    chance = one + two - total / np.log(2) if by_chance is None else np.asarray(by_chance) / np.log(2)
    curve = np.full(len(both), -np.inf)
    shared = np.isfinite(both)
    curve[shared] = both[shared] - chance[shared]
    return ApproximationSets(np.asarray(levels, dtype=np.float64), curve, one, two, both, total / np.log(2))


def approximation_sets(first: Any, second: Any, types: Any = None) -> ApproximationSets:
    """Exact information content, from the costs of every solution under X' and under X''.

    Parameters
    ----------
    first, second : array-like of shape (m,)
        R(c, X') and R(c, X'') of all m solutions, in the same order.
    types : array-like of shape (m,), optional
        A number for each solution, the same where one is the other with its objects in another order; see `types_of`.

    Returns
    -------
    ApproximationSets
        One level for every γ at which a set grows.

    Examples
    --------
    Of eight solutions both data sets prefer the same one, by far: log2(8) bits.

    >>> sets = approximation_sets([0, 9, 9, 9, 9, 9, 9, 9], [1, 9, 9, 9, 9, 9, 9, 9])
    >>> sets.bits, sets.best_level
    (3.0, 0.0)
    """
    one, two = (np.asarray(costs, dtype=np.float64) for costs in (first, second))
    if one.ndim != 1 or one.shape != two.shape or one.size == 0:
        raise ValueError(f"first and second have shapes {one.shape} and {two.shape}; give one cost for each solution")
    if not (np.isfinite(one).all() and np.isfinite(two).all()):
        raise ValueError("first or second holds NaN or infinity; leave out solutions that are not allowed, in both")
    one, two = one - one.min(), two - two.min()
    values = np.sort(np.concatenate([one, two]))
    levels = values[np.append(np.diff(values) > ROUNDING * values[-1], True)]  # the last of values that are one value
    sizes = [
        np.log(np.maximum(np.searchsorted(np.sort(excess), levels, side="right"), 1))
        for excess in (one, two, np.maximum(one, two))
    ]
    excess = np.maximum(one, two)
    empty = levels < excess.min()
    sizes[2][empty] = -np.inf
    by_chance = None if types is None else _shared(one, two, types, levels)
    sets = from_log_sizes(levels, np.log(one.size), sizes[0], sizes[1], sizes[2], by_chance)
    return replace(sets, members=ListedSolutions(levels, excess))


def _shared(one: np.ndarray, two: np.ndarray, types: Any, levels: np.ndarray) -> np.ndarray:
    """log Σ_t N'_t N''_t / M_t at each level."""
    types = np.asarray(types)
    if types.shape != one.shape:
        raise ValueError(f"types has shape {types.shape} and first {one.shape}; give one type for each solution")
    order = np.argsort(types, kind="stable")
    total = np.zeros(len(levels))
    for part in np.split(order, np.flatnonzero(np.diff(types[order])) + 1):
        below = [np.searchsorted(np.sort(excess[part]), levels, side="right") for excess in (one, two)]
        total += below[0] * below[1] / len(part)
    return np.log(np.maximum(total, 1e-300))


def types_of(labellings: np.ndarray, k: int) -> np.ndarray:
    """A number for each labelling (rows), the same where k clusters have the same sizes, by name.

    >>> types_of(np.array([[0, 0, 1], [1, 0, 0], [1, 1, 0]]), 2).tolist()
    [1, 1, 0]
    """
    sizes = np.stack([(labellings == c).sum(axis=1) for c in range(k)], axis=1)
    return np.unique(sizes, axis=0, return_inverse=True)[1].ravel()
