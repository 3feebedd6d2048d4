"""The number of components: planted ranks found, none in noise, the same verdict from another implementation."""

import numpy as np
import pytest

import unmix.decomposition
from unmix.decomposition import select_components
from unmix.validation import CrossValidation, select


def planted(rank, seed, n=120, d=12, noise=1.0):
    rng = np.random.default_rng(seed)
    return 1.5 * rng.normal(size=(n, rank)) @ rng.normal(size=(rank, d)) + noise * rng.normal(size=(n, d))


@pytest.mark.parametrize("rank", [0, 1, 3, 5])
def test_parallel_analysis_finds_the_planted_rank(rank):
    found = [select_components(planted(rank, seed), n_rounds=40, random_state=seed).n_components for seed in range(10)]
    assert np.mean(np.array(found) == rank) >= 0.8


def test_level_of_parallel_analysis():
    """On noise the first variance is called real in about 5 % of tables."""
    rng = np.random.default_rng(0)
    found = [select_components(rng.normal(size=(40, 6)), n_rounds=40, random_state=i) for i in range(120)]
    wrong = [one.n_components > 0 for one in found]
    assert abs(np.mean(wrong) - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 120) + 0.015


def test_limits_are_those_of_shuffled_columns():
    X = planted(2, 0)
    found = select_components(X, n_rounds=200, random_state=0)
    np.testing.assert_allclose(found.scores, np.linalg.eigvalsh(np.cov(X.T))[::-1], rtol=1e-8)
    rng = np.random.default_rng(9)
    own = [np.linalg.eigvalsh(np.cov(np.column_stack([rng.permutation(c) for c in X.T]).T))[::-1] for _ in range(200)]
    np.testing.assert_allclose(found.limits[0], np.quantile(own, 0.95, axis=0)[0], rtol=0.05)
    assert (found.scores[:2] > found.limits[:2]).all() and found.scores[2] < found.limits[2]
    assert np.isnan(found.limits[3:]).all()
    wide = select_components(X.T, n_rounds=20, random_state=0)
    assert len(wide.scores) == 12


@pytest.mark.parametrize("rank", [0, 2, 3])
def test_held_out_entries_find_the_planted_rank(rank):
    X = planted(rank, rank, n=80, d=10)
    found = select_components(X, "cross_validation", max_components=5, random_state=0)
    assert found.n_components == rank
    assert found.candidates.tolist() == [0, 1, 2, 3, 4, 5]
    assert np.argmin(found.scores) == rank and (found.errors > 0).all()


def test_verdict_is_that_of_model_selection():
    X = planted(3, 4, n=80, d=10)
    other = select(unmix.decomposition.PCA(), X, range(1, 6), CrossValidation("entries"), random_state=0)
    assert select_components(X, "cross_validation", max_components=5, random_state=0).n_components == 3
    assert other.best_params == {"n_components": 3}


def test_missing_values_in_cross_validation():
    X = planted(2, 0, n=80, d=10)
    X[np.random.default_rng(1).random(X.shape) < 0.1] = np.nan
    assert select_components(X, "cross_validation", max_components=4, random_state=0).n_components == 2
    with pytest.raises(ValueError, match="NaN"):
        select_components(X)


def test_non_negative_factors():
    if not hasattr(unmix.decomposition, "NMF"):
        pytest.skip("this version has no NMF")
    rng = np.random.default_rng(0)
    X = rng.gamma(1.0, size=(60, 3)) @ rng.gamma(1.0, size=(3, 15)) + 0.05 * rng.random((60, 15))
    assert select_components(X, "cross_validation", "nmf", max_components=5, random_state=0).n_components == 3


def test_scale_does_not_matter():
    X = planted(3, 0)
    plain = select_components(X, random_state=0)
    scaled = select_components(X * 1e100, random_state=0)
    assert scaled.n_components == plain.n_components
    np.testing.assert_allclose(scaled.limits / 1e200, plain.limits)
    assert select_components(np.ones((10, 4)), random_state=0).n_components == 0


@pytest.mark.parametrize(
    "settings, word",
    [
        ({"method": "best"}, "method"),
        ({"model": "ica"}, "model"),
        ({"model": "nmf"}, "cross_validation"),
        ({"quantile": 1.0}, "quantile"),
        ({"method": "cross_validation", "max_components": 9}, "max_components"),
    ],
)
def test_bad_settings_are_named(settings, word):
    with pytest.raises(ValueError, match=word):
        select_components(np.abs(planted(1, 0, n=20, d=5)), **settings)
    with pytest.raises(ValueError, match="negative"):
        select_components(-np.ones((10, 4)), "cross_validation", "nmf")


@pytest.mark.parametrize("method", ["parallel_analysis", "cross_validation"])
@pytest.mark.parametrize("unit", [1e-300, 1e-160, 1e-20, 1e20, 1e160, 1e300])
def test_the_unit_of_the_table_does_not_matter(method, unit):
    X = planted(2, 0, n=60, d=8, noise=0.3)
    settings = {"method": method, "n_rounds": 20 if method == "parallel_analysis" else 2, "random_state": 0}
    expected, found = select_components(X, **settings), select_components(X * unit, **settings)
    assert found.n_components == expected.n_components == 2
    if abs(np.log10(unit)) < 100:  # else squares are beyond all numbers
        np.testing.assert_allclose(found.scores / unit**2, expected.scores, rtol=1e-3)
