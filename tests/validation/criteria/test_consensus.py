"""The vote on the number of clusters: who votes, what chance allows, and what becomes of it."""

from functools import partial

import numpy as np
import pytest
from sklearn.metrics import calinski_harabasz_score
from sklearn.mixture import GaussianMixture

from unmix.cluster import KMeans
from unmix.datasets import blobs, gaussian, skewed, student_t, tibshirani, uniform
from unmix.validation import Consensus, MixtureOrder, select
from unmix.validation.criteria.consensus import plurality, variance_ratio
from unmix.validation.evidence.mixture_path import (
    _climber,
    _compiled,
    _fit,
    _interpreted,
    covariance_count,
    cut_one,
    in_few_axes,
    mixture_path,
)

NULLS = {
    "round": lambda seed: gaussian(200, 3, random_state=seed),
    "correlated": lambda seed: gaussian(200, 3, correlated=True, random_state=seed),
    "uniform": lambda seed: uniform(600, 2, random_state=seed),
    "heavy tails": lambda seed: student_t(200, 3, random_state=seed),
    "skewed": lambda seed: skewed(200, 3, random_state=seed),
}


def found(X, max_k=6, **settings):
    return select(KMeans(), X, range(1, max_k + 1), Consensus(n_references=12, **settings), random_state=0)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("kind", NULLS)
@pytest.mark.parametrize("seed", [1, 2])
def test_one_cluster_where_there_are_none(kind, seed):
    selection = found(NULLS[kind](seed))
    assert selection.best_params == {"n_clusters": 1}
    assert selection.verdict.startswith("No cluster structure beyond chance")


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("model, k", [(2, 3), (3, 4), (4, 4), (5, 2)])
def test_the_published_models_of_few_rows(model, k):
    """Tibshirani, Walther and Hastie (2001): 25 or 50 rows a cluster, in 2, 3 and 10 dimensions."""
    X, _ = tibshirani(model, random_state=3)
    assert found(X, 7).best_params == {"n_clusters": k}


@pytest.mark.slow_without_jit
def test_clusters_that_touch():
    """Centres 4 standard deviations apart on a 3 × 3 lattice: hardly a valley, yet nine groups."""
    rng = np.random.default_rng(0)
    lattice = 4.0 * np.stack(np.meshgrid(range(3), range(3)), -1).reshape(-1, 2)
    assert found(lattice[np.arange(900) % 9] + rng.standard_normal((900, 2)), 10).best_params == {"n_clusters": 9}


@pytest.mark.slow_without_jit
def test_the_verdict_names_who_is_for_and_who_against():
    X, _ = blobs(150, 2, 3, random_state=0)
    selection = found(X)
    assert "All 5 criteria agree" in selection.verdict and "p < 0.001" in selection.verdict
    assert [score.value for score in selection.evaluations["consensus"].scores] == [0, 0, 1, 0, 0, 0]
    rng = np.random.default_rng(0)
    bars = rng.uniform(size=(600, 2)) * [30, 1] + np.where(np.arange(600) % 2, 0, 4)[:, None] * [0, 1]
    selection = found(bars, 8)
    votes = selection.details["consensus"].votes
    assert selection.best_params == {"n_clusters": 2} and votes["Calinski-Harabasz"] != 2
    assert "others differ" in selection.verdict


@pytest.mark.slow_without_jit
def test_neither_order_of_rows_nor_scale_counts():
    X, _ = blobs(150, 2, 3, separation=4, random_state=0)
    order = np.random.default_rng(1).permutation(150)
    seen = [found(rows).details["consensus"] for rows in (X, X[order], 1e150 * X)]
    assert seen[0].votes == seen[1].votes == seen[2].votes
    assert seen[0].p_value == pytest.approx(seen[1].p_value, rel=1e-6) == pytest.approx(seen[2].p_value, rel=1e-3)


@pytest.mark.slow_without_jit
def test_a_grid_without_the_number_gives_the_nearest():
    X, _ = blobs(150, 2, 3, random_state=0)
    selection = select(KMeans(), X, [2, 5], Consensus(n_references=6), random_state=0)
    assert selection.best_params == {"n_clusters": 2} and "no K = 3" in selection.verdict


@pytest.mark.slow_without_jit
def test_models_that_find_their_number_themselves():
    from sklearn.cluster import DBSCAN, HDBSCAN

    X, _ = blobs(150, 2, 3, random_state=0)
    verdict = select(HDBSCAN(copy=True), X, {"min_cluster_size": [5, 10]}, random_state=0).verdict
    assert verdict.startswith("3 clusters") and "largest number on the grid" not in verdict
    verdict = select(DBSCAN(), gaussian(100, random_state=0), {"eps": [5.0]}, Consensus(), random_state=0).verdict
    assert verdict.startswith("With every setting")


