import numpy as np

from unmix.exploration.spectrum import principal_components


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
