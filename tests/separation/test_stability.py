"""Stability: components with structure come back, those of Gaussian rows do not."""

import warnings

import numpy as np
import pytest

from unmix.separation import FastICA, Infomax, OnlineICA, SecondOrderICA, component_stability

from .mixtures import mixture


def judged(*arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return component_stability(*arguments, random_state=0, **options)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("estimator", [FastICA(random_state=0), Infomax(random_state=0)], ids=repr)
def test_real_components_are_stable_and_gaussian_ones_are_not(estimator):
    rng = np.random.default_rng(0)
    S = np.column_stack([rng.laplace(size=(1500, 2)), rng.normal(size=(1500, 3))])
    found = judged(estimator, S @ rng.normal(size=(5, 5)), n_runs=8)
    real = found.estimator.non_gaussianity_ > 1
    assert real.sum() == 2
    assert found.quality[real].min() > 0.9 > 0.8 > found.quality[~real].max()
    assert found.recovery.shape == (8, 5)
    assert np.median(found.recovery[:, real]) > 0.99 > np.median(found.recovery[:, ~real])
    assert "quality" in str(found)


def test_similarity_is_the_correlation_of_sources():
    X, _, _ = mixture("laplace", n=800, k=3)
    found = judged(FastICA(random_state=0), X, n_runs=2, method="restart")
    assert found.similarity.shape == (6, 6)
    np.testing.assert_allclose(found.similarity, found.similarity.T)
    assert sorted(found.groups[:3]) == sorted(found.groups[3:]) == [0, 1, 2]
    np.testing.assert_allclose(found.recovery, 1, atol=1e-3)  # other starts, the same answer
    np.testing.assert_allclose(found.quality, 1, atol=0.05)


def test_quality_by_its_definition():
    X, _, _ = mixture("laplace", n=300, k=3)
    found = judged(FastICA(random_state=0), X, n_runs=4)
    for i in range(3):
        inside, outside = [], []
        for a in range(12):
            for b in range(12):
                if found.groups[a] == i:
                    (inside if found.groups[b] == i else outside).append(found.similarity[a, b])
        assert found.quality[i] == pytest.approx(np.mean(inside) - np.mean(outside))


@pytest.mark.slow_without_jit
def test_runs_of_rows_and_online_rules():
    X, _, _ = mixture("laplace", n=1000, k=2)
    assert judged(OnlineICA(n_epochs=5, random_state=0), X, n_runs=3, block_length=50).quality.min() > 0.7
    assert judged(FastICA(1, random_state=0), X, n_runs=3, method="bootstrap").quality.shape == (1,)


@pytest.mark.parametrize("options", [{"n_runs": 1}, {"method": "jackknife"}, {"block_length": 0}])
def test_bad_parameters_are_named(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        component_stability(FastICA(), np.ones((5, 2)), **options)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("unit", [1e300, 1e-300])
def test_the_unit_of_the_data_does_not_matter(unit):
    X, _, _ = mixture("laplace", n=800, k=3)
    usual, extreme = (judged(FastICA(random_state=0), X * factor, n_runs=3) for factor in (1.0, unit))
    np.testing.assert_allclose(extreme.quality, usual.quality, rtol=1e-6)


def test_gaps_are_left_out():
    rng = np.random.default_rng(0)
    waves = np.sin(np.outer(np.arange(1500), [0.05, 0.21, 0.7]))
    X = waves @ rng.normal(size=(3, 3)) + 0.05 * rng.normal(size=(1500, 3))
    X[rng.random(X.shape) < 0.1] = np.nan
    found = judged(SecondOrderICA(lags=10, missing="ignore"), X, n_runs=3, block_length=300)
    assert found.quality.min() > 0.9
