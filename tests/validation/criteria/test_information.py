"""AIC and BIC: parameter counts and values against scikit-learn and closed forms."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.cluster import DBSCAN, KMeans
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import KernelDensity

from unmix import density
from unmix.datasets import blobs, gaussian, planted_roles
from unmix.roles import MultiAssignmentClustering, SingleAssignmentClustering
from unmix.validation import AIC, BIC, ICL, MDL, OneCluster, select
from unmix.validation.criteria.information import n_parameters, round_clusters


@pytest.mark.parametrize("covariance", ["full", "tied", "diag", "spherical"])
@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("mixture", [GaussianMixture, density.GaussianMixture], ids=["sklearn", "unmix"])
def test_mixtures_count_themselves_the_same(mixture, covariance, k):
    X = gaussian(80, 4, random_state=0)
    model = mixture(k, covariance_type=covariance, random_state=0).fit(X)
    assert n_parameters(model, 4) == model._n_parameters()
    assert AIC().evaluate(model, X).value == pytest.approx(model.aic(X), rel=1e-12)
    assert BIC().evaluate(model, X).value == pytest.approx(model.bic(X), rel=1e-12)


def test_one_round_cluster_is_the_spherical_gaussian():
    X = gaussian(60, 3, random_state=1)
    value = BIC().evaluate(KMeans(1, n_init=1).fit(X), X).value
    assert value == pytest.approx(GaussianMixture(1, covariance_type="spherical", reg_covar=0).fit(X).bic(X), rel=1e-9)


def test_round_clusters_by_densities_written_out():
    X, y = blobs(90, 2, 3, separation=3.0, sizes=[1, 2, 3], random_state=0)
    means = [X[y == c].mean(axis=0) for c in range(3)]
    variance = sum(((X[y == c] - means[c]) ** 2).sum() for c in range(3)) / X.size
    joint = np.stack([np.mean(y == c) * multivariate_normal(means[c], variance).pdf(X) for c in range(3)], axis=1)
    mixture, hard = round_clusters(X, y, "mixture"), round_clusters(X, y, "classification")
    assert np.allclose(mixture.log_likelihood, np.log(joint.sum(axis=1)))
    assert np.allclose(hard.log_likelihood, np.log(joint[np.arange(90), y]))
    assert mixture.n_parameters == hard.n_parameters == 3 * 2 + 2 + 1


def test_rows_in_no_cluster_are_drawn_from_a_gaussian_as_wide_as_the_table():
    X, y = blobs(90, 2, 3, random_state=0)
    y = np.where(np.arange(90) % 5 == 0, -1, 2 * y)  # names with gaps
    names, outside = np.unique(y[y != -1]), y == -1
    means = [X[y == c].mean(axis=0) for c in names]
    within = sum(((X[y == c] - u) ** 2).sum() for c, u in zip(names, means)) / (2 * (~outside).sum())
    wide = ((X - X.mean(axis=0)) ** 2).sum() / (2 * 90)
    joint = [(y == c).mean() * multivariate_normal(u, within).pdf(X) for c, u in zip(names, means)]
    joint.append(outside.mean() * multivariate_normal(X.mean(axis=0), wide).pdf(X))
    mixture, hard = round_clusters(X, y, "mixture"), round_clusters(X, y, "classification")
    assert np.allclose(mixture.log_likelihood, np.log(np.sum(joint, axis=0)))
    assert np.allclose(hard.log_likelihood[outside], np.log(joint[-1][outside]))
    assert mixture.n_parameters == (3 * 2 + 2 + 1) + 2 + 2
    assert sum(part.number for part in mixture.parts) == mixture.n_parameters


@pytest.mark.parametrize("criterion", [AIC(), BIC(), ICL(), MDL()])
def test_leaving_rows_out_is_no_gain(criterion):
    """A narrow reach leaves most rows in no cluster; few rows have a high likelihood, but so would none."""
    X, _ = blobs(60, 2, 3, random_state=0)
    found = select(DBSCAN(min_samples=4), X, {"eps": [0.3, 0.5, 0.8, 2.0]}, criterion, random_state=0)
    assert (found.estimators[1].labels_ == -1).sum() > 30
    assert found.best_params == {"eps": 2.0}
    one = OneCluster().fit(X)
    assert found.table[0]["value"] == pytest.approx(criterion.evaluate(one, X).value)  # all rows out: one cluster


@pytest.mark.parametrize("criterion", [AIC(), BIC()])
def test_one_cluster_is_a_candidate_and_wins_on_one_gaussian(criterion):
    selection = select(GaussianMixture(), gaussian(200, 2, random_state=3), range(1, 5), criterion, random_state=0)
    assert selection.best_params == {"n_components": 1}


@pytest.mark.parametrize("estimator", [KMeans(n_init=5), GaussianMixture(n_init=3)])
def test_bic_finds_separated_gaussians(estimator):
    X, _ = blobs(200, 3, 4, random_state=2)
    selection = select(estimator, X, range(1, 8), BIC(), random_state=0)
    assert list(selection.best_params.values()) == [4]


def test_errors_are_those_of_differences():
    X, _ = blobs(100, 2, 2, random_state=0)
    rows = select(KMeans(n_init=2), X, [1, 2, 3], BIC(), random_state=0).table
    best = next(row for row in rows if row["chosen"])
    assert np.isnan(best["error"])  # it does not differ from itself
    assert all(row["error"] > 0 for row in rows if row is not best)


def test_perfect_fit_is_finite():
    X = np.repeat(np.eye(3), 4, axis=0)
    assert np.isfinite(BIC().evaluate(KMeans(3, n_init=1, random_state=0).fit(X), X).value)


def test_a_model_without_counted_likelihood_is_refused():
    X = gaussian(20, random_state=0)
    with pytest.raises(TypeError, match="KernelDensity has no likelihood"):
        BIC().evaluate(KernelDensity().fit(X), X)
    with pytest.raises(ValueError, match="'mixture' or 'classification'"):
        BIC(likelihood="soft").evaluate(KMeans(2, n_init=1).fit(X), X)


@pytest.mark.parametrize(
    "model, count",
    [
        (density.Gaussian(), 3 + 6),
        (density.Categorical(), 2 + 2 + 2),
        (density.HistogramDensity(bins=[2, 3, 4]), 2 * 3 * 4 - 1),
    ],
)
def test_every_density_with_parameters_is_charged_for_them(model, count):
    X = np.random.default_rng(0).integers(0, 3, size=(60, 3)).astype(float)
    rows = model.fit(X).score_samples(X)
    assert AIC().evaluate(model, X).value == pytest.approx(2 * count - 2 * rows.sum(), rel=1e-12)
    assert BIC().evaluate(model, X).value == pytest.approx(count * np.log(60) - 2 * rows.sum(), rel=1e-12)


def test_a_gaussian_costs_as_much_as_a_mixture_of_one():
    X = gaussian(50, 3, random_state=1)
    one = density.GaussianMixture(1, random_state=0).fit(X)
    assert BIC().evaluate(density.Gaussian().fit(X), X).value == pytest.approx(one.bic(X), rel=1e-6)


def test_roles_are_charged_for_grants_sets_and_noise():
    table = planted_roles(120, 12, 2, noise=0.05, random_state=0)
    alone = SingleAssignmentClustering(3, random_state=0).fit(table.X)
    # by the law of a Bernoulli mixture, written out
    absent = np.clip(alone.absence_, 1e-9, 1 - 1e-9)
    joint = table.X @ np.log(1 - absent).T + (1 - table.X) @ np.log(absent).T + np.log(alone.set_weights_)
    expected = (3 * 12 + 2) * np.log(120) - 2 * np.logaddexp.reduce(joint, axis=1).sum()
    assert BIC().evaluate(alone, table.X).value == pytest.approx(expected, rel=1e-9)
    assert MultiAssignmentClustering(2, random_state=0).fit(table.X).n_parameters_ == 2 * 12 + (4 - 1) + 2


@pytest.mark.long
@pytest.mark.slow_without_jit
def test_planted_roles_are_counted():
    table = planted_roles(200, 30, 3, noise=0.05, random_state=0)
    for criterion in (BIC(), MDL()):
        chosen = select(MultiAssignmentClustering(random_state=0), table.X, {"n_roles": [1, 2, 3, 4]}, criterion)
        assert chosen.best_params == {"n_roles": 3}
