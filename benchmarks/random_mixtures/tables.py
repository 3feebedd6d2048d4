"""Random tables of groups: of many shapes, in mixed units, some columns of noise; the same again from the same seed."""

from typing import NamedTuple

import numpy as np

KINDS = ("balls", "tied", "stretched", "various")


class Table(NamedTuple):
    """Rows to fit, and as many fresh ones of the same law."""

    rows: np.ndarray
    fresh: np.ndarray
    k: int
    tells: str  # what was drawn, in words


def draw_table(seed: int) -> Table:
    """2 to 20 columns, 2 to 8 groups, 200 to 5000 rows, units over six decades."""
    rng = np.random.default_rng([2024, seed])
    d, k, n = int(rng.integers(2, 21)), int(rng.integers(2, 9)), int(np.exp(rng.uniform(np.log(200), np.log(5000))))
    telling = int(rng.integers(1, d + 1)) if rng.random() < 0.5 else d
    kind, apart = str(rng.choice(KINDS)), float(np.exp(rng.uniform(np.log(2.0), np.log(12.0))))
    share = 0.03 + (1 - 0.03 * k) * rng.dirichlet(np.full(k, rng.choice([1.0, 5.0, 100.0])))
    means = spread_out(rng, k, telling, apart)
    roots = shapes(rng, k, telling, kind)
    units = 10.0 ** rng.uniform(-3, 3, d)
    parts = [draw_rows(rng, n, share, means, roots, d) * units for _ in range(2)]
    order = rng.permutation(d)
    tells = f"n {n}, d {d} ({d - telling} noise), k {k}, {kind}, {apart:.1f} apart, least share {share.min():.2f}"
    return Table(parts[0][:, order], parts[1][:, order], k, tells)


def spread_out(rng: np.random.Generator, k: int, d: int, apart: float) -> np.ndarray:
    """Means of which the two nearest are so far apart."""
    means = rng.standard_normal((k, d)) if rng.random() < 0.5 else rng.random((k, d))
    between = np.sqrt(((means[:, None] - means) ** 2).sum(2))[np.triu_indices(k, 1)]
    return means * (apart / between.min())


def shapes(rng: np.random.Generator, k: int, d: int, kind: str) -> np.ndarray:
    """Roots of covariances (k, d, d): balls, one ellipsoid for all, thin or thick ones of any direction."""
    widest = {"balls": 1.0, "tied": 10.0, "stretched": 10.0, "various": 3.0}[kind]
    turns = np.linalg.qr(rng.standard_normal((k, d, d)))[0]
    lengths = np.exp(rng.uniform(0, np.log(widest), (k, d)))
    if kind == "various":
        lengths *= np.exp(rng.uniform(-1, 1, (k, 1)))
    roots = np.asarray(turns * lengths[:, None, :])
    return np.repeat(roots[:1], k, axis=0) if kind == "tied" else roots


def draw_rows(
    rng: np.random.Generator, n: int, share: np.ndarray, means: np.ndarray, roots: np.ndarray, d: int
) -> np.ndarray:
    labels = rng.choice(len(share), n, p=share)
    rows = rng.standard_normal((n, d))
    telling = means.shape[1]
    rows[:, :telling] = means[labels] + np.einsum("ijl,il->ij", roots[labels], rows[:, :telling])
    return rows
