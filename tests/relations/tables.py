"""The plain table of each kind of method, with an answer so clear that rounding cannot change it.

Entries are multiples of 2^-12, so that they have room in single precision for an offset and a power of two.
"""

import numpy as np


def rounded(X: np.ndarray) -> np.ndarray:
    return np.round(X * 4096) / 4096


def groups(n: int, rng: np.random.Generator) -> np.ndarray:
    """Three groups of unequal size and spread, eight and more standard deviations apart."""
    which = np.arange(n) * 7 % 10
    which = np.where(which < 5, 0, np.where(which < 8, 1, 2))
    centers = np.array([[0.0, 0.0, 0.0, 0.0], [9.0, 1.0, -7.0, 4.0], [-6.0, 11.0, 3.0, -8.0]])
    spread = np.array([1.0, 0.7, 1.2])
    return rounded(centers[which] + spread[which, None] * rng.normal(size=(n, 4)))


def positive_groups(n: int, rng: np.random.Generator) -> np.ndarray:
    return groups(n, rng) + 16.0


def amounts(n: int, rng: np.random.Generator) -> np.ndarray:
    """Two parts, each alone in some rows and some columns, so that the factors are unique; little noise."""
    codes = rng.gamma(2.0, 1.0, (n, 2))
    codes[::5, 0] = 0.0
    codes[1::5, 1] = 0.0
    parts = np.array([[4.0, 2.0, 0.0, 1.0, 0.0, 3.0], [0.0, 1.0, 5.0, 2.0, 3.0, 0.0]])
    return rounded(codes @ parts + 0.02 * rng.random((n, 6)))


def positive_amounts(n: int, rng: np.random.Generator) -> np.ndarray:
    """As `amounts`, with a background in the place of zeros."""
    return rounded(amounts(n, rng) + 0.1)


def counts(n: int, rng: np.random.Generator) -> np.ndarray:
    """Counts of three profiles, a hundred or more to a row."""
    profiles = np.array([[6, 3, 1, 1, 1, 4], [1, 1, 7, 5, 1, 1], [1, 5, 1, 1, 8, 1]]) / np.array([[16], [16], [17]])
    return np.array([rng.multinomial(120 + 30 * (i % 4), profiles[i * 7 % 3]) for i in range(n)], dtype=float)


def directions(n: int, rng: np.random.Generator) -> np.ndarray:
    """Rows along three directions, near their lines, of any length."""
    axes = np.array([[3.0, 0.5, 0.2], [0.1, 2.0, -0.6], [-0.3, 0.4, 2.5]])
    return rounded(axes[np.arange(n) % 3] * rng.uniform(1, 2, (n, 1)) + 0.08 * rng.normal(size=(n, 3)))


def low_rank(n: int, rng: np.random.Generator) -> np.ndarray:
    """Rank two, unlike singular values, a little noise."""
    directions = np.array([[2.0, -1.0, 0.5, 1.0, 0.0], [0.3, 1.0, -2.0, 0.4, 1.0]])
    return rounded(rng.normal(size=(n, 2)) * [3.0, 1.5] @ directions + 0.05 * rng.normal(size=(n, 5)))


def holed_low_rank(n: int, rng: np.random.Generator) -> np.ndarray:
    """Rank one, a little noise, and one cell in seven not observed."""
    X = rounded(np.outer(rng.normal(size=n) * 3, [2.0, -1.0, 0.5, 1.0, 0.7]) + 0.05 * rng.normal(size=(n, 5)))
    X.reshape(-1)[3::7] = np.nan
    return X


def kinds(n: int, rng: np.random.Generator) -> np.ndarray:
    """Two numbers, a flag, a category and an ordered one of three levels each, from two hidden numbers."""
    hidden = rng.normal(size=(n, 2))
    numbers = rounded(hidden @ [[2.0, 0.5], [-1.0, 1.0]] + 0.3 * rng.normal(size=(n, 2)))
    others = hidden @ [[1.0, -1.0, 2.0], [1.0, 1.5, 0.0]] + 0.5 * rng.normal(size=(n, 3))
    levels = np.digitize(others[:, 1:], [-0.7, 0.7])
    levels[:3] = np.arange(3)[:, None]
    return np.column_stack([numbers, others[:, 0] > 0, levels]).astype(float)


