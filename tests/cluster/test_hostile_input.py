"""Values no cost can be made of, and parameters that make no sense, are refused in a sentence that names them."""

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array, eye_array
from sklearn.base import clone
from sklearn.metrics import adjusted_rand_score, pairwise_distances

from unmix.cluster import (
    CorrelationClustering,
    GraphPartition,
    HistogramClustering,
    InformationBottleneck,
    PairwiseClustering,
    ParametricDistributionalClustering,
    SmoothKMeans,
)
from unmix.embedding import PairwiseSOM

rng = np.random.default_rng(0)
y = np.repeat(np.arange(3), 8)
X = rng.normal(size=(24, 2)) + 9 * y[:, None]
D = pairwise_distances(X)
W = np.exp(-D)
COUNTS = np.array([rng.multinomial(60, law) for law in np.array([[8, 1, 1], [1, 8, 1], [1, 1, 8]])[y] / 10.0])
SINGLE = np.float32(1e37)


@pytest.mark.parametrize("scale", [1e300, SINGLE], ids=["double", "single"])
@pytest.mark.parametrize("model", [PairwiseClustering(3), PairwiseSOM(3)], ids=["clusters", "map"])
def test_distances_that_overflow_are_refused(model, scale):
    with pytest.raises(ValueError, match=r"distances between rows of X .* divide X by a constant"):
        model.fit((X * scale).astype(np.float32 if scale is SINGLE else np.float64))


@pytest.mark.parametrize(
    "model", [PairwiseClustering(3, random_state=0), PairwiseSOM(3, random_state=0)], ids=["clusters", "map"]
)
def test_distances_whose_squares_alone_overflow_in_single_precision_are_taken(model):
    large, usual = ((X * scale).astype(np.float32) for scale in (2.0**80, 1.0))
    np.testing.assert_array_equal(clone(model).fit(large).labels_, clone(model).fit(usual).labels_)


@pytest.mark.parametrize(
    "model, data",
    [
        (PairwiseClustering(3, metric="precomputed"), D),
        (PairwiseSOM(3, metric="precomputed"), D),
        (CorrelationClustering(3, metric="precomputed"), D),
        (CorrelationClustering(3, metric="precomputed"), csr_array(D)),
        (GraphPartition(3, balance="ratio", metric="precomputed"), W),
    ],
)
def test_a_matrix_whose_costs_overflow_is_refused(model, data):
    with pytest.raises(ValueError, match=r"X reach .* divide X by a constant"):
        model.fit(data * 1e300)


def test_a_matrix_in_single_precision_is_refused_where_its_sums_overflow():
    with pytest.raises(ValueError, match=r"X reach .* divide X by a constant"):
        CorrelationClustering(3, metric="precomputed").fit((D * 1e36).astype(np.float32))


@pytest.mark.parametrize("scale", [1e307, 1e-14, 1e-300])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("inference", ["mean_field", "simulated_annealing"])
def test_normalized_cuts_are_the_same_in_any_unit(scale, sparse, inference):
    weights = csr_array(W * scale) if sparse else W * scale
    model = GraphPartition(3, inference=inference, random_state=0, metric="precomputed").fit(weights)
    assert adjusted_rand_score(model.labels_, y) == 1
    assert model.cost_ == pytest.approx(
        GraphPartition(3, inference=inference, random_state=0, metric="precomputed").fit(W).cost_
    )


@pytest.mark.parametrize("scale", [1e-160, np.float32(1e-22)], ids=["double", "single"])
@pytest.mark.parametrize("model", [PairwiseClustering(3), PairwiseSOM(3)], ids=["clusters", "map"])
def test_distances_whose_squares_vanish_are_refused_and_equal_rows_are_not(model, scale):
    with pytest.raises(ValueError, match=r"rows of X differ by .* multiply X by a constant"):
        model.fit((X * scale).astype(type(scale)))
    model.fit(np.ones((4, 2)))


def test_a_map_of_vanishing_dissimilarities_is_refused():
    with pytest.raises(ValueError, match=r"dissimilarities X reach .* multiply X by a constant"):
        PairwiseSOM(3, metric="precomputed").fit(D * 1e-300)


