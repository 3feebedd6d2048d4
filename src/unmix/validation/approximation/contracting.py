"""Algorithms as contracting sets: after each step, which solutions could still come out?

    I(t) = log2 ( |C| |G_t(X') ∩ G_t(X'')| / (|G_t(X')| |G_t(X'')|) ),     G_0 = C ⊇ G_1 ⊇ G_2 ⊇ …

An algorithm run to its end names one solution, of noise in part. The step with the most bits is where to stop, and the
bits there say how much the algorithm draws from data, whatever it costs or minimises.
Reference: Gronskiy & Buhmann, How informative are minimum spanning tree algorithms?, IEEE ISIT (2014).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from unmix.validation.approximation.decoding import Candidates
from unmix.validation.approximation.sets import ApproximationSets, from_log_sizes


class CandidateSet(Protocol):
    """Solutions that are still possible, known by their number; `SpanningTrees` is one.

    Examples
    --------
    >>> class Below:                                    # the numbers below a bound
    ...     def __init__(self, bound):
    ...         self.bound, self.log_size = bound, float(np.log(bound))
    ...     def intersection(self, other):
    ...         return Below(min(self.bound, other.bound))
    >>> halve = lambda n: (Below(b) for b in (8, 4, n))
    >>> contracting_information(halve, 2, 2).curve
    array([0., 1., 2.])
    """

    @property
    def log_size(self) -> float:
        """Natural logarithm of the number of solutions, -inf for none."""

    def intersection(self, other: Any) -> CandidateSet:
        """Solutions in both sets."""


def contracting_information(
    algorithm: Callable[[Any], Iterable[CandidateSet]], first: Any, second: Any
) -> ApproximationSets:
    """Information an algorithm draws from data, step by step.

    Parameters
    ----------
    algorithm : function of one argument
        Yields its sets of candidates, from that of all solutions to the last. Anything will do that has `log_size` and
        `intersection`.
    first, second : what the algorithm takes
        Two measurements of the same objects.

    Returns
    -------
    ApproximationSets
        Levels are steps, 0 before the first. A run that ends earlier stays at its last set. `decode` draws a solution
        that is still possible in both runs at the best step, if sets can `sample(rng)` one of theirs.

    Notes
    -----
    Cost: both runs, and one count of the common solutions a step.

    References
    ----------
    Gronskiy and Buhmann, How informative are minimum spanning tree algorithms?, IEEE ISIT, 2014.

    Examples
    --------
    >>> from functools import partial
    >>> from unmix.validation import Graph, kruskal
    >>> weights = np.arange(10.0)
    >>> same = contracting_information(partial(kruskal, Graph.complete(5)), weights, weights)
    >>> bool(np.isclose(same.bits, np.log2(125))), same.best_level
    (True, 4.0)
    """
    one, two = list(algorithm(first)), list(algorithm(second))
    if not one or not two:
        raise ValueError("the algorithm yielded no set; let it begin with the set of all solutions")
    if not np.isclose(one[0].log_size, two[0].log_size):
        raise ValueError("the first sets of the two runs differ in size; let both begin with the set of all solutions")
    steps = max(len(one), len(two))
    one, two = (run + run[-1:] * (steps - len(run)) for run in (one, two))
    shared = [a.intersection(b) for a, b in zip(one, two)]
    common = [each.log_size for each in shared]
    first_sizes, second_sizes = ([each.log_size for each in run] for run in (one, two))
    sets = from_log_sizes(np.arange(steps), one[0].log_size, first_sizes, second_sizes, common)
    return replace(sets, members=Candidates(shared))