def signed_parts(n: int, rng: np.random.Generator) -> np.ndarray:
    """Amounts, each alone in some rows, of two parts of either sign; little noise."""
    codes = rng.gamma(2.0, 1.0, (n, 2))
    codes[::5, 0] = 0.0
    codes[1::5, 1] = 0.0
    parts = np.array([[2.0, -1.0, 0.5, 1.0, 0.0], [0.3, 1.0, -2.0, 0.4, 1.0]])
    return rounded(codes @ parts + 0.02 * rng.normal(size=(n, 5)))


def gross_errors(n: int, rng: np.random.Generator) -> np.ndarray:
    """Exactly rank two in twenty columns, and one entry in forty that is far off."""
    X = (np.round(16 * rng.normal(size=(n, 2))) @ np.round(16 * rng.normal(size=(2, 20)))) / 256
    return X + (rng.random(X.shape) < 1 / 40) * rng.choice([-6.0, 6.0], X.shape)


def ratings(n: int, rng: np.random.Generator) -> np.ndarray:
    """Rank one above an offset, a quarter of it not observed (NaN)."""
    X = 3.0 + np.outer(rng.normal(size=n), [1.0, -0.5, 0.8, 0.3, -1.0, 0.6]) + 0.05 * rng.normal(size=(n, 6))
    X[rng.random(X.shape) < 0.25] = np.nan
    X[np.arange(n), np.arange(n) % 6] = 3.0  # no row and no column without a rating
    return rounded(X)


def sparse_combinations(n: int, rng: np.random.Generator) -> np.ndarray:
    """Two of five atoms in each row, hardly alike, so that pursuit finds them."""
    atoms = np.linalg.qr(rng.normal(size=(8, 5)))[0].T + 0.05 * rng.normal(size=(5, 8))
    codes = np.zeros((n, 5))
    for i in range(n):
        codes[i, rng.choice(5, 2, replace=False)] = rng.choice([-1, 1], 2) * rng.uniform(1, 3, 2)
    return rounded(codes @ atoms)


def sources(n: int, rng: np.random.Generator) -> np.ndarray:
    """Three sources mixed: two peaked and one flat."""
    S = np.column_stack([rng.laplace(size=n), rng.uniform(-2, 2, n), rng.laplace(size=n) ** 3 / 4])
    return rounded(S @ np.array([[1.0, 0.4, -0.3], [0.2, 1.0, 0.5], [-0.5, 0.3, 1.0]]))


def series(n: int, rng: np.random.Generator) -> np.ndarray:
    """Three series, each with a memory of its own, mixed."""
    S = np.empty((n, 3))
    state = np.zeros(3)
    for i in range(n):
        state = np.array([0.95, 0.2, -0.8]) * state + rng.normal(size=3)
        S[i] = state
    return rounded(S @ np.array([[1.0, 0.4, -0.3], [0.2, 1.0, 0.5], [-0.5, 0.3, 1.0]]))


def dissimilarities(n: int, rng: np.random.Generator) -> np.ndarray:
    X = groups(n, rng)
    return rounded(np.sum((X[:, None] - X) ** 2, axis=2))


def affinities(n: int, rng: np.random.Generator) -> np.ndarray:
    """Strong links inside three groups, few and weak ones between."""
    same = np.equal.outer(np.arange(n) % 3, np.arange(n) % 3)
    links = np.triu(np.where(same, rng.random((n, n)) < 0.7, rng.random((n, n)) < 0.05) * rng.uniform(1, 2, (n, n)), 1)
    return rounded(links + links.T)


def similarities(n: int, rng: np.random.Generator) -> np.ndarray:
    """Signed: alike inside three groups, unlike between, with noise."""
    same = np.equal.outer(np.arange(n) % 3, np.arange(n) % 3)
    S = np.triu(np.where(same, 1.0, -1.0) + 0.6 * rng.normal(size=(n, n)), 1)
    return rounded(S + S.T)


def access(n: int, rng: np.random.Generator) -> np.ndarray:
    """Users with one or two of three roles over nine permissions."""
    roles = np.array([[1, 1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 1, 1, 1, 1, 0, 0, 0], [0, 0, 0, 0, 0, 1, 1, 1, 1]])
    has = np.zeros((n, 3), int)
    has[np.arange(n), np.arange(n) % 3] = 1
    has[np.arange(0, n, 4), (np.arange(0, n, 4) + 1) % 3] = 1
    return (has @ roles > 0).astype(float)


def categories(n: int, rng: np.random.Generator) -> np.ndarray:
    return np.column_stack([np.arange(n) % 3, rng.integers(0, 2, n), rng.integers(0, 4, n)]).astype(float)
