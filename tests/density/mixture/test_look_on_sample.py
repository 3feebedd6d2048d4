"""Starts of a large table are found on a sample; what is fitted there is what its own groups say."""

import numpy as np
import pytest

from unmix.density import GaussianMixture
from unmix.density import gaussian_mixture as module
from unmix.density.mixture.look_on_sample import LARGE, start_rows
from unmix.density.mixture.start import Given, first_mixture, labelled_mixture


def groups(seed, n=16_000, d=6, k=8):
    """Groups so far apart that their own moments are the maximum of the likelihood."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, k, n)
    centers = 12 * np.array([np.unravel_index(c, (2,) * d) for c in rng.permutation(2**d)[:k]])
    shape = rng.normal(size=(k, d, d)) / 4 + np.eye(d)
    return centers[labels] + np.einsum("nij,nj->ni", shape[labels], rng.normal(size=(n, d))), labels


@pytest.mark.parametrize("seed", range(3))
def test_a_large_table_gets_the_moments_of_its_groups(seed, monkeypatch):
    X, labels = groups(seed)
    assert len(X) > LARGE * start_rows(8, X.shape[1])
    monkeypatch.setattr(module, "kmeans_start", None)  # over all rows, which is not needed here
    model = GaussianMixture(8, random_state=seed).fit(X)
    order = np.argsort(-np.bincount(labels), kind="stable")
    np.testing.assert_allclose(model.weights_, np.bincount(labels)[order] / len(X), atol=1e-6)
    for mean, covariance, c in zip(model.means_, model.covariances_, order, strict=True):
        np.testing.assert_allclose(mean, X[labels == c].mean(axis=0), atol=1e-4)
        np.testing.assert_allclose(covariance, np.cov(X[labels == c].T, bias=True), atol=1e-3)


def test_more_runs_of_a_large_table_never_end_worse():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(13_000, 3)) * [1, 1, 4] + 2.5 * rng.integers(0, 3, (13_000, 1))
    one, three = (GaussianMixture(4, n_init=n, random_state=0, max_iter=20, tol=1e-2).fit(X) for n in (1, 3))
    assert three.lower_bound_ >= one.lower_bound_


@pytest.mark.parametrize("weighted", [False, True])
def test_known_labels_make_the_mixture_of_nearest_centres(weighted):
    from unmix.costs.gaussian.cost import Gaussian
    from unmix.costs.gaussian.covariance import Full
    from unmix.io.dispatch import as_blocks

    X, _ = groups(0, n=900)
    weights = np.random.default_rng(1).random(len(X)) if weighted else None
    centers = X[:: len(X) // 5][:5]
    labels = ((X[:, None] - centers) ** 2).sum(axis=2).argmin(axis=1)
    cost = Gaussian(Full(), np.full(X.shape[1], 1e-9))
    nearest = first_mixture(as_blocks(X), weights, cost, centers, Given())
    known = labelled_mixture(as_blocks(X), weights, cost, centers, labels, Given())
    for one, other in zip(nearest[:4], known[:4], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("seed", [5106, 5130])
def test_a_tied_mixture_looks_at_single_columns(seed):
    """scikit-learn clusters in the units given, in which one column decides: the likelier optimum is found from it."""
    tables, peer = pytest.importorskip("benchmarks.random_mixtures.tables"), pytest.importorskip("sklearn.mixture")
    table = tables.draw_table(seed)
    fits = [kind(table.k, covariance_type="tied", random_state=0) for kind in (GaussianMixture, peer.GaussianMixture)]
    own, other = (fit.fit(table.rows).score(table.rows) for fit in fits)
    assert own > other - 0.01


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("kind", ["full", "tied", "diag"])
@pytest.mark.parametrize("seed", range(4))
def test_labels_stay_under_any_units(kind, seed):
    """Overlapping groups, where other starts compete: none of them, nor the order of the rows they use, has units."""
    rng = np.random.default_rng(seed)
    k, d = 5, 6
    X = 1.5 * rng.normal(size=(k, d))[rng.integers(0, k, 400)] + rng.normal(size=(400, d)) @ rng.normal(size=(d, d))
    fit = GaussianMixture(k, covariance_type=kind, random_state=0)
    labels = fit.fit_predict(X)
    for _ in range(2):
        np.testing.assert_array_equal(fit.fit_predict(X * 10.0 ** rng.uniform(-3, 3, d)), labels)
