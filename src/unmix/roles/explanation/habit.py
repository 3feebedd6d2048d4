"""Error or habit: of M users with the same roles c have what no role of theirs grants; is that noise, or a custom?

Noise gives a user the permission at a rate that is f on average, and varies little from cell (group, permission) to
cell: s ~ Beta(f ν, (1 - f) ν), ν = ∞ where errors are independent and less where they are copied from user to user. A
habit has a rate of its own, any rate as likely as another. With B the beta function, a cell has the likelihoods

p(c | noise) = B(c + f ν, M - c + (1 - f) ν) / B(f ν, (1 - f) ν),    p(c | habit) = B(c + 1, M - c + 1).

f, ν and the share h of habits are those under which all cells are most likely (empirical Bayes), and

P(wrong | one) = P(noise | c, M) + P(habit | c, M) min(1, f / s),    s = (c + 1) / (M + 2),

where the last term is the share of noise among the ones of a habit. Zeros that a role grants are judged alike.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import betaln

# ν that are tried. Noise reaches rates of some 2 / ν in a cell: what more than a quarter of a group has is a habit.
# Little evidence leaves the first, under which two or three of twenty are more probably errors than a habit.
SPREADS = (20.0, 10.0, 40.0, 100.0, 300.0, np.inf)
LEAST_GAIN = 1.0  # of log-likelihood: what another ν must gain
MOST_STEPS = 200
PRIOR_COUNT = 0.5  # habits and noisy entries that are assumed before any is seen


class Habits(NamedTuple):
    """``rate`` f of noise, ``share`` h of the cells that are habits, ``spread`` ν."""

    rate: float
    share: float
    spread: float = np.inf

    def log_joint(self, ones: np.ndarray, users: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Logarithms of p(noise, c) and p(habit, c)."""
        a, b = self.rate * self.spread, (1 - self.rate) * self.spread
        if np.isinf(self.spread):
            noise = ones * np.log(self.rate) + (users - ones) * np.log1p(-self.rate)
        else:
            noise = betaln(ones + a, users - ones + b) - betaln(a, b)
        return noise + np.log1p(-self.share), betaln(ones + 1, users - ones + 1) + np.log(self.share)

    def noise(self, ones: np.ndarray, users: np.ndarray) -> np.ndarray:
        """P(noise | c, M)."""
        noise, habit = self.log_joint(ones, users)
        return 1 / (1 + np.exp(np.minimum(habit - noise, 700.0)))

    def wrong(self, ones: np.ndarray, users: np.ndarray) -> np.ndarray:
        """P(wrong) of one of the ``ones`` among ``users``, itself among both."""
        noise = self.noise(ones, users)
        return noise + (1 - noise) * np.minimum(1.0, self.rate * (users + 2) / (ones + 1))


def learn_habits(ones: np.ndarray, users: np.ndarray, count: np.ndarray | None = None) -> Habits:
    """The most likely f, h and ν for cells with ``ones`` among ``users``, each there ``count`` times.

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
    best, most = Habits(1e-6, 1e-6), -np.inf
    for spread in SPREADS:
        found = iterate_shares(ones, users, count, spread)
        likelihood = float(count @ np.logaddexp(*found.log_joint(ones, users)))
        if likelihood > most + (LEAST_GAIN if best.spread == SPREADS[0] else 0.0):
            best, most = found, likelihood
    return best


def iterate_shares(ones: np.ndarray, users: np.ndarray, count: np.ndarray, spread: float) -> Habits:
    """EM for f and h at one ν; f is the mean over what is noise, which is unbiased whatever ν is."""
    total = float(count.sum())
    rate = (float(count @ ones) + PRIOR_COUNT) / (float(count @ users) + 1)
    found = Habits(min(rate, 0.5), 0.1, spread)
    for _ in range(MOST_STEPS):
        noise = count * found.noise(ones, users)
        rate = (float(noise @ ones) + PRIOR_COUNT) / (float(noise @ users) + 1)
        share = (total - float(noise.sum()) + PRIOR_COUNT) / (total + 1)
        new = Habits(min(rate, 0.5), share, spread)
        if abs(new.rate / found.rate - 1) + abs(new.share / found.share - 1) < 1e-5:
            return new
        found = new
    return found
