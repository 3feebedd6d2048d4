"""Error or habit: of M users with the same roles c have what no role of theirs grants; is that noise, or a custom?

A cell (group, permission) is one of three things. Errors come one by one at the rate f; or one was copied, so that a
few colleagues share it; or it is a habit with a rate of its own. With B the beta function, g(2) = 3/4 and
g(3) = 1/4 of two and three users with the same error, and Bin the binomial law, c users among M are as likely as

noise    Bin(c; M, f),
copied   Σ_z g(z) Bin(c - z; M - z, f),
habit    C(M, c) B(c + a, M - c + 1) / B(a, 1),    a = 1 for any rate alike, less where low ones are more common.

f, a and the shares of habits and of copies are those under which all cells are most likely (empirical Bayes), and

P(wrong | one) = P(noise or copied | c, M) + P(habit | c, M) min(1, f / s),    s = (c + a) / (M + a + 1),

where the last term is the share of noise among the ones of a habit. Zeros that a role grants are judged alike. What
copies and habits look like is known beforehand, how many there are is not: two of sixteen may be either.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import betaln, gammaln, logsumexp

COPIES = np.array([2, 3])  # users with the same error: what more share is a habit, or errors one by one as well
LOG_COPIES = np.log([0.75, 0.25])
SHAPES = (1.0, 0.5, 0.25)  # a that are tried, the first unless another gains
LEAST_GAIN = 1.0  # of log-likelihood: what another a must gain
MOST_STEPS = 200
PRIOR_COUNT = 0.5  # habits and noisy entries that are assumed before any is seen
PRIOR_COPIES = 0.1
DOUBT = 0.2  # of one peer: what could speak for any entry and is not in the data


class Habits(NamedTuple):
    """``rate`` f of noise, ``share`` of habits among cells, ``copied`` of cells with a shared error, ``shape`` a."""

    rate: float
    share: float
    copied: float = 0.0
    shape: float = 1.0

    def log_joint(self, ones: np.ndarray, users: np.ndarray) -> np.ndarray:
        """Logarithms of p(noise, c), p(copied, c) and p(habit, c), each of one order of the users."""
        ones, users = np.broadcast_arrays(np.asarray(ones, dtype=np.float64), np.asarray(users, dtype=np.float64))
        noise = ones * np.log(self.rate) + (users - ones) * np.log1p(-self.rate)
        habit = betaln(ones + self.shape, users - ones + 1) - betaln(self.shape, 1)
        with np.errstate(divide="ignore"):
            prior = np.log([max(1 - self.share - self.copied, 0.0), self.copied, self.share])
        parts = (noise, log_copied(ones, users, self.rate), habit)
        return np.stack([part + weight for part, weight in zip(parts, prior)])

    def noise(self, ones: np.ndarray, users: np.ndarray) -> np.ndarray:
        """P(noise or copied | c, M)."""
        noise, copied, habit = self.log_joint(ones, users)
        return 1 / (1 + np.exp(np.minimum(habit - np.logaddexp(noise, copied), 700.0)))

    def wrong(self, ones: np.ndarray, users: np.ndarray) -> np.ndarray:
        """P(wrong) of one of the ``ones`` among ``users``, itself among both."""
        noise, a = self.noise(ones, users), self.shape
        return noise + (1 - noise) * np.minimum(1.0, self.rate * (users + a + 1) / (ones + a))


def log_copied(ones: np.ndarray, users: np.ndarray, rate: float) -> np.ndarray:
    """Logarithm of the likelihood of a cell in which an error was copied, of one order of the users."""
    beside, others = ones[..., None] - COPIES, users[..., None] - COPIES
    possible = (beside > -0.5) & (others > -0.5) & (others - beside > -0.5)
    k, m = np.where(possible, np.maximum(beside, 0.0), 0.0), np.where(possible, np.maximum(others, 0.0), 0.0)
    k = np.minimum(k, m)
    terms = LOG_COPIES + log_choose(m, k) + k * np.log(rate) + (m - k) * np.log1p(-rate)
    with np.errstate(divide="ignore"):
        return logsumexp(np.where(possible, terms, -np.inf), axis=-1) - log_choose(users, ones)


def log_choose(n: np.ndarray, k: np.ndarray) -> np.ndarray:
    return gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)


def surest(peers: np.ndarray) -> np.ndarray:
    """The most that so many peers can make sure: 1 - DOUBT / (peers + 2).

    >>> surest(np.array([0, 2, 18, 198])).tolist()
    [0.9, 0.95, 0.99, 0.999]
    """
    return 1 - DOUBT / (np.asarray(peers, dtype=np.float64) + 2)


def learn_habits(ones: np.ndarray, users: np.ndarray, count: np.ndarray | None = None) -> Habits:
    """The most likely f, a and shares for cells with ``ones`` among ``users``, each there ``count`` times.

    Examples
    --------
    >>> import numpy as np
    >>> ones, users = np.array([0, 1, 2, 30]), np.full(4, 40.0)
    >>> found = learn_habits(ones, users, count=np.array([900, 80, 10, 10]))
    >>> 0.002 < found.rate < 0.004, 0.005 < found.share < 0.02
    (True, True)
    >>> found.wrong(np.array([1, 2, 30]), np.full(3, 40.0)) > 0.5
    array([ True,  True, False])
    """
    cells, place = np.unique(np.round(np.column_stack([ones, users]), 6), axis=0, return_inverse=True)
    count = np.bincount(place.ravel(), weights=count, minlength=len(cells))
    ones, users = cells.T
    best, most = Habits(1e-6, 1e-6, 1e-6), -np.inf
    for shape in SHAPES:
        found = iterate_shares(ones, users, count, shape)
        likelihood = float(count @ logsumexp(found.log_joint(ones, users), axis=0))
        if likelihood > most + (LEAST_GAIN if best.shape == SHAPES[0] else 0.0):
            best, most = found, likelihood
    return best


def iterate_shares(ones: np.ndarray, users: np.ndarray, count: np.ndarray, shape: float) -> Habits:
    """EM for f and the shares at one a; f is the mean over what is noise and nothing else."""
    total = float(count.sum())
    rate = (float(count @ ones) + PRIOR_COUNT) / (float(count @ users) + 1)
    found = Habits(min(rate, 0.5), 0.1, 0.05, shape)
    for _ in range(MOST_STEPS):
        joint = found.log_joint(ones, users)
        noise, copied, habit = count * np.exp(joint - logsumexp(joint, axis=0))
        rate = (float(noise @ ones) + PRIOR_COUNT) / (float(noise @ users) + 1)
        share = (float(habit.sum()) + PRIOR_COUNT) / (total + 1)
        shared = (float(copied.sum()) + PRIOR_COPIES) / (total + 1)
        new = Habits(min(rate, 0.5), share, shared, shape)
        if sum(abs(a / b - 1) for a, b in zip(new[:3], found[:3])) < 1e-5:
            return new
        found = new
    return found