def test_plurality():
    assert plurality([3, 2, 2, 5]) == 2
    assert plurality([4, 2, 2, 4]) == 4, "the first criterion decides a tie"
    assert plurality([1, 1, 3, 1]) == 3, "one is not in question any more"
    assert plurality([1, 1]) == 1


def test_variance_ratio_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(60, 3)), rng.integers(4, size=60)
    assert variance_ratio(X, labels) == pytest.approx(calinski_harabasz_score(X, labels))
    assert variance_ratio(1e200 * X, labels) == pytest.approx(calinski_harabasz_score(X, labels))
    assert np.isnan(variance_ratio(X, np.zeros(60, dtype=int))) and np.isnan(variance_ratio(X, np.arange(60)))


@pytest.mark.slow_without_jit
def test_mixtures_as_scikit_learn_fits_them():
    """BIC of the best of the shapes, and ICL with the entropy of the responsibilities on top.

    The fifth shape scikit-learn does not have; of clusters far apart its maximum has a closed form.
    """
    X, y = blobs(200, 2, 3, random_state=0)
    rows, path = in_few_axes(X), mixture_path(X, [1, 2, 3, 4], 0)
    peers = [
        GaussianMixture(3, covariance_type=shape, n_init=5, reg_covar=1e-9, tol=1e-6, random_state=0).fit(rows)
        for shape in ("spherical", "diag", "tied", "full")
    ]
    share = np.bincount(y) / 200
    variance = ((rows - np.stack([rows[y == c].mean(axis=0) for c in range(3)])[y]) ** 2).mean(axis=0)
    fifth = -400 * (share @ np.log(share) - 0.5 * (2 + np.log(2 * np.pi * variance).sum())) + 10 * np.log(200)
    assert path.bic[2] == pytest.approx(min([fifth, *(peer.bic(rows) for peer in peers)]), rel=1e-3)
    assert path.by_bic() == path.by_icl() == 3 and np.all(path.icl >= path.bic - 1e-9)


def test_few_axes():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=50) * 1e200, np.full(50, 7.0), rng.normal(size=50) * 1e-200])
    rows = in_few_axes(X)
    assert rows.shape == (50, 2) and np.allclose(rows.std(axis=0), 1) and np.allclose(rows.mean(axis=0), 0)
    assert in_few_axes(rng.normal(size=(100, 60))).shape == (100, 20)
    assert in_few_axes(np.ones((9, 2))).shape == (9, 1)


@pytest.mark.slow_without_jit
def test_mixture_order_by_name():
    X, _ = blobs(150, 2, 3, random_state=0)
    both = select(KMeans(), X, range(1, 6), [MixtureOrder(), MixtureOrder("BIC")], random_state=0)
    assert set(both.choices) == {"mixture ICL", "mixture BIC"} and both.best_params == {"n_clusters": 3}
    with pytest.raises(ValueError, match="by='AIC'"):
        select(KMeans(), X, [1, 2], MixtureOrder("AIC"), random_state=0)


def test_reference_is_flat_where_the_covariance_is_round():
    """Shrinking the covariance must not turn the flat reference into a Gaussian: its kurtosis tells."""
    from unmix.validation import uniform_reference

    table = uniform_reference(uniform(4000, 2, random_state=0))(np.random.default_rng(3))
    centred = table - table.mean(axis=0)
    assert np.all((centred**4).mean(axis=0) / (centred**2).mean(axis=0) ** 2 < 2.6)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("shape", ["spherical", "diag", "tied", "full"])
def test_the_compiled_mixture_is_the_maximum_of_scikit_learns(shape):

    X, y = blobs(300, 3, 3, separation=4, random_state=1)
    rows = in_few_axes(X)
    centers = np.stack([rows[y == c].mean(axis=0) for c in range(3)])
    peer = GaussianMixture(3, covariance_type=shape, means_init=centers, reg_covar=0, tol=1e-6, max_iter=500).fit(rows)
    bic, icl, labels = _fit(_climber(rows, [centers]), rows.shape[1], 0, shape)
    q = peer.predict_proba(rows)
    assert bic == pytest.approx(peer.bic(rows), rel=1e-3)
    assert icl - bic == pytest.approx(-2 * np.sum(q * np.log(np.maximum(q, 1e-300))), rel=0.05, abs=0.5)
    assert (labels == q.argmax(axis=1)).mean() > 0.98


def test_a_second_start_finds_small_clusters_beside_a_large_one():

    rng = np.random.default_rng(0)
    X = np.concatenate([3 * rng.standard_normal((400, 2)), [12, 0] + 0.2 * rng.standard_normal((40, 2)),
                        [14, 0] + 0.2 * rng.standard_normal((40, 2))])  # fmt: skip
    before = np.repeat([0, 1], [400, 80])
    cut = cut_one(X, before, 3)
    assert np.array_equal(np.unique(cut[:400]), [0]) and len(np.unique(cut[400:440])) == len(np.unique(cut[440:])) == 1
    assert cut[400] != cut[440]


