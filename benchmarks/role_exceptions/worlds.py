"""Access of several shapes with planted errors, alone or shared by colleagues, and with habits.

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


class Mixture(NamedTuple):
    """Errors for 100 grants, in each direction; colleagues who share one, each number alike often; habits."""

    errors: float
    alike: tuple[int, ...]
    habits: int


def departments(rng: np.random.Generator) -> np.ndarray:
    """Groups of equal users: who holds which of the roles, one each, and their permissions."""
    sizes = rng.integers(8, 40, size=12)
    roles = rng.random((12, 90)) < 0.15
    return roles[np.repeat(np.arange(12), sizes)]


def overlapping(rng: np.random.Generator) -> np.ndarray:
    """Users with one or two of eight roles."""
    roles = rng.random((8, 90)) < 0.15
    return some_of(rng, 300, 8, most=2) @ roles > 0


def product(rng: np.random.Generator) -> np.ndarray:
    """What a department gives and what a site gives, and something for everybody."""
    n, departments, sites = 320, rng.random((6, 90)) < 0.1, rng.random((4, 90)) < 0.06
    common = rng.random(90) < 0.05
    return departments[rng.integers(6, size=n)] | sites[rng.integers(4, size=n)] | common


def popular(rng: np.random.Generator) -> np.ndarray:
    """A few roles that many hold and many that few hold, one to three a user."""
    roles, share = rng.random((15, 120)) < 0.1, rng.pareto(1.5, 15) + 0.3
    return some_of(rng, 400, 15, most=3, p=share / share.sum()) @ roles > 0


def hierarchy(rng: np.random.Generator) -> np.ndarray:
    """Three divisions with three departments each, whose heads have more: everyone has what stands above them."""
    n = 280
    division, part, head = rng.integers(3, size=n), rng.integers(3, size=n), rng.random(n) < 0.25
    everybody, above = rng.random(100) < 0.05, rng.random((3, 100)) < 0.08
    own, heads = rng.random((9, 100)) < 0.1, rng.random((3, 100)) < 0.07
    return everybody | above[division] | own[3 * division + part] | (heads[division] & head[:, None])


def by_attributes(rng: np.random.Generator) -> np.ndarray:
    """Rules on pairs of department and title, and on the country."""
    n = 260
    department, title, country = rng.integers(4, size=n), rng.integers(3, size=n), rng.integers(5, size=n)
    pairs, countries = rng.random((4, 3, 110)) < 0.1, rng.random((5, 110)) < 0.05
    return pairs[department, title] | countries[country]


def small_departments(rng: np.random.Generator) -> np.ndarray:
    """Many teams of three to nine, each with its own, and something that halves of them share."""
    sizes = rng.integers(3, 10, size=25)
    roles = (rng.random((25, 100)) < 0.08) | (rng.random((2, 100)) < 0.08)[rng.integers(2, size=25)]
    return roles[np.repeat(np.arange(25), sizes)]


def specialists(rng: np.random.Generator) -> np.ndarray:
    """One basic role of three, and now and then one of ten special ones."""
    n = 300
    basic, special = rng.random((3, 90)) < 0.15, rng.random((10, 90)) < 0.06
    return basic[rng.integers(3, size=n)] | (special[rng.integers(10, size=n)] & (rng.random(n) < 0.4)[:, None])


def some_of(rng: np.random.Generator, users: int, roles: int, most: int, p: np.ndarray | None = None) -> np.ndarray:
    """One to ``most`` of the roles for each user."""
    held = np.zeros((users, roles))
    for row in held:
        row[rng.choice(roles, rng.integers(1, most + 1), replace=False, p=p)] = 1
    return held


SHAPES = {
    "departments": departments, "overlapping": overlapping, "product": product, "popular": popular,
    "hierarchy": hierarchy, "attributes": by_attributes, "small": small_departments, "specialists": specialists,
}  # fmt: skip
MIXTURES = (
    Mixture(0.5, (0,), 0), Mixture(2, (0, 1), 6), Mixture(5, (0,), 6), Mixture(2, (1,), 0), Mixture(2, (0, 0, 2), 0),
    Mixture(5, (0, 0, 1, 2), 10), Mixture(1, (2,), 10), Mixture(5, (0, 1), 0),
)  # fmt: skip


def world(shape: str, seed: int, mixture: Mixture) -> World:
    """Errors in both directions, and habits of any share of a group."""
    rng = np.random.default_rng(seed)
    clean = SHAPES[shape](rng)
    groups = peers(clean)
    habit, wrong = np.zeros(clean.shape, bool), np.zeros(clean.shape, bool)
    for _ in range(mixture.habits):
        group, j = some_group(rng, [g for g in groups if len(g) >= 3]), rng.integers(clean.shape[1])
        habit[group[rng.random(len(group)) < rng.random()], j] = True
    habit &= ~clean
    for granted in (False, True):
        for _ in range(round(mixture.errors * clean.sum() / 100 / (1 + np.mean(mixture.alike)))):
            number = 1 + rng.choice(mixture.alike)
            group = some_group(rng, [g for g in groups if len(g) >= 2 * number - 1])
            entries = np.flatnonzero(clean[group[0]] == granted)
            wrong[rng.choice(group, number, replace=False), rng.choice(entries)] = True
    wrong &= ~habit
    return World(np.where(wrong, ~clean, clean | habit), wrong, habit)


def some_group(rng: np.random.Generator, groups: list[np.ndarray]) -> np.ndarray:
    """One of the groups, as often as it has users."""
    sizes = np.array([len(group) for group in groups])
    return groups[rng.choice(len(groups), p=sizes / sizes.sum())]


def peers(clean: np.ndarray) -> list[np.ndarray]:
    """Users who should have the same."""
    _, place = np.unique(clean, axis=0, return_inverse=True)
    return [np.flatnonzero(place == g) for g in range(place.max() + 1)]
