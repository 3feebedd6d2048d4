"""MDL and ICL against formulas written out; parameter counts against the dimension of the set of models."""

import numpy as np
import pytest
from scipy.special import gammaln
from scipy.stats import multivariate_normal
from sklearn.cluster import KMeans
from sklearn.decomposition import NMF, PCA, FactorAnalysis
from sklearn.mixture import GaussianMixture

import unmix
from unmix.cluster import HistogramClustering, PairwiseClustering, ParametricDistributionalClustering
from unmix.datasets import blobs, gaussian
from unmix.decomposition import TruncatedSVD
from unmix.validation import BIC, ICL, MDL, select
from unmix.validation.criteria.description_length import bits_of_integer, bits_of_parameter
from unmix.validation.evidence.held_out.likelihood import fit_of, noisy_factorization
from unmix.validation.evidence.held_out.parameter_count import n_parameters


def rank_of_map(f, size, seed=0):
    """The number of parameters that matter: rank of the Jacobian of `f` at a random point, by central differences."""
    point = np.random.default_rng(seed).normal(size=size)
    steps = 1e-5 * np.eye(size)
    jacobian = np.stack([(f(point + step) - f(point - step)).ravel() / 2e-5 for step in steps])
    return np.linalg.matrix_rank(jacobian, tol=1e-6)


@pytest.mark.parametrize("pca", [PCA, unmix.decomposition.PCA], ids=["sklearn", "unmix"])
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_pca_counts_the_dimension_of_its_gaussians(pca, k):
    d = 4

    def law(theta):
        loadings, mean, noise = theta[: d * k].reshape(d, k), theta[d * k : d * k + d], theta[-1]
        return np.append(loadings @ loadings.T + np.exp(noise) * np.eye(d), mean)

    model = pca(n_components=k).fit(gaussian(30, d, random_state=0))
    assert n_parameters(model, d) == rank_of_map(law, d * k + d + 1)
    if k < d - 1:
        assert n_parameters(model, d) == d * k - k * (k - 1) // 2 + 1 + d


def test_factor_analysis_counts_the_dimension_of_its_gaussians():
    d, k = 6, 2

    def law(theta):
        loadings = theta[: d * k].reshape(d, k)
        return np.append(loadings @ loadings.T + np.diag(np.exp(theta[d * k : d * k + d])), theta[d * k + d :])

    model = FactorAnalysis(k).fit(gaussian(50, d, random_state=0))
    assert n_parameters(model, d) == rank_of_map(law, d * k + 2 * d)


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("covariance", ["full", "tied", "diag", "spherical"])
@pytest.mark.parametrize("mixture", [GaussianMixture, unmix.density.GaussianMixture], ids=["sklearn", "unmix"])
def test_mixtures_count_the_dimension_of_their_densities(mixture, covariance, k):
    """The density at many places, as a function of every number the mixture is made of."""
    d, places = 2, np.random.default_rng(1).normal(size=(60, 2))
    kind = {"full": (k, 3), "tied": (1, 3), "diag": (k, 2), "spherical": (k, 1)}[covariance]

    def density(theta):
        weights = np.exp(theta[:k]) / np.exp(theta[:k]).sum()
        means, shapes = theta[k : k + k * d].reshape(k, d), theta[k + k * d :].reshape(kind)
        total = 0.0
        for c in range(k):
            s = shapes[c % len(shapes)]
            root = np.diag(np.exp(0.3 * s[:2] * np.ones(2)))
            if len(s) == 3:
                root[1, 0] = s[2]
            z = np.linalg.solve(root, (places - means[c]).T)
            total = total + weights[c] * np.exp(-0.5 * (z**2).sum(axis=0)) / np.linalg.det(root)
        return np.log(total)

    model = mixture(k, covariance_type=covariance, random_state=0).fit(gaussian(60, d, random_state=0))
    assert n_parameters(model, d) == rank_of_map(density, k + k * d + kind[0] * kind[1])
    fit = fit_of(model, gaussian(60, d, random_state=0))
    assert sum(part.number for part in fit.parts) == fit.n_parameters


def counts_of_two_kinds(n=40, seed=0):
    rng = np.random.default_rng(seed)
    laws = np.array([[0.5, 0.3, 0.1, 0.1], [0.1, 0.1, 0.3, 0.5]])
    return np.stack([rng.multinomial(50, laws[i % 2]) for i in range(n)]).astype(float)