@pytest.mark.parametrize("scale", [1e300, 1e-300, np.float32(1e25), np.float32(1e-35)])
def test_smooth_clusters_are_the_same_in_any_unit(scale):
    model = SmoothKMeans(3, neighbors=(1, 24), random_state=0).fit((X * scale).astype(type(scale)))
    assert adjusted_rand_score(model.labels_, y) == 1
    means = np.array([X[y == group].mean(axis=0) for group in range(3)])
    np.testing.assert_allclose(np.sort(model.cluster_centers_ / scale, axis=0), np.sort(means, axis=0), rtol=1e-3)
    np.testing.assert_array_equal(model.predict((X * scale).astype(type(scale))), model.labels_)


@pytest.mark.parametrize(
    "neighbors",
    ["grid", (1.0, 24.0), (1, 24, 1), np.eye(3), eye_array(24) * np.nan, np.full((24, 24), -1.0)],
)
def test_smooth_clusters_refuse_what_is_no_neighbourhood(neighbors):
    with pytest.raises(ValueError, match="neighbors"):
        SmoothKMeans(3, neighbors=neighbors).fit(X)


def test_smooth_clusters_take_a_dense_graph_and_a_list_for_a_grid():
    line = np.eye(24, k=1) + np.eye(24, k=-1)
    expected = SmoothKMeans(3, neighbors=(1, 24), random_state=0).fit(X)
    for neighbors in (line, csr_array(line), [1, 24]):
        found = SmoothKMeans(3, neighbors=neighbors, random_state=0).fit(X)
        assert np.array_equal(found.labels_, expected.labels_) and found.cost_ == pytest.approx(expected.cost_)


@pytest.mark.parametrize("scale", [2e306, 1e-300])
@pytest.mark.parametrize("inference", ["deterministic_annealing", "gibbs"])
def test_counts_out_of_all_proportion_are_refused(scale, inference):
    with pytest.raises(ValueError, match="counts X add up to"):
        HistogramClustering(3, inference=inference).fit(COUNTS * scale)


@pytest.mark.parametrize("scale", [1e90, 1e-90])
@pytest.mark.parametrize("inference", ["deterministic_annealing", "gibbs"])
def test_counts_in_odd_units_give_the_same_groups(scale, inference):
    model = HistogramClustering(3, inference=inference, random_state=0).fit(COUNTS * scale)
    assert adjusted_rand_score(model.labels_, y) == 1


def test_equal_rows_have_one_cluster_under_deterministic_annealing():
    counts = np.repeat([[48.0, 6.0, 6.0, 0.0]], 10, axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # fewer clusters than asked for
        model = InformationBottleneck(3, inference="deterministic_annealing", random_state=0).fit(counts)
    assert model.information_ == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    "model, data, name",
    [
        (PairwiseClustering(3, temperature=np.inf), X, "temperature"),
        (CorrelationClustering(threshold=np.nan, metric="precomputed"), W, "threshold"),
        (CorrelationClustering(threshold="half", metric="precomputed"), W, "threshold"),
        (SmoothKMeans(3, coupling=np.inf), X, "coupling"),
        (PairwiseSOM(None), X, "shape"),
        (PairwiseSOM(3, sigma=1.0), X, "sigma"),
        (PairwiseSOM(3, sigma=("wide", "thin")), X, "sigma"),
        (InformationBottleneck(3, curve="steep"), COUNTS, "curve"),
        (HistogramClustering(3, cooling="slow"), COUNTS, "cooling"),
        (ParametricDistributionalClustering(3, cooling=None), COUNTS, "cooling"),
    ],
)
def test_parameters_that_make_no_sense_are_named(model, data, name):
    with pytest.raises(ValueError, match=f"^{name}"):
        model.fit(data)


def test_a_new_object_joins_no_cluster_it_knows_nothing_of():
    model = PairwiseClustering(3, metric="precomputed", missing="ignore", random_state=0).fit(D)
    new = np.where(y == 0, np.nan, D[[-1]])  # like the last object, but nothing is known of the first cluster
    assert model.predict(new)[0] == model.labels_[-1]
    far = np.where(y == 0, np.nan, 100.0 + D[[-1]])
    assert model.predict(far)[0] != model.labels_[0]
    with pytest.raises(ValueError, match="no dissimilarity of row 0"):
        model.predict(np.full((1, 24), np.nan))
