"""Error or habit: of M users with the same roles c have what no role of theirs grants; is that a mistake, or a custom?

A cell (group, permission) holds errors, or it is a habit with a rate of its own. Errors come to z = 1, 2 or 3
colleagues at once, M f_z such events in the mean, so that c is a compound Poisson number, given that no user is met
twice; a habit has any rate alike:

errors   p(c) q(c) up to a factor,   p(0) = 1,   p(c) = (M / c) Σ_z z f_z p(c - z),   q(c) = M! / ((M - c)! M^c),
habit    1 / (M + 1) for each c.

With single errors alone the first is the binomial law.

The f_z and the share of habits are those under which all cells are most likely (empirical Bayes), and

P(wrong | one) = P(errors | c, M) + P(habit | c, M) min(1, f (1 - s) / s),    f = Σ z f_z,    s = (c + 1) / (M + 2),

where the last term is the share of errors among the ones of a habit. Zeros that a role grants are judged alike.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import logsumexp

ALIKE = np.array([1, 2, 3])  # users with the same error: what more share is a habit, or several errors
MOST_STEPS = 200
CHANGE = 1e-4  # of all parameters together, relative: then they stay
PRIOR_HABITS = 0.5  # habits that are assumed before any is seen
PRIOR_EVENTS = np.array([0.5, 0.1, 0.1])  # errors of one user, of two and of three
LEAST_RATE = 1e-300
LEAST = -700.0  # of a logarithm of a probability
FAR = 12.0  # standard deviations above the mean, and as many ones: what is farther is as improbable
DOUBT = 0.2  # of one peer: what could speak for any entry and is not in the data


class Habits(NamedTuple):
    """``rates`` of events with one, two and three users for each user of a cell, ``share`` of habits among cells."""

    rates: tuple[float, ...]
    share: float

    @property
    def rate(self) -> float:
        """Errors for each user of a cell."""
        return float(ALIKE @ np.array(self.rates))

    def log_joint(self, ones: np.ndarray, users: np.ndarray) -> np.ndarray:
        """Logarithms of p(errors, c) and p(habit, c)."""
        ones, users = np.broadcast_arrays(np.asarray(ones, dtype=np.float64), np.asarray(users, dtype=np.float64))
        errors = log_errors(ones, users, self.rates)
        return np.stack([np.log1p(-self.share) + errors, np.log(self.share) - np.log1p(users)])

    def errors(self, ones: np.ndarray, users: np.ndarray) -> np.ndarray:
        """P(errors | c, M)."""
        errors, habit = self.log_joint(ones, users)
        return 1 / (1 + np.exp(np.minimum(habit - errors, 700.0)))

    def wrong(self, ones: np.ndarray, users: np.ndarray) -> np.ndarray:
        """P(wrong) of one of the ``ones`` among ``users``, itself among both."""
        errors = self.errors(ones, users)
        return errors + (1 - errors) * np.minimum(1.0, self.rate * (users - ones + 1) / (ones + 1))


def log_errors(ones: np.ndarray, users: np.ndarray, rates: tuple[float, ...]) -> np.ndarray:
    """Logarithm of the probability of c ones by errors; between whole c it is a line.

    >>> np.exp(log_errors(np.arange(4.0), np.full(4, 3.0), (0.25, 0.0, 0.0))).round(3).tolist()  # Bin(3, 1 / 5)
    [0.512, 0.384, 0.096, 0.008]
    """
    sizes, place = np.unique(users, return_inverse=True)
    return entries_of(np.maximum(log_law(log_weights(sizes, rates), sizes), LEAST), place, ones)


def log_law(weights: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Logarithms of probabilities from those of the p(c)."""
    table = weights + log_distinct(sizes, weights.shape[1])
    return np.asarray(table - logsumexp(table, axis=1, keepdims=True))


def entries_of(table: np.ndarray, place: np.ndarray, ones: np.ndarray) -> np.ndarray:
    """What a table says of sizes, given by their place in it, and of ones; beyond its end the last."""
    below, place = np.floor(ones).astype(np.intp), place.reshape(ones.shape)
    low, high = (table[place, np.minimum(k, table.shape[1] - 1)] for k in (below, below + (ones > below)))
    return np.asarray(low + (ones - below) * (high - low))


def log_weights(sizes: np.ndarray, rates: tuple[float, ...]) -> np.ndarray:
    """Logarithms of the p(c) of every size, up to where errors are most improbable in the largest."""
    f, largest = np.maximum(rates, LEAST_RATE), float(sizes.max(initial=0))
    most = int(largest * (ALIKE @ f) + FAR * np.sqrt(largest * (ALIKE**2 @ f)) + FAR)
    table = np.zeros((len(sizes), most + 1))
    steps, log_sizes = np.log(ALIKE * f), np.log(np.maximum(sizes, LEAST_RATE))
    for c in range(1, most + 1):
        last = table[:, [c - z for z in ALIKE if z <= c]]
        table[:, c] = log_sizes - np.log(c) + np.logaddexp.reduce(last + steps[: last.shape[1]], axis=1)
    return table


def log_distinct(sizes: np.ndarray, number: int) -> np.ndarray:
    """Logarithms of q(0), q(1), …: that so many of M users, each any, are all different."""
    share = 1 - np.arange(number - 1) / np.maximum(sizes, LEAST_RATE)[:, None]
    logs = np.log(np.maximum(share, LEAST_RATE))
    return np.concatenate([np.zeros((len(sizes), 1)), np.cumsum(logs, axis=1)], axis=1)


def surest(peers: np.ndarray) -> np.ndarray:
    """The most that so many peers can make sure: 1 - DOUBT / (peers + 2).

    >>> surest(np.array([0, 2, 18, 198])).tolist()
    [0.9, 0.95, 0.99, 0.999]
    """
    return 1 - DOUBT / (np.asarray(peers, dtype=np.float64) + 2)


def learn_habits(ones: np.ndarray, users: np.ndarray, count: np.ndarray | None = None) -> Habits:
    """The most likely rates and share for cells with ``ones`` among ``users``, each there ``count`` times (EM).

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
    rate = (float(count @ ones) + PRIOR_EVENTS[0]) / (float(count @ users) + 1)
    found = Habits((rate / 2, rate / 8, rate / 12), 0.1)
    for _ in range(MOST_STEPS):
        new = next_step(found, ones, users, count)
        if np.abs(np.append(new.rates, new.share) / np.append(found.rates, found.share) - 1).sum() < CHANGE:
            return new
        found = new
    return found


def next_step(now: Habits, ones: np.ndarray, users: np.ndarray, count: np.ndarray) -> Habits:
    """One step of EM: the events of each kind are to be as many as the law has for cells that hold errors."""
    errors = count * now.errors(ones, users)
    sizes, place = np.unique(users, return_inverse=True)
    weights, cells = log_weights(sizes, now.rates), np.bincount(place, weights=errors)
    law = cells[:, None] * np.exp(log_law(weights, sizes))
    rates = []
    for z, f, prior in zip(ALIKE, now.rates, PRIOR_EVENTS):
        events = np.zeros(weights.shape)  # of c ones, M f_z p(c - z) / p(c) come of it
        events[:, z:] = np.exp(
            np.log(np.maximum(sizes, LEAST_RATE))[:, None] + np.log(f) + weights[:, :-z] - weights[:, z:]
        )
        seen, expected = float(errors @ entries_of(events, place, ones)), float((law * events).sum())
        rates.append(f * (seen + prior) / (expected + f))
    share = (float(count.sum() - errors.sum()) + PRIOR_HABITS) / (float(count.sum()) + 1)
    return Habits(tuple(rates), share)