def test_histogram_clustering_by_multinomials_written_out():
    X = counts_of_two_kinds()
    model = HistogramClustering(2, random_state=0).fit(X)
    u, q = model.cluster_distributions_, np.bincount(model.labels_) / len(X)
    ways = gammaln(X.sum(axis=1) + 1) - gammaln(X + 1).sum(axis=1)
    joint = np.exp(ways)[:, None] * q * np.prod(u[None] ** X[:, None], axis=2)
    fit = fit_of(model, X)
    assert np.allclose(fit.log_likelihood, np.log(joint.sum(axis=1)))
    assert fit.n_parameters == 2 * (4 - 1) + (2 - 1) == n_parameters(model, 4)
    assert BIC().evaluate(model, X).value == pytest.approx(-2 * np.log(joint.sum(axis=1)).sum() + 7 * np.log(40))
    # 50 counts a row: each probability is known from the 1000 counts of its cluster, not from its 20 rows.
    expected = -np.log2(joint.sum(axis=1)).sum() + bits_of_parameter(40) + bits_of_integer(2)
    expected += 3 * sum(bits_of_parameter(50 * size) for size in np.bincount(model.labels_))
    assert MDL().evaluate(model, X).value == pytest.approx(expected)


def test_smooth_histograms_count_their_gaussians():
    X = counts_of_two_kinds()
    for components, shared in (("fitted", 2 * 3), ("grid", 0)):
        model = ParametricDistributionalClustering(2, n_components=3, components=components, random_state=0).fit(X)
        assert n_parameters(model, 4) == 1 + 2 * 2 + shared


@pytest.mark.parametrize("criterion", [MDL(), BIC(), ICL()])
def test_histograms_of_two_kinds_are_two(criterion):
    found = select(HistogramClustering(), counts_of_two_kinds(60), range(1, 5), criterion, random_state=0)
    assert found.best_params == {"n_clusters": 2}


def test_mdl_of_a_mixture_is_figueiredo_and_jains_with_the_entropy_of_a_prior():
    X, _ = blobs(120, 3, 3, sizes=[1, 2, 3], random_state=0)
    model = GaussianMixture(3, random_state=0).fit(X)
    n, k, N = 120, 3, 3 + 6
    sizes = model.predict_proba(X).sum(axis=0)
    nats = N / 2 * np.log(sizes / 12).sum() + (k - 1) / 2 * np.log(n / 12) + (k * N + k - 1) / 2
    nats += (k * N + k - 1) / 2 * np.log(2 * np.pi * np.e) - model.score_samples(X).sum()
    assert MDL().evaluate(model, X).value == pytest.approx(nats / np.log(2) + bits_of_integer(k))


def test_a_small_cluster_is_charged_less_than_by_bic():
    """Equal κ and n, yet another order: 3 clusters, one of them of 12 rows."""
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(594, 2)), rng.normal(size=(594, 2)) + 12, rng.normal(size=(12, 2)) - 12])
    labels = np.repeat([0, 1, 2], [594, 594, 12])
    fit = fit_of(KMeans(3, n_init=1, init=np.stack([X[labels == c].mean(axis=0) for c in range(3)])).fit(X), X)
    charge, same = MDL()._charge(fit, 1200), BIC()._charge(fit, 1200) / 2 / np.log(2)
    saved = sum(0.5 * p.number * np.log2(1200 / p.evidence) for p in fit.parts) + 0.5 * 9 * np.log2(
        12 / (2 * np.pi * np.e**2)
    )
    assert same - charge == pytest.approx(saved - bits_of_integer(1))


@pytest.mark.parametrize("model, rank", [(TruncatedSVD(), 3), (NMF(init="nndsvda", max_iter=2000, tol=1e-3), 3)])
def test_factorizations_find_their_rank(model, rank):
    rng = np.random.default_rng(0)
    X = rng.gamma(1.0, size=(100, 3)) @ rng.gamma(1.0, size=(3, 12)) * 5 + 20 + rng.normal(size=(100, 12))
    X = X - 20 if isinstance(model, TruncatedSVD) else np.maximum(X - 20, 0)
    for criterion in (MDL(), BIC()):
        assert select(model, X, range(1, 7), criterion, random_state=0).best_params == {"n_components": rank}


