"""Histogram clustering against enumeration, definitions and the labels of real documents."""

from itertools import product

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.special import rel_entr
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score, mutual_info_score, normalized_mutual_info_score

from tests.stored import stored
from unmix.cluster import HistogramClustering, InformationBottleneck, ParametricDistributionalClustering
from unmix.costs.base import HasTransitions
from unmix.costs.distributions.binned_gaussians import climb, fit_gaussians, gaussian_bins, mix
from unmix.costs.distributions.relative_entropy import Stats, carry_entropies
from unmix.costs.histogram import Histogram
from unmix.costs.mass_constrained import Clusters
from unmix.costs.parametric_distributional import FLOOR, ROUNDS, STEPS, ParametricDistributional
from unmix.inference.prototypes.critical_temperature import double
from unmix.io.dispatch import as_blocks

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


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name, k, least", [("cstr", 4, 0.75)])
def test_documents_are_grouped(shared_data, name, k, least):
    counts = stored(shared_data / "dyadic" / f"{name}.npz")
    X = csr_array((counts["data"].astype(float), counts["indices"], counts["indptr"]), shape=tuple(counts["shape"]))
    model = HistogramClustering(k, random_state=0).fit(X)
    assert normalized_mutual_info_score(counts["y"], model.labels_) > least


def test_parametric_prototypes_recover_the_mixture():
    means, widths = np.array([4.0, 15.0, 24.0]), np.array([2.0, 2.0, 2.0])
    weights = np.array([[0.7, 0.3, 0.0], [0.1, 0.1, 0.8]])
    laws = weights @ gaussian_bins(means, widths, 32)
    stats = Stats(1000 * laws, np.full(2, 1000.0))
    still = ParametricDistributional(np.full(32, 1 / 32), 1.0, means, widths, adapt=False)
    found = still.prototypes(stats, still.start(2))
    np.testing.assert_allclose(still.positions(found), laws, atol=1e-3)
    # and from elsewhere, with the Gaussians estimated too
    free = ParametricDistributional(np.full(32, 1 / 32), 1.0, means + np.array([2.0, -2.0, 3.0]), np.full(3, 4.0))
    found = free.start(2)
    for _ in range(40):
        found = free.prototypes(stats, found)
    np.testing.assert_allclose(free.positions(found), laws, atol=1e-3)
    np.testing.assert_allclose(free.gaussians(found), (means, widths), atol=0.1)


def test_no_step_of_parametric_prototypes_raises_the_cost():
    """Also where Gaussians are cut off by the ends, narrower than bins, and where labels are soft."""
    generator = np.random.default_rng(3)
    for bins, s in ((5, 3), (20, 4), (40, 2)):
        X = generator.poisson(2.0, (12, bins)) * (np.arange(bins) < generator.integers(1, bins + 1, (12, 1)))
        means, widths = generator.uniform(0, bins - 1, s), generator.uniform(0.5, bins, s)
        cost = ParametricDistributional((X.sum(axis=0) + 1e-9) / (X.sum() + 1e-9 * bins), 1.0, means, widths)
        q, found, seen = generator.dirichlet(np.ones(3), 12), cost.start(3), []
        for _ in range(30):
            seen.append(float((q * cost.distances(X, found)).sum()))
            found = cost.prototypes(cost.statistics(X, q, found), found)
        assert (np.diff(seen) <= 1e-9 * seen[0]).all() and seen[-1] < seen[0]
        assert not np.allclose(cost.gaussians(found)[0], means)


def test_estimated_gaussians_fit_better_than_those_of_the_pooled_histogram():
    """Two laws whose Gaussians lie where the histogram of all rows has no peak."""
    G = gaussian_bins(np.array([8.0, 12.0, 22.0]), np.array([1.5, 1.5, 3.0]), 32)
    truth = rng.integers(0, 2, 100)
    X = np.array([rng.multinomial(40, law) for law in (np.array([[0.9, 0.1, 0.0], [0.0, 0.6, 0.4]]) @ G)[truth]])
    model = ParametricDistributionalClustering(2, n_components=3, components="fitted", random_state=0).fit(X)
    total = X.sum(axis=0)
    still = ParametricDistributional(total / total.sum(), 1.0, *fit_gaussians(total, 3), adapt=False)
    assert adjusted_rand_score(truth, model.labels_) > 0.95
    assert model.cost_ < still.total(X, model.labels_)
    assert model.component_means_.shape == model.component_widths_.shape == (3,)


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


def groups_of_counts(seed=0, n=60):
    rng = np.random.default_rng(seed)
    laws = rng.dirichlet(np.full(8, 0.6), 3)
    return np.array([rng.multinomial(40, laws[i % 3]) for i in range(n)]).astype(float), np.arange(n) % 3


