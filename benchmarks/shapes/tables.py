"""Tables of groups that are long, curved, nested, linked or of unequal spread and size, of round ones, and of none."""

from collections.abc import Callable

import numpy as np

Made = tuple[np.ndarray, np.ndarray]  # rows, and the group of each


def circle(angle: np.ndarray) -> np.ndarray:
    return np.c_[np.cos(angle), np.sin(angle)]


def moons(rng: np.random.Generator) -> Made:
    angle, side = np.pi * rng.uniform(size=400), np.arange(400) % 2
    X = circle(angle) * np.where(side[:, None] == 0, 1.0, -1.0) + side[:, None] * [1.0, 0.5]
    return X + 0.08 * rng.normal(size=X.shape), side


def ring_and_core(rng: np.random.Generator) -> Made:
    ring = 4 * circle(rng.uniform(0, 2 * np.pi, 200)) + 0.35 * rng.normal(size=(200, 2))
    return np.r_[ring, 0.7 * rng.normal(size=(200, 2))], np.repeat([0, 1], 200)


def bars(rng: np.random.Generator, k: int = 2) -> Made:
    group = np.arange(200 * k) % k
    return np.c_[rng.uniform(-10, 10, len(group)), 3 * group + 0.5 * rng.normal(size=len(group))], group


def three_bars(rng: np.random.Generator) -> Made:
    return bars(rng, 3)


def turned_bars(rng: np.random.Generator) -> Made:
    group, turn = np.arange(400) % 2, 0.6
    X = np.c_[6 * rng.normal(size=400), 4 * group + 0.6 * rng.normal(size=400)]
    return X @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]), group


def unequal_spreads(rng: np.random.Generator) -> Made:
    group = np.arange(450) % 3
    centers = np.array([[0, 0], [3.5, 3.5], [14, 0]])[group]
    return centers + np.array([0.3, 1, 3])[group, None] * rng.normal(size=(450, 2)), group


def unequal_sizes(rng: np.random.Generator) -> Made:
    group = (np.arange(420) % 21 == 0).astype(int)
    return rng.normal(size=(420, 2)) + group[:, None] * [7, 0], group


def nested_rings(rng: np.random.Generator) -> Made:
    group = np.arange(500) % 2
    radius = np.array([2, 5])[group] + 0.25 * rng.normal(size=500)
    return radius[:, None] * circle(rng.uniform(0, 2 * np.pi, 500)), group


def two_diamonds(rng: np.random.Generator) -> Made:
    group, corner = np.arange(800) % 2, rng.uniform(-1, 1, (800, 2))
    return np.c_[corner.sum(axis=1), corner[:, 0] - corner[:, 1]] / 2 + group[:, None] * [2.1, 0], group


def linked_rings(rng: np.random.Generator) -> Made:
    group, round_ = np.arange(800) % 2, circle(rng.uniform(0, 2 * np.pi, 800))
    flat = np.c_[round_, np.zeros(800)]
    upright = np.c_[1 + round_[:, 0], np.zeros(800), round_[:, 1]]
    return np.where(group[:, None] == 0, flat, upright) + 0.1 * rng.normal(size=(800, 3)), group


def round_groups(rng: np.random.Generator) -> Made:
    group = np.arange(300) % 3
    return np.array([[0, 0], [6, 0], [3, 5]])[group] + rng.normal(size=(300, 2)), group


def many_columns(rng: np.random.Generator) -> Made:
    group, centers = np.arange(400) % 4, 4 * rng.normal(size=(4, 5))
    return centers[group] + rng.normal(size=(400, 5)), group


def one_cloud(draw: Callable[[np.random.Generator], np.ndarray]) -> Callable[[np.random.Generator], Made]:
    def make(rng: np.random.Generator) -> Made:
        X = draw(rng)
        return X, np.zeros(len(X), int)

    return make


def bent(rng: np.random.Generator) -> np.ndarray:
    x = rng.normal(size=400)
    return np.c_[x, x**2 + 0.4 * rng.normal(size=400)]


KINDS: dict[str, Callable[[np.random.Generator], Made]] = {
    "two moons": moons,
    "ring and core": ring_and_core,
    "two bars": bars,
    "three bars": three_bars,
    "turned Gaussian bars": turned_bars,
    "unequal spreads": unequal_spreads,
    "unequal sizes": unequal_sizes,
    "nested rings": nested_rings,
    "two diamonds": two_diamonds,
    "linked rings": linked_rings,
    "round groups": round_groups,
    "round groups, 5 columns": many_columns,
    "none: Gaussian": one_cloud(lambda rng: rng.normal(size=(300, 3))),
    "none: uniform": one_cloud(lambda rng: rng.uniform(size=(300, 2))),
    "none: heavy tails": one_cloud(lambda rng: rng.standard_t(4, size=(300, 3))),
    "none: skewed": one_cloud(lambda rng: np.c_[rng.exponential(size=300), rng.normal(size=300)]),
    "none: bent": one_cloud(bent),
}
