"""Guesses of all ranks in turn, rounded at all cuts at once and compared with the truth."""

from typing import Any

import numpy as np

from unmix.core.compiled.kernel import kernel


@kernel
def tally(truth: Any, weights: Any, scores: Any, known: Any, cuts: Any, granted: Any, squares: Any) -> None:
    """The guess of rank k + 1 is the sum of the products of ``scores`` (users, ranks) and ``known`` (ranks, entries).

    ``granted`` (ranks, cuts + 1) gets, by the number of cuts below the guess, the weight of zeros less that of ones;
    ``squares`` (ranks,) the squared differences.
    """
    n, d = truth.shape
    last = len(cuts) - 1
    for i in range(n):
        guess = np.zeros(d)
        for k in range(scores.shape[1]):
            score, total = scores[i, k], 0.0
            for j in range(d):
                guess[j] += score * known[k, j]
                total += (guess[j] - truth[i, j]) ** 2
                below = 0
                if guess[j] > cuts[last]:
                    below = last + 1
                else:  # most guesses are below all cuts
                    while guess[j] > cuts[below]:
                        below += 1
                granted[k, below] += weights[i] * (1.0 - 2.0 * truth[i, j])
            squares[k] += weights[i] * total
