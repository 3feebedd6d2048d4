"""Whether chains have met, and how many independent draws theirs are worth.

    R-hat = sqrt( ((n-1)/n W + B/n) / W ),   W variance within half chains, B/n of their means
    effective sample size = m n / (1 + 2 Σ_t ρ_t),   ρ_t = 1 - (W - mean autocovariance at t) / ((n-1)/n W + B/n)

Both on normal scores of the ranks, so that heavy tails do not matter; R-hat also on distances from the median, which
shows chains of the same place and different widths.

References: Vehtari, Gelman, Simpson, Carpenter & Bürkner, Rank-normalization, folding, and localization, Bayesian
Analysis 16 (2021); Geyer, Practical Markov chain Monte Carlo, Statistical Science 7 (1992).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft
from scipy.special import ndtri


def r_hat(samples: Any) -> np.ndarray:
    """Rank-normalised split R-hat of every coordinate of samples (chains, steps, d): 1 where the chains agree.

    NaN for a coordinate that never changes, infinite for chains that each stay at a place of their own.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.sampling import r_hat
    >>> samples = np.random.default_rng(0).normal(size=(4, 500, 1))
    >>> r_hat(samples).round(2), bool(r_hat(samples + 3 * np.arange(4)[:, None, None])[0] > 2)
    (array([1.]), True)
    """
    return np.array([_r_hat_of_one(chains) for chains in _coordinates(samples)])


def effective_sample_size(samples: Any) -> np.ndarray:
    """Bulk effective sample size of every coordinate of samples (chains, steps, d); NaN where nothing changes.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.sampling import effective_sample_size
    >>> steps = np.random.default_rng(0).normal(size=(4, 5000, 1))
    >>> walk = np.zeros_like(steps)
    >>> for t in range(1, 5000):  # each point is 0.8 of the last and noise: worth (1 - 0.8) / (1 + 0.8) of a draw
    ...     walk[:, t] = 0.8 * walk[:, t - 1] + steps[:, t]
    >>> bool(abs(effective_sample_size(walk)[0] / (20_000 / 9) - 1) < 0.2)
    True
    """
    return np.array([_size_of_one(_normal_scores(_halves(chains))) for chains in _coordinates(samples)])


def _coordinates(samples: Any) -> Any:
    samples = np.asarray(samples, dtype=np.float64)
    if samples.ndim != 3 or samples.shape[1] < 4:
        raise ValueError(f"samples have shape {samples.shape}; give (chains, steps, d) with at least 4 steps")
    return np.moveaxis(samples, 2, 0)


def _halves(chains: np.ndarray) -> np.ndarray:
    """First and second halves as chains of their own: a drift shows as disagreement. An odd middle step is left out."""
    half = chains.shape[1] // 2
    return np.concatenate([chains[:, :half], chains[:, -half:]])


def _normal_scores(chains: np.ndarray) -> np.ndarray:
    """Normal quantiles of the ranks among all chains; ties share their mean rank."""
    _, place, counts = np.unique(chains, return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2
    return ndtri((ranks - 0.375) / (chains.size + 0.25))[place].reshape(chains.shape)


def _r_hat_of_one(chains: np.ndarray) -> float:
    halves = _halves(chains)
    folded = np.abs(halves - np.median(halves))
    return max(_ratio(_normal_scores(halves)), _ratio(_normal_scores(folded)))


def _ratio(chains: np.ndarray) -> float:
    n = chains.shape[1]
    within, between = chains.var(axis=1, ddof=1).mean(), chains.mean(axis=1).var(ddof=1)
    if within <= 1e-14 * between or within == 0:
        return np.inf if between > 0 else np.nan
    return float(np.sqrt((n - 1) / n + between / within))


def _size_of_one(chains: np.ndarray) -> float:
    m, n = chains.shape
    covariance = _mean_autocovariance(chains)
    within = covariance[0] * n / (n - 1)
    total = covariance[0] + chains.mean(axis=1).var(ddof=1)
    if total <= 0:
        return np.nan
    correlation = 1 - (within - covariance) / total
    correlation[0] = 1.0
    # Geyer: sums of neighbouring pairs are positive and fall, for chains in detailed balance; the rest is noise
    pairs = correlation[: n // 2 * 2].reshape(-1, 2).sum(axis=1)
    ends = np.flatnonzero(pairs <= 0)
    last = int(ends[0]) if len(ends) else len(pairs)
    monotone = np.minimum.accumulate(pairs[:last])
    rest = max(correlation[2 * last], 0.0) if 2 * last < n else 0.0  # half of the first pair left out, if positive
    length = max(2 * monotone.sum() - 1 + rest, 1 / np.log10(m * n))
    return float(m * n / length)


def _mean_autocovariance(chains: np.ndarray) -> np.ndarray:
    """At every lag, over all chains, by the Fourier transform."""
    n = chains.shape[1]
    length = next_fast_len(2 * n)
    power = np.zeros(length // 2 + 1)
    for chain in chains - chains.mean(axis=1, keepdims=True):
        power += np.abs(rfft(chain, length)) ** 2
    return irfft(power, length)[:n] / (n * len(chains))
