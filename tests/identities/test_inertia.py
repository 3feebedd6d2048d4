"""Correspondence analysis and the factor analysis of mixed data are singular value decompositions of one scaled table.

    W = [ (x - mean) / sd  |  (1[x = l] - p_l) / √p_l ],   W / √n = A S Bᵀ,   n rows, q columns with levels

Factor analysis of mixed data has the eigenvalues S² and the row coordinates W B; multiple correspondence analysis, if
all columns have levels, the eigenvalues S² / q and the row coordinates W B / √q.  The sum of all S² is the number of
numbers plus Σ (levels - 1).  Standard deviations divide by n.  With k components the squares left over are
½ |W - A S Bᵀ|² = ½ n Σ_{j > k} S_j²: what a factorization pays by squares of indicators, each in its own unit √p_l.
"""

import numpy as np
import polars as pl
import pytest

from unmix import decomposition
from unmix.io.mixed import encode_columns

SHAPES = {"few": (60, 2, (2, 3)), "many levels": (200, 3, (5, 2, 7)), "many numbers": (90, 6, (3,))}


def table(name, numbers=True):
    """Columns that share one hidden number, so that components differ in size."""
    n, d, levels = SHAPES[name]
    random = np.random.default_rng(list(SHAPES).index(name))
    hidden = random.normal(size=n)
    columns = {f"x{j}": 10.0 * j + (j + 1) * hidden + random.normal(size=n) for j in range(d if numbers else 0)}
    for j, count in enumerate(levels):
        scores = hidden + random.normal(size=n)
        columns[f"c{j}"] = [f"level {r * count // n}" for r in scores.argsort().argsort()]
    return pl.DataFrame(columns)


def scaled(frame):
    encoding = encode_columns(frame)
    parts = []
    for column, x in zip(encoding.columns, encoding.encode(frame).T):
        targets = (x[:, None] == np.arange(len(column.levels))).astype(float) if column.has_levels else x[:, None]
        unit = np.sqrt(targets.mean(axis=0)) if column.has_levels else targets.std(axis=0)
        parts.append((targets - targets.mean(axis=0)) / unit)
    return np.hstack(parts), encoding


def decomposed(frame):
    W, encoding = scaled(frame)
    _, s, Bt = np.linalg.svd(W / np.sqrt(len(W)), full_matrices=False)
    return W, s, Bt, encoding


@pytest.mark.parametrize("name", SHAPES)
def test_eigenvalues_of_mixed_data_are_sums_of_squared_correlations(name):
    """Pagès 2004: λ = Σ r²(number, factor) + Σ η²(category, factor), which asks for no scaled table."""
    frame = table(name)
    W, s, Bt, encoding = decomposed(frame)
    for eigenvalue, factor in zip(s[:3] ** 2, (W @ Bt[:3].T).T):
        explained = 0.0
        for column, x in zip(encoding.columns, encoding.encode(frame).T):
            if column.has_levels:
                means = np.array([factor[x == level].mean() for level in range(len(column.levels))])
                explained += np.var(means[x.astype(int)]) / np.var(factor)
            else:
                explained += np.corrcoef(x, factor)[0, 1] ** 2
        np.testing.assert_allclose(explained, eigenvalue, rtol=1e-10)
    worth = sum(max(len(column.levels) - 1, 1) for column in encoding.columns)
    np.testing.assert_allclose((s**2).sum(), worth, rtol=1e-12)


@pytest.mark.parametrize("name", ["few", "many levels"])
def test_multiple_correspondence_is_that_of_the_indicators(name):
    """Benzécri's analysis of the table of indicators, by masses of rows and columns, and of Burt's table."""
    frame = table(name, numbers=False)
    W, s, Bt, encoding = decomposed(frame)
    q, n, k = len(encoding.columns), len(W), 2
    G = np.hstack([(x[:, None] == np.unique(x)).astype(float) for x in encoding.encode(frame).T])
    P = G / G.sum()
    r, c = P.sum(axis=1), P.sum(axis=0)
    A, sigma, _ = np.linalg.svd((P - np.outer(r, c)) / np.sqrt(np.outer(r, c)), full_matrices=False)
    np.testing.assert_allclose(sigma[:k] ** 2, s[:k] ** 2 / q, rtol=1e-10)
    np.testing.assert_allclose(np.abs(A[:, :k] * sigma[:k] * np.sqrt(n)), np.abs(W @ Bt[:k].T) / np.sqrt(q), atol=1e-10)
    burt = G.T @ G / (n * q) / np.sqrt(np.outer(c, c)) / q
    np.testing.assert_allclose(np.linalg.eigvalsh(burt)[::-1][1 : k + 1], s[:k] ** 2 / q, rtol=1e-10)


@pytest.mark.skipif(not hasattr(decomposition, "Factorization"), reason="no Factorization here")
@pytest.mark.parametrize("name, numbers", [*((name, True) for name in SHAPES), ("few", False), ("many levels", False)])
def test_factorization_finds_both(name, numbers):
    frame, k = table(name, numbers), 1
    W, s, Bt, encoding = decomposed(frame)
    losses = {column.name: "indicators" if column.has_levels else "squared" for column in encoding.columns}
    model = decomposition.Factorization(k, loss=losses, scale="inertia", random_state=0, tol=1e-12, max_iter=2000)
    codes = model.fit_transform(frame)
    expected = (W @ Bt[:k].T)[:, 0]
    assert abs(np.corrcoef(codes[:, 0], expected)[0, 1]) > 1 - 1e-6
    assert model.objective_ == pytest.approx(0.5 * len(W) * (s[k:] ** 2).sum(), rel=1e-4)