def test_a_linear_factorization_is_a_gaussian_written_out():
    X = gaussian(50, 4, random_state=0) @ np.diag([4.0, 3.0, 1.0, 1.0]) + 2
    model = TruncatedSVD(2).fit(X)
    V = model.components_.T
    mean = X.mean(axis=0) @ V @ V.T
    off = np.eye(4) - V @ V.T
    covariance = V @ np.cov(V.T @ X.T, bias=True) @ V.T + off * np.sum((X @ off) ** 2) / (50 * 2)
    fit = fit_of(model, X)
    assert np.allclose(fit.log_likelihood, multivariate_normal(mean, covariance).logpdf(X))
    assert fit.n_parameters == (4 * 2 - 1 + 1) + 2


def test_a_factorization_around_its_mean_is_probabilistic_pca():
    X = gaussian(80, 5, random_state=0) @ np.diag([4.0, 3.0, 1.0, 1.0, 1.0])
    model = PCA(2).fit(X)
    fit = noisy_factorization(model, X, None)
    model.explained_variance_ = model.explained_variance_ * 79 / 80  # maximum likelihood divides by n
    model.noise_variance_ = model.noise_variance_ * 79 / 80
    assert np.allclose(fit.log_likelihood, model.score_samples(X))
    assert fit.n_parameters == n_parameters(model, 5)


def test_pca_finds_its_rank():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 2)) @ rng.normal(size=(2, 8)) * 2 + rng.normal(size=(300, 8))
    for criterion in (MDL(), BIC()):
        found = select(unmix.decomposition.PCA(), X, range(1, 8), criterion, random_state=0)
        assert found.best_params == {"n_components": 2}


def test_resolution_adds_bits_and_changes_no_choice():
    X, _ = blobs(100, 2, 2, random_state=0)
    models = [KMeans(k, n_init=3, random_state=0).fit(X) for k in (1, 2, 3)]
    plain, fine = (
        [criterion.evaluate(model, X).value for model in models] for criterion in (MDL(), MDL(resolution=0.25))
    )
    assert np.allclose(np.subtract(fine, plain), 100 * 2 * 2)
    with pytest.raises(ValueError, match="resolution=0"):
        MDL(resolution=0).evaluate(models[0], X)


def test_icl_is_bic_plus_twice_the_entropy():
    X, _ = blobs(90, 2, 3, separation=2.0, random_state=0)
    model = GaussianMixture(3, random_state=0).fit(X)
    q = model.predict_proba(X)
    assert ICL().evaluate(model, X).value == pytest.approx(model.bic(X) - 2 * (q * np.log(q)).sum(), rel=1e-12)


def test_icl_keeps_one_skewed_cluster_where_bic_splits_it():
    X = np.exp(0.7 * np.random.default_rng(0).normal(size=(400, 1)))
    choices = select(GaussianMixture(n_init=3), X, range(1, 5), [BIC(), ICL()], random_state=0).choices
    assert choices["BIC"]["n_components"] > 1
    assert choices["ICL"]["n_components"] < choices["BIC"]["n_components"]


@pytest.mark.parametrize("criterion", [BIC(), ICL(), MDL(), MDL(likelihood="classification")])
@pytest.mark.parametrize("k", [1, 3])
def test_weight_two_is_the_row_twice(criterion, k):
    X, _ = blobs(60, 2, 3, separation=3.0, random_state=0)
    weight = np.random.default_rng(0).integers(0, 3, 60)
    twice = np.repeat(X, weight, axis=0)
    for model in (unmix.density.GaussianMixture(k, random_state=0), unmix.cluster.KMeans(k, random_state=0)):
        weighted = criterion.evaluate(model.fit(X, sample_weight=weight), X, sample_weight=weight.astype(float)).value
        if hasattr(model, "labels_"):
            model.labels_ = model.predict(twice)
        assert criterion.evaluate(model, twice).value == pytest.approx(weighted, rel=1e-9)


def test_dissimilarities_are_refused():
    X = gaussian(20, 2, random_state=0)
    D = np.linalg.norm(X[:, None] - X, axis=2)
    with pytest.raises(TypeError, match="was given dissimilarities"):
        BIC().evaluate(PairwiseClustering(2, metric="precomputed", random_state=0).fit(D), D)
    with pytest.raises(TypeError, match="puts rows in no clusters"):
        ICL().evaluate(PCA(1).fit(X), X)
