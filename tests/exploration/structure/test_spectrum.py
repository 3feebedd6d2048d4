import numpy as np
import polars as pl
import pytest

import unmix
from unmix.exploration.columns.imputation import fill_missing
from unmix.exploration.structure.spectrum import _exceeded_by_chance, principal_components


def spectrum(X, owner=None, seed=0):
    owner = np.arange(X.shape[1]) if owner is None else owner
    return principal_components(X, owner, [f"f{j}" for j in range(X.shape[1])], seed).spectrum


def test_planted_components_are_counted():
    rng = np.random.default_rng(1)
    for rank in (1, 2, 3):
        signal = rng.normal(size=(400, rank)) @ rng.normal(size=(rank, 12))
        X = signal + 0.5 * rng.normal(size=(400, 12))
        assert spectrum((X - X.mean(0)) / X.std(0)).n_suggested == rank


def test_unrelated_columns_suggest_none():
    hits = [spectrum(np.random.default_rng(s).normal(size=(300, 8)), seed=s).n_suggested for s in range(20)]
    assert hits.count(0) >= 17


def test_shares_are_those_of_the_covariance():
    X = np.random.default_rng(2).normal(size=(50, 4)) * [4, 3, 2, 1]
    values = np.linalg.eigvalsh(np.cov(X.T))[::-1]
    assert np.allclose(spectrum(X).explained_variance_ratio, values / values.sum())


def test_indicators_of_one_category_are_no_relation_between_columns():
    codes = np.random.default_rng(3).integers(3, size=400)
    numbers = np.random.default_rng(4).normal(size=(400, 2))
    X = np.hstack([np.eye(3)[codes] / np.sqrt(2 / 3), numbers])
    assert spectrum(X, np.array([0, 0, 0, 1, 2])).n_suggested == 0


def test_more_columns_than_rows():
    found = spectrum(np.random.default_rng(5).normal(size=(10, 40)))
    assert len(found.explained_variance_ratio) == len(found.reference) <= 10


def filled_spectrum(X, seed=0):
    holes, names = np.isnan(X), [f"f{j}" for j in range(X.shape[1])]
    return principal_components(fill_missing(X, seed), np.arange(X.shape[1]), names, seed, holes).spectrum


def table_with_holes(relation, seed):
    rng = np.random.default_rng(seed)
    X = relation * rng.normal(size=(60, 1)) + rng.normal(size=(60, 4))
    X = (X - X.mean(0)) / X.std(0)
    X[2:][rng.random((58, 4)) < 0.35] = np.nan
    return X[~np.isnan(X).all(axis=1)]


def test_filling_holes_makes_no_component():
    # filled cells follow the others of their row, so tables with holes look related unless shuffles have them too
    found = [filled_spectrum(table_with_holes(0.0, seed), seed).n_suggested for seed in range(4)]
    assert found.count(0) >= 3


def test_a_relation_is_seen_through_holes():
    assert [filled_spectrum(table_with_holes(3.0, seed), seed).n_suggested for seed in range(3)] == [1, 1, 1]


def test_chance_is_above_the_reference_once_in_twenty_one():
    tables = [np.random.default_rng(seed).normal(size=(12, 3)) for seed in range(80)]
    hits = sum(spectrum(X, seed=seed).n_suggested > 0 for seed, X in enumerate(tables))
    assert hits <= 8  # of binomial(80, 1/21) 1 % lie above; a rate of 2/21 would give 8 on average


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_few_rows_are_said_to_be_too_few(n):
    column = np.arange(n, dtype=float)
    found = spectrum(np.stack([column, column, column], axis=1))
    assert found.n_suggested == 0
    assert found.sentence.startswith(f"Too few rows to look for components. {n} rows")


def test_six_rows_can_tell():
    column = np.arange(6, dtype=float)
    assert spectrum(np.stack([column, column, column], axis=1)).n_suggested == 1


def test_one_category_alone_has_nothing_to_combine():
    codes = np.random.default_rng(6).integers(3, size=40)
    assert "nothing to combine" in spectrum(np.eye(3)[codes], np.zeros(3, int)).sentence


@pytest.mark.parametrize("repeats", [6, 20])
def test_chance_exceeds_its_reference_once_in_twenty(repeats):
    rng = np.random.default_rng(6)
    shares = rng.normal(size=(repeats, 50_000))
    assert (rng.normal(size=50_000) > _exceeded_by_chance(shares)).mean() == pytest.approx(0.05, abs=0.005)


def test_unrelated_walks_suggest_no_component():
    X = np.random.default_rng(7).normal(size=(300, 6)).cumsum(axis=0)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    names = [f"f{j}" for j in range(6)]
    assert spectrum(X).n_suggested > 0
    assert principal_components(X, np.arange(6), names, 0, ordered=np.arange(300)).spectrum.n_suggested == 0


def nearly_alike(rng, n, d, coefficient):
    """x_i = c x_{i-1} + sqrt(1 - c²) ε_i in every column."""
    X = rng.normal(size=(n, d))
    for i in range(1, n):
        X[i] = coefficient * X[i - 1] + np.sqrt(1 - coefficient**2) * X[i]
    return X


def order_of(X):
    """What exploring makes of the order of these rows."""
    from unmix.exploration.columns.control import make_control
    from unmix.exploration.columns.preparation import prepare
    from unmix.exploration.structure.evaluation_set import look_at_rows

    prepared = prepare(pl.DataFrame({f"c{j}": x for j, x in enumerate(X.T)}), 0, "auto", None, None, make_control())
    return look_at_rows(prepared, 0)


@pytest.mark.slow_without_jit
def test_components_of_groups_that_stand_one_after_the_other_are_more_than_chance():
    """Rows that are a little like their neighbours do not make chance of the long waves of a sorted table."""
    names, found, by_waves = [f"c{j}" for j in range(13)], 0, 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X = nearly_alike(rng, 180, 13, 0.4) + 1.4 * rng.normal(size=(3, 13))[np.repeat(range(3), 60)]
        rows = order_of(X)
        assert rows.order is not None and rows.ordered is None and len(rows.apart) <= 90
        apart = principal_components(X, np.arange(13), names, 0, ordered=rows.ordered, apart=rows.apart)
        found += apart.spectrum.n_suggested
        by_waves += principal_components(X, np.arange(13), names, 0, ordered=rows.numbers).spectrum.n_suggested
    assert 10 <= found <= 13 and by_waves <= 4  # three groups differ along two directions


@pytest.mark.slow_without_jit
def test_columns_of_rows_a_little_like_their_neighbours_have_no_components_by_themselves():
    found = []
    for seed in range(20):
        X = nearly_alike(np.random.default_rng(100 + seed), 240, 8, 0.5)
        rows = order_of(X)
        found.append(
            principal_components(X, np.arange(8), ["c"] * 8, 0, ordered=rows.ordered, apart=rows.apart).spectrum
        )
    assert sum(one.n_suggested > 0 for one in found) <= 4


@pytest.mark.slow_without_jit
def test_wines_in_the_order_of_their_cultivars_are_three_clusters():
    from sklearn.datasets import load_wine
    from sklearn.metrics import adjusted_rand_score

    wine = load_wine(as_frame=True).frame
    found = unmix.explore(wine, describe=["target"])
    assert found.selection.chosen_k == 3 and adjusted_rand_score(wine["target"], found.labels) > 0.85
