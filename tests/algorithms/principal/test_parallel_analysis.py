"""Parallel analysis against its definition: every shuffled table drawn anew, all of them for every component."""

import numpy as np
import pytest

from unmix.algorithms.principal import parallel_analysis as module
from unmix.algorithms.principal.parallel_analysis import BATCH, FIRST, parallel_analysis


def by_definition(X, n_shuffles, quantile, seed):
    """Ratio of each variance to its limit, and how many are real."""
    rng, (n, d) = np.random.default_rng(seed), X.shape
    centred = X - X.mean(axis=0)
    left, values, right = np.linalg.svd(centred, full_matrices=False)
    ratios = []
    for k in range(min(n - 1, d)):
        rest = centred - (left[:, :k] * values[:k]) @ right[:k]
        first = [np.linalg.norm(rng.permuted(rest, axis=0), 2) ** 2 for _ in range(n_shuffles)]
        ratios.append(values[k] ** 2 / (np.quantile(first, quantile) * d / (d - k) * (n - 1) / (n - 1 - k)))
        if ratios[-1] <= 1:
            break
    return np.array(ratios), int((np.array(ratios) > 1).sum())


def planted(rank, seed, n=90, d=14, kind="normal"):
    rng = np.random.default_rng(seed)
    noise = rng.standard_t(4, size=(n, d)) if kind == "heavy tails" else rng.normal(size=(n, d))
    sizes = np.geomspace(3.0, 1.0, max(rank, 1))[:rank]
    X = (rng.normal(size=(n, rank)) * sizes) @ rng.normal(size=(rank, d)) + noise
    return X * 10 ** rng.uniform(-1, 1, size=d) if kind == "mixed units" else X


@pytest.mark.parametrize("kind", ["normal", "heavy tails", "mixed units"])
@pytest.mark.parametrize("rank", [0, 1, 4, 8])
def test_the_verdict_is_that_of_the_definition(rank, kind):
    for seed in range(3):
        X = planted(rank, seed, kind=kind)
        ratios, expected = by_definition(X, 100, 0.95, seed)
        found = parallel_analysis(X, 100, 0.95, np.random.default_rng(seed))
        told = found.variances / found.limits
        same = min(len(ratios), found.n_real + 1)
        np.testing.assert_allclose(told[:same], ratios[:same], rtol=0.15)
        clear = np.flatnonzero(np.abs(ratios - 1) < 0.05)  # within the noise of a quantile of 100
        assert found.n_real == expected or (len(clear) and found.n_real >= clear[0])


def test_a_wide_table_is_judged_by_its_shorter_side():
    X = planted(2, 5, n=15, d=60)
    ratios, expected = by_definition(X, 60, 0.9, 0)
    found = parallel_analysis(X, 60, 0.9, np.random.default_rng(0))
    assert found.n_real == expected
    np.testing.assert_allclose((found.variances / found.limits)[: len(ratios)], ratios, rtol=0.15)


def test_clear_components_need_few_shuffled_tables(monkeypatch):
    calls = []
    plain = module.first_variance
    monkeypatch.setattr(module, "first_variance", lambda columns: calls.append(columns.shape) or plain(columns))
    rng = np.random.default_rng(0)
    X = 5 * rng.normal(size=(200, 10)) @ rng.normal(size=(10, 30)) + rng.normal(size=(200, 30))
    assert parallel_analysis(X, 100, 0.95, np.random.default_rng(0)).n_real == 10
    assert len(calls) <= FIRST + 9 * BATCH + 100  # not 1100


def test_shuffled_tables_keep_every_column_and_lose_relations(monkeypatch):
    seen = []
    monkeypatch.setattr(module, "first_variance", lambda columns: seen.append(columns) or 0.0)
    x = np.random.default_rng(0).normal(size=400)
    columns = np.stack([x, 2 * x, -x])
    module.first_variances(columns, 5, np.random.default_rng(1))
    for table in seen:
        np.testing.assert_array_equal(np.sort(table, axis=1), np.sort(columns, axis=1))
        assert np.abs(np.corrcoef(table) - np.eye(3)).max() < 0.25
    assert len({table.tobytes() for table in seen}) == 5


def test_one_wide_column_hides_what_is_behind_it():
    """Its variance is no relation between columns, so the first component is not real, and no later one is asked."""
    X = planted(2, 0, n=120)
    X[:, 3] = 1000 * np.random.default_rng(1).normal(size=120)
    assert parallel_analysis(X, 100, 0.95, np.random.default_rng(0)).n_real == by_definition(X, 100, 0.95, 1)[1] == 0


@pytest.mark.parametrize("n_shuffles", [20, 39, 100])
def test_chance_exceeds_the_quantile_no_more_often_than_it_says(n_shuffles):
    """Of n_shuffles + 1 equally likely ranks of the table those above the limit are at most one in twenty."""
    ranks = np.arange(n_shuffles + 1.0)
    above = [own > module.rank_quantile(np.delete(ranks, int(own)), 0.95) for own in ranks]
    assert 0 < np.mean(above) <= 0.05 < np.mean(above) + 1 / (n_shuffles + 1)