FITS = [
    lambda: HistogramClustering(3, random_state=0),
    lambda: HistogramClustering(3, inference="gibbs", random_state=0),
    lambda: HistogramClustering(3, inference="mean_field", random_state=0),
    lambda: InformationBottleneck(3, random_state=0),
    lambda: InformationBottleneck(3, beta=10.0, random_state=0),
    lambda: ParametricDistributionalClustering(3, random_state=0),
]


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("make", FITS)
@pytest.mark.parametrize("unit", [0.01, 3.0, 2.0**60, 2.0**-60, 1e-80])
def test_counts_in_another_unit_are_the_same_counts(make, unit):
    X, _ = groups_of_counts()
    plain, other = make().fit(X), make().fit(csr_array(unit * X))
    np.testing.assert_array_equal(plain.labels_, other.labels_)
    np.testing.assert_allclose(plain.cluster_distributions_, other.cluster_distributions_, atol=1e-12)
    np.testing.assert_allclose(plain.information_, other.information_, atol=1e-12)
    if np.log2(unit) % 1 == 0:
        dense = make().fit(unit * X)
        assert np.array_equal(plain.cluster_distributions_, dense.cluster_distributions_)
        assert np.array_equal(plain.transform(X), dense.transform(unit * X))


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("make", FITS)
@pytest.mark.parametrize("fill", [1e30, 1e307, -5.0])
def test_rows_of_no_weight_are_absent(make, fill):
    X, _ = groups_of_counts()
    more, weights = np.vstack([X, np.full((2, 8), fill)]), np.r_[np.ones(60), 0, 0]
    plain, other = make().fit(X), make().fit(more, sample_weight=weights)
    assert np.array_equal(plain.cluster_distributions_, other.cluster_distributions_)
    assert np.array_equal(plain.labels_, other.labels_[:60])


@pytest.mark.parametrize("make", FITS[:1] + FITS[3:])
def test_weight_two_is_twice(make):
    X, _ = groups_of_counts()
    weights = np.r_[np.full(20, 2.0), np.ones(40)]
    weighted, repeated = make().fit(X, sample_weight=weights), make().fit(np.vstack([X, X[:20]]))
    np.testing.assert_allclose(weighted.cluster_distributions_, repeated.cluster_distributions_, atol=1e-9)
    np.testing.assert_array_equal(weighted.labels_, repeated.labels_[:60])


def test_one_count_is_the_smallest_but_no_stray():
    X, y = groups_of_counts()
    assert HistogramClustering(3, random_state=0).fit(X).smoothing_ == X[X > 0].min() == 1
    assert HistogramClustering(3, smoothing=2.0, random_state=0).fit(0.5 * X).smoothing_ == 1
    X[0, np.argmax(X[0] == 0)] = 1e-9
    stray = HistogramClustering(3, random_state=0).fit(X)
    assert 1e-3 < stray.smoothing_ < 1e-2 and adjusted_rand_score(stray.labels_, y) > 0.9


@pytest.mark.parametrize("inference", ["gibbs", "mean_field"])
def test_one_huge_row_does_not_blur_the_others(inference):
    X, y = groups_of_counts()
    model = HistogramClustering(4, inference=inference, random_state=0).fit(np.vstack([X, 1e12 * np.eye(8)[:1]]))
    assert adjusted_rand_score(model.labels_[:60], y) == 1


def planted(n, m, k, counts, alpha, seed, unequal=False):
    rng = np.random.default_rng(seed)
    laws, sizes = rng.dirichlet(np.full(m, alpha), k), rng.dirichlet(np.full(k, 1.0 if unequal else 1e6))
    kind = rng.choice(k, n, p=sizes)
    return np.array([rng.multinomial(counts, laws[c]) for c in kind]).astype(float), kind


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(
    ("n", "m", "k", "counts", "alpha", "unequal", "asked", "make"),
    [
        (300, 50, 3, 20, 5.0, False, 3, np.asarray),  # few counts, groups that overlap
        (200, 20, 2, 5, 1.0, False, 2, csr_array),
        (150, 30, 5, 40, 1.0, True, 5, np.asarray),
        (100, 30, 4, 1000, 20.0, False, 4, csr_array),
        (150, 30, 1, 60, 1.0, False, 4, csr_array),  # no groups at all
        (150, 40, 3, 20, 1.0, False, 6, np.asarray),  # more clusters than groups
    ],
)
def test_no_other_inference_costs_less(n, m, k, counts, alpha, unequal, asked, make):
    X = make(planted(n, m, k, counts, alpha, 1, unequal)[0])
    default = HistogramClustering(asked, random_state=0).fit(X)
    for inference in ("mean_field", "gibbs"):
        other = HistogramClustering(asked, inference=inference, random_state=0).fit(X)
        assert default.cost_ <= 1.001 * other.cost_


def test_few_rows_do_not_take_the_place_of_a_group():
    """At the first split of rows of few counts, a handful that are alike by chance part first, and with a leap."""
    X, kind = planted(300, 50, 3, 20, 5.0, 1)
    model = HistogramClustering(3, random_state=0).fit(X)
    assert np.bincount(model.labels_).min() > 50
    assert adjusted_rand_score(kind, model.labels_) > 0.4


