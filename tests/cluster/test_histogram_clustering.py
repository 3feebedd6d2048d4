"""Histogram clustering against enumeration, definitions and the labels of real documents."""

from itertools import product

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.special import rel_entr
from sklearn.metrics import adjusted_rand_score, mutual_info_score, normalized_mutual_info_score

from unmix.cluster import HistogramClustering, ParametricDistributionalClustering
from unmix.core.dispatch import as_blocks
from unmix.costs.base import HasTransitions
from unmix.costs.histogram import Histogram
from unmix.costs.mass_constrained import Clusters
from unmix.costs.parametric_distributional import ParametricDistributional, gaussian_bins
from unmix.inference.deterministic_annealing import double

rng = np.random.default_rng(0)
LAWS = rng.dirichlet(np.full(8, 0.5), 3)
TRUTH = rng.integers(0, 3, 120)
COUNTS = np.array([rng.multinomial(30, LAWS[c]) for c in TRUTH]).astype(float)


def cost_of(X, smoothing=1.0):
    return Histogram(X.sum(axis=0) / X.sum(), smoothing, X.sum() / len(X))


def test_distances_are_relative_entropies_dense_and_sparse():
    cost, prototypes = cost_of(COUNTS), rng.dirichlet(np.ones(8), 4)
    n = COUNTS.sum(axis=1, keepdims=True)
    expected = (n * rel_entr(COUNTS[:, None] / n[..., None], prototypes).sum(axis=2)) / cost.unit
    assert isinstance(cost, HasTransitions)
    np.testing.assert_allclose(cost.distances(COUNTS, prototypes), expected, atol=1e-9)
    np.testing.assert_allclose(cost.distances(csr_array(COUNTS), prototypes), expected, atol=1e-9)


def test_prototypes_are_the_best_distributions():
    cost = cost_of(COUNTS, smoothing=0.0)
    q = np.eye(3)[TRUTH]
    best = cost.prototypes(cost.statistics(COUNTS, q, None), LAWS)
    at_best = (q * cost.distances(COUNTS, best)).sum()
    np.testing.assert_allclose(at_best, cost.total(COUNTS, TRUTH))
    for _ in range(20):
        other = 0.9 * best + 0.1 * rng.dirichlet(np.ones(8), 3)
        assert (q * cost.distances(COUNTS, other)).sum() > at_best


def test_doubled_prototypes_find_the_closed_form():
    """T_c is the largest eigenvalue of Σ_i n_i² (p_i - u)(p_i - u)ᵀ diag(1/u) / (s Σ_i n_i)."""
    cost, n = cost_of(COUNTS, 0.0), COUNTS.sum(axis=1, keepdims=True)
    u = cost.background
    Z = n * (COUNTS / n - u)
    expected = np.linalg.eigvals(Z.T @ Z / n.sum() / cost.unit / u).real.max()
    one = Clusters(u[None], np.ones(1))
    found = double(as_blocks(COUNTS), cost, one, rng.normal(size=(1, 8)), 1.2 * expected, None, 300)[0]
    np.testing.assert_allclose(found, expected, rtol=5e-3)


def test_small_problems_mostly_reach_the_minimum():
    hits = 0
    for seed in range(5):
        generator = np.random.default_rng(seed)
        laws = generator.dirichlet(np.full(5, 0.4), 2)
        X = np.array([generator.multinomial(20, laws[i % 2]) for i in range(8)]).astype(float)
        cost = cost_of(X, 1e-6)
        least = min(cost.total(X, np.array((0, *rest))) for rest in product(range(2), repeat=7) if any(rest))
        model = HistogramClustering(2, smoothing=1e-6, random_state=0).fit(X)
        hits += cost.total(X, model.labels_) <= least * (1 + 1e-9)
    assert hits >= 4  # annealing is no guarantee: with eight rows, one of these five ends in a local minimum


def test_information_and_groups():
    model = HistogramClustering(3, random_state=0).fit(COUNTS)
    assert adjusted_rand_score(TRUTH, model.labels_) > 0.9
    table = np.array([COUNTS[model.labels_ == c].sum(axis=0) for c in range(3)])
    np.testing.assert_allclose(model.information_, mutual_info_score(None, None, contingency=table) / np.log(2))
    assert np.array_equal(model.predict(COUNTS), model.labels_)
    np.testing.assert_allclose(model.cluster_distributions_.sum(axis=1), 1)
    sparse = HistogramClustering(3, random_state=0).fit(csr_array(COUNTS))
    assert np.array_equal(sparse.labels_, model.labels_)


def test_counts_are_checked():
    for data, sentence in ((-COUNTS, "Negative"), (0 * COUNTS, "no count")):
        with pytest.raises(ValueError, match=sentence):
            HistogramClustering(2).fit(data)
    with pytest.raises(ValueError, match="smoothing"):
        HistogramClustering(2, smoothing=0).fit(COUNTS)


@pytest.mark.parametrize("name, k, least", [("cstr", 4, 0.75)])
def test_documents_are_grouped(shared_data, name, k, least):
    stored = np.load(shared_data / "dyadic" / f"{name}.npz")
    X = csr_array((stored["data"].astype(float), stored["indices"], stored["indptr"]), shape=tuple(stored["shape"]))
    model = HistogramClustering(k, random_state=0).fit(X)
    assert normalized_mutual_info_score(stored["y"], model.labels_) > least


def test_parametric_prototypes_recover_the_mixture():
    G = gaussian_bins(np.array([4.0, 15.0, 24.0]), np.array([2.0, 2.0, 2.0]), 32)
    weights = np.array([[0.7, 0.3, 0.0], [0.1, 0.1, 0.8]])
    cost = ParametricDistributional(np.full(32, 1 / 32), 1.0, G)
    np.testing.assert_allclose(cost.mixing(1000 * weights @ G), weights, atol=1e-3)


def test_parametric_clusters_of_small_histograms():
    G = gaussian_bins(np.array([6.0, 16.0, 26.0]), np.array([3.0, 3.0, 3.0]), 32)
    laws = np.array([[0.8, 0.2, 0.0], [0.0, 0.3, 0.7]]) @ G
    truth = rng.integers(0, 2, 100)
    X = np.array([rng.multinomial(12, laws[c]) for c in truth])
    for components in ("fitted", "grid"):
        model = ParametricDistributionalClustering(2, n_components=4, components=components, random_state=0).fit(X)
        assert adjusted_rand_score(truth, model.labels_) > 0.9
    with pytest.raises(ValueError, match="components"):
        ParametricDistributionalClustering(2, components="best").fit(X)
