"""Access of several shapes with planted errors, some of them shared by two or three colleagues, and with habits.

A habit is a custom of some users with the same roles that no role holds: its grants are right. A wrong grant is given
to one user, or to two or three with the same roles; grants are taken away in the same way.
"""

from typing import NamedTuple

import numpy as np


class World(NamedTuple):
    """The table, which of its entries are wrong, and which are habits; all (users, permissions)."""

    X: np.ndarray
    wrong: np.ndarray
    habit: np.ndarray


def departments(rng: np.random.Generator) -> np.ndarray:
    """Groups of equal users: who holds which of the roles, one each, and their permissions."""
    sizes = rng.integers(8, 40, size=12)
    roles = rng.random((12, 90)) < 0.15
    return roles[np.repeat(np.arange(12), sizes)]


def overlapping(rng: np.random.Generator) -> np.ndarray:
    """Users with one or two of eight roles."""
    roles = rng.random((8, 90)) < 0.15
    held = np.zeros((300, 8))
    for row in held:
        row[rng.choice(8, rng.integers(1, 3), replace=False)] = 1
    return held @ roles > 0


def product(rng: np.random.Generator) -> np.ndarray:
    """What a department gives and what a site gives, and something for everybody."""
    n, departments, sites = 320, rng.random((6, 90)) < 0.1, rng.random((4, 90)) < 0.06
    common = rng.random(90) < 0.05
    return departments[rng.integers(6, size=n)] | sites[rng.integers(4, size=n)] | common


def popular(rng: np.random.Generator) -> np.ndarray:
    """A few roles that many hold and many that few hold, one to three a user."""
    roles, share = rng.random((15, 120)) < 0.1, rng.pareto(1.5, 15) + 0.3
    held = np.zeros((400, 15))
    for row in held:
        row[rng.choice(15, rng.integers(1, 4), replace=False, p=share / share.sum())] = 1
    return held @ roles > 0


SHAPES = {"departments": departments, "overlapping": overlapping, "product": product, "popular": popular}


def world(shape: str, seed: int, rate: float = 0.004, shared: int = 8, habits: int = 6) -> World:
    """Errors at a rate, ``shared`` more of each kind with colleagues, and so many habits of any share of a group."""
    rng = np.random.default_rng(seed)
    clean = SHAPES[shape](rng)
    groups = [g for g in peers(clean) if len(g) >= 6]
    habit, wrong = np.zeros(clean.shape, bool), rng.random(clean.shape) < np.where(clean, 5 * rate, rate)
    for _ in range(habits):
        group, j = groups[rng.integers(len(groups))], rng.integers(clean.shape[1])
        habit[group[rng.random(len(group)) < rng.random()], j] = True
    habit &= ~clean
    for granted in (False, True):
        for _ in range(shared):
            group = groups[rng.integers(len(groups))]
            some = np.flatnonzero(clean[group[0]] == granted)
            wrong[rng.choice(group, rng.integers(2, 4), replace=False), rng.choice(some)] = True
    wrong &= ~habit
    return World(np.where(wrong, ~clean, clean | habit), wrong, habit)


def peers(clean: np.ndarray) -> list[np.ndarray]:
    """Users who should have the same."""
    _, place = np.unique(clean, axis=0, return_inverse=True)
    return [np.flatnonzero(place == g) for g in range(place.max() + 1)]