def test_the_cost_is_that_of_the_labels():
    X, _ = planted(200, 30, 1, 20, 1.0, 0)
    model = HistogramClustering(5, random_state=0).fit(X)
    cost = Histogram(X.sum(axis=0) / X.sum(), model.smoothing_, 1.0)
    assert model.cost_ == pytest.approx(cost.total(X, model.labels_), rel=1e-3)


def test_rows_that_carry_their_entropy_have_the_same_distances():
    X = rng.poisson(1.0, (20, 8)).astype(float)
    X[3] = 0
    laws = rng.dirichlet(np.ones(8), 3)
    cost = Histogram(X.sum(axis=0) / X.sum(), 1.0, 7.0)
    for rows in (X, csr_array(X)):
        q, carried = rng.random((20, 3)), carry_entropies(rows)
        assert np.allclose(cost.carrying().distances(carried, laws), cost.distances(rows, laws), atol=1e-12)
        assert np.allclose(cost.carrying().statistics(carried, q, laws).counts, cost.statistics(rows, q, laws).counts)


def test_the_compiled_estimate_of_gaussians_is_the_plain_one():
    generator = np.random.default_rng(0)
    for empty in (False, True):
        counts = generator.poisson(5.0, (3, 20)) * (1.0 - empty * np.eye(3)[:, :1])
        background = (counts.sum(axis=0) + 0.1) / (counts.sum() + 2.0)
        means, widths = generator.uniform(0, 19, 4), generator.uniform(0.5, 20, 4)
        cost = ParametricDistributional(background, 1.0, means, widths)
        found = cost.prototypes(Stats(counts, counts.sum(axis=1)), cost.start(3))
        w, G = np.full((3, 4), 0.25), gaussian_bins(means, widths, 20)
        for _ in range(ROUNDS):
            for _ in range(STEPS):
                w = mix(counts, background, FLOOR, w, G)
            density = (1 - FLOOR) * w @ G + FLOOR * background
            means, widths = climb((w.T @ np.where(counts > 0, counts / density, 0.0)) * G, means, widths)
            G = gaussian_bins(means, widths, 20)
        np.testing.assert_allclose(cost.gaussians(found), (means, widths), rtol=1e-9)
        np.testing.assert_allclose(cost.positions(found), (1 - FLOOR) * w @ G + FLOOR * background, rtol=1e-9)


def textures(seed=0, n=60):
    """Histograms of windows of four textures over 32 grey levels: two widths about one level, one more, and stripes."""
    generator = np.random.default_rng(seed)
    kind = np.repeat(np.arange(4), n // 4)
    draw = [
        lambda: generator.normal(12, 1.5, 64),
        lambda: generator.normal(12, 4.0, 64),
        lambda: generator.normal(16, 1.5, 64),
        lambda: generator.choice([9.0, 18.0], 64) + generator.normal(0, 1.0, 64),
    ]
    return np.array([np.histogram(draw[c](), bins=32, range=(0, 32))[0] for c in kind]).astype(float), kind


def test_textures_of_one_mean_are_told_apart():
    X, kind = textures()
    model = ParametricDistributionalClustering(4, random_state=0).fit(X)
    means = (X @ np.arange(32.0) / X.sum(axis=1))[:, None]
    assert adjusted_rand_score(kind, model.labels_) == 1.0
    assert adjusted_rand_score(kind, KMeans(4, random_state=0).fit(means).labels_) < 0.7


@pytest.mark.parametrize("seed", range(3))
def test_no_clusters_of_plain_histograms_fit_the_gaussians_better(seed):
    X, _ = planted(120, 24, 3, 30, 0.7, seed)
    model = ParametricDistributionalClustering(3, n_components=5, random_state=0).fit(X)
    labels = HistogramClustering(3, random_state=0).fit(X).labels_
    total = X.sum(axis=0)
    other = ParametricDistributional(total / total.sum(), 1.0, model.component_means_, model.component_widths_)
    assert model.cost_ <= 1.001 * other.total(X, labels)


@pytest.mark.slow_without_jit
def test_more_objects_than_are_annealed_together():
    """Thousands of distinct rows, few enough entries to be searched; no cut across a projection is better."""
    X = np.random.default_rng(0).poisson(40, size=(6000, 3)).astype(float)
    assert len(np.unique(X, axis=0)) > 4096
    model = HistogramClustering(2, smoothing=1e-6, random_state=0).fit(X)
    p, sizes = X / X.sum(axis=1, keepdims=True), X.sum(axis=1)

    def cost(labels):
        laws = np.stack([X[labels == c].sum(axis=0) / X[labels == c].sum() for c in (0, 1)])
        return float((sizes * (p * np.log(p / laws[labels])).sum(axis=1)).sum())

    assert model.cost_ == pytest.approx(cost(model.labels_))
    projections = p @ np.random.default_rng(1).normal(size=(3, 200))
    assert model.cost_ <= 1.001 * min(cost((z > np.median(z)).astype(int)) for z in projections.T)