@pytest.mark.slow_without_jit
def test_columns_without_clusters_do_not_hide_those_with():
    """Two columns of twenty-two tell five groups: unit spread would let the twenty outvote the two."""
    rng = np.random.default_rng(3)
    centers = 9.0 * np.array([[0, 0], [1, 0], [0, 1], [1, 1], [2, 0]])
    X = np.hstack([centers[np.arange(400) % 5], np.zeros((400, 20))]) + rng.standard_normal((400, 22))
    path = mixture_path(X, range(1, 9), 0)
    assert path.by_bic() == path.by_icl() == 5


@pytest.mark.slow_without_jit
def test_few_rows_in_many_columns_make_no_likelihood_without_bound():
    """Of 60 rows in 50 columns a Gaussian of ten rows has no volume; it must not count as one that fits."""
    rng = np.random.default_rng(0)
    X = np.where(np.arange(60)[:, None] % 2, 2.0, 0.0) + rng.standard_normal((60, 50))
    assert found(X).best_params == {"n_clusters": 2}
    rows = in_few_axes(X)
    bic, icl, _ = _fit(_climber(rows, [rows[:6]]), rows.shape[1], 0, "full")
    assert bic == icl == np.inf


@pytest.mark.parametrize("compiled", [True, False])
def test_one_axis_parallel_covariance_for_all(compiled):
    """Rows far apart belong wholly to their own cluster: the maximum has a closed form."""
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    X = np.array([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]])[y] + rng.standard_normal((90, 2)) * [0.3, 0.6]
    means = np.stack([X[y == c].mean(axis=0) for c in range(3)])
    variance = ((X - means[y]) ** 2).mean(axis=0)
    expected = 90 * (np.log(1 / 3) - 0.5 * (2 + np.log(2 * np.pi * variance).sum()))
    climb = _compiled(X, [means + 0.1]) if compiled else partial(_interpreted, X, [means + 0.1])
    log_likelihood, q = climb(0, "tied diag")
    assert log_likelihood == pytest.approx(expected, rel=1e-6)
    assert np.array_equal(q.argmax(axis=0), y) and covariance_count("tied diag", 3, 2) == 2


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("points", [[[0.0], [1.0]], [[0.3, 7.1], [4.4, -2.0]], [[0, 0], [5, 0], [0, 5]]])
def test_few_points_that_come_back_are_as_many_clusters(points):
    X = np.repeat(np.array(points, dtype=float), 30, axis=0)
    assert found(X, 3).best_params == {"n_clusters": len(points)}


def test_a_lattice_is_not_a_few_points():
    from unmix.validation.evidence.references.reference import is_simplex

    grades = np.random.default_rng(0).integers(0, 3, (100, 2)).astype(float)
    assert not is_simplex(grades) and not is_simplex(np.ones((10, 2)))
    assert is_simplex(np.repeat(np.eye(3), 4, axis=0)) and not is_simplex(np.eye(3))


def test_a_reference_in_which_nothing_was_found_says_nothing_of_depth():
    from unmix.validation.evidence.references.gumbel import Gumbel

    depths = np.random.default_rng(0).gumbel(1.0, 0.1, 20)
    assert Gumbel.of(np.append(depths, np.zeros(9))) == Gumbel.of(depths)
    assert Gumbel.of(np.zeros(4)).location == pytest.approx(0.0, abs=1e-9)


def test_two_p_values_make_one_that_holds_whatever_their_dependence():
    """e times the geometric mean (Vovk and Wang 2020): below u no more often than u, for equal and opposite ones."""
    from unmix.validation.criteria.consensus import merged_p_value

    one = (np.arange(10_000) + 0.5) / 10_000
    for other in (one, 1 - one, np.random.default_rng(0).permutation(one)):
        merged = np.array([merged_p_value(p, q) for p, q in zip(one, other)])
        assert all((merged <= u).mean() <= u for u in (0.001, 0.01, 0.05, 0.2))


@pytest.mark.slow_without_jit
def test_the_verdict_on_a_walk_says_that_rows_depend():
    X = np.random.default_rng(1).normal(size=(200, 3)).cumsum(axis=0)
    found = select(KMeans(random_state=0), X, range(1, 5), Consensus(), random_state=0)
    assert found.best_params == {"n_clusters": 1} and "Rows depend on each other" in found.verdict
    shuffled = select(KMeans(random_state=0), X[np.random.default_rng(2).permutation(200)], range(1, 5), Consensus(), 0)
    assert "depend" not in shuffled.verdict
