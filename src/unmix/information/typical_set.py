"""The typical set: few of the sequences of n letters, and nearly all of their probability.

    A = { s : |-(1/n) log p(s) - H| ≤ ε },      P(A) 2^{n(H-ε)} ≤ |A| ≤ 2^{n(H+ε)},      P(A) -> 1 as n grows

Sequences with the same counts of letters have the same probability, so size and mass are sums over types (counts),
of which there are polynomially many; letters of the same probability count as one.
Reference: Cover & Thomas, Elements of Information Theory, chapters 3 and 11 (2006).
"""

from __future__ import annotations

from math import comb
from typing import Any, NamedTuple

import numpy as np
from scipy.special import gammaln, logsumexp

from unmix.core.arguments import whole_number, zero_or_more
from unmix.information.distribution import as_distribution, units, x_log_x

MOST_TYPES = 5_000_000
ROUNDING = 1e-12


class TypicalSet(NamedTuple):
    """Typical sequences; sizes as logarithms to ``base``, for they have hundreds of digits.

    Attributes
    ----------
    n, epsilon, base : as given
    entropy : H of a letter
    mass : P(A)
    log_size : log |A|
    log_total : log of the number of all sequences of letters that occur
    log_p : (m,), log p(x), -inf for letters that never occur

    Examples
    --------
    >>> coin = typical_set([0.5, 0.5], 8, 0.1)          # all sequences of a fair coin are typical
    >>> round(coin.mass, 9), round(coin.log_size, 9), coin.contains([0] * 8)
    (1.0, 8.0, True)
    """

    n: int
    epsilon: float
    entropy: float
    mass: float
    log_size: float
    log_total: float
    base: float
    log_p: np.ndarray

    @property
    def log_bounds(self) -> tuple[float, float]:
        """log((1 - ε) 2^{n(H-ε)}) and log 2^{n(H+ε)}; the lower one holds once P(A) ≥ 1 - ε."""
        share = np.log(1 - self.epsilon) / np.log(self.base) if self.epsilon < 1 else -np.inf
        return float(share + self.n * (self.entropy - self.epsilon)), self.n * (self.entropy + self.epsilon)

    def contains(self, sequence: Any) -> bool:
        """Whether a sequence of n letters, numbered as in p, is typical."""
        letters = np.asarray(sequence)
        known = letters.dtype.kind in "iu" and letters.shape == (self.n,)
        if not known or (letters < 0).any() or (letters >= len(self.log_p)).any():
            raise ValueError(f"sequence needs {self.n} whole numbers from 0 to {len(self.log_p) - 1}, letters of p")
        surprise = -float(self.log_p[letters].sum()) / self.n
        return bool(abs(surprise - self.entropy) <= self.epsilon + ROUNDING)


def typical_set(p: Any, n: int, epsilon: float, *, base: float = 2.0) -> TypicalSet:
    """The typical set of sequences of n independent letters: exact size and probability, by types.

    Parameters
    ----------
    p : array-like of shape (m,)
        Law of a letter, as probabilities or counts.
    n : int
        Letters in a sequence. The number of types, C(n + g - 1, g - 1) for g different probabilities, must not exceed
        five million: any n up to millions for two, n = 300 for four.
    epsilon : float
        How far the surprise a letter may be from the entropy, in units of ``base``.
    base : float, default=2
        2 counts in bits, numpy.e in nats.

    References
    ----------
    Cover and Thomas, Elements of Information Theory, 2006, chapters 3 and 11.

    Examples
    --------
    A coin of 0.1: of all 2^1000 sequences 2^556 carry nearly all the probability.

    >>> coin = typical_set([0.9, 0.1], 1000, 0.1)
    >>> round(coin.mass, 3), round(coin.log_size), round(coin.log_total)
    (0.999, 556, 1000)
    """
    law, unit = as_distribution(p), units(base)
    if law.ndim != 1:
        raise ValueError(f"p has {law.ndim} dimensions; give the distribution of one letter, joint ones flattened")
    n, epsilon = whole_number("n", n), zero_or_more("epsilon", epsilon)
    values, letters = _levels(law[law > 0])
    log_count, log_probability = _types(np.log(values), letters, int(n))
    entropy = -float(x_log_x(law).sum())
    typical = np.abs(-log_probability / n - entropy) <= epsilon * unit + ROUNDING
    size = float(logsumexp(log_count[typical])) if typical.any() else float("-inf")
    mass = float(np.exp(log_count[typical] + log_probability[typical]).sum())
    with np.errstate(divide="ignore"):
        log_p = np.log(law) / unit
    log_total = n * float(np.log(letters.sum())) / unit
    return TypicalSet(int(n), float(epsilon), entropy / unit, min(1.0, mass), size / unit, log_total, base, log_p)


def _levels(law: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Different probabilities, and how many letters have each; what differs by rounding is equal."""
    ordered = np.sort(law)
    first = np.append(True, np.diff(ordered) > 1e-13 * ordered[1:])
    return ordered[first], np.diff(np.append(np.flatnonzero(first), len(ordered)))


def _types(log_p: np.ndarray, letters: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """For all counts (n_1, …, n_g) that add up to n: log of n! Π letters_j^n_j / n_j!, and Σ n_j log p_j."""
    groups = len(log_p)
    if comb(n + groups - 1, groups - 1) > MOST_TYPES:
        raise ValueError(
            f"n={n} with {groups} different probabilities has more than {MOST_TYPES:,} types; take a smaller n, or "
            "join letters of nearly equal probability"
        )
    left, log_count, log_probability = np.array([n]), np.array([gammaln(n + 1.0)]), np.zeros(1)
    for j in range(groups):
        last = j == groups - 1
        choices = np.ones_like(left) if last else left + 1
        parent = np.repeat(np.arange(len(left)), choices)
        within = np.arange(len(parent)) - np.repeat(np.cumsum(choices) - choices, choices)
        taken = left[parent] if last else within
        log_count = log_count[parent] + taken * np.log(letters[j]) - gammaln(taken + 1.0)
        log_probability = log_probability[parent] + taken * log_p[j]
        left = left[parent] - taken
    return log_count, log_probability
