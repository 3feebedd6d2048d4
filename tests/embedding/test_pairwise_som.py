"""Maps of dissimilarities: their cost against maps of vectors and against pairwise clustering, and what they order."""

import numpy as np
import pytest
from sklearn.base import clone

from unmix.algorithms.self_organizing_map.grid import grid_distances, grid_positions, neighborhood
from unmix.cluster import PairwiseClustering
from unmix.costs.neighborhood import Neighborhood
from unmix.costs.pairwise import Pairwise, make_dissimilarities
from unmix.costs.pairwise_neighborhood import PairwiseNeighborhood
from unmix.embedding import PairwiseSOM

rng = np.random.default_rng(0)
X = rng.normal(size=(40, 2)) + 6 * rng.integers(0, 2, (40, 2))
D = ((X[:, None] - X) ** 2).sum(-1)
H = neighborhood(grid_distances(grid_positions((2, 2), "rectangular")), 0.7, "gaussian")


def test_on_squared_distances_it_is_the_map_of_vectors():
    data = make_dissimilarities(D)
    for seed in range(5):
        labels = np.random.default_rng(seed).integers(0, 4, 40)
        assert PairwiseNeighborhood(H).total(data, labels) == pytest.approx(Neighborhood(H).total(X, labels))
        assert PairwiseNeighborhood(np.eye(4)).total(data, labels) == pytest.approx(Pairwise().total(data, labels))


def test_without_neighbourhood_it_is_pairwise_clustering():
    model = PairwiseSOM((2, 2), metric="sqeuclidean", sigma=(0.0, 0.0), n_steps=40, random_state=0).fit(X)
    assert model.cost_ == pytest.approx(PairwiseClustering(4, metric="sqeuclidean", random_state=0).fit(X).cost_)


def test_a_line_is_laid_out_in_order_and_new_objects_find_their_place():
    place = np.sort(rng.random(60))
    far = np.abs(place[:, None] - place)
    model = PairwiseSOM(6, metric="precomputed", random_state=0).fit(far)
    steps = np.diff(model.labels_)
    assert (steps >= 0).all() or (steps <= 0).all()
    assert len(np.unique(model.labels_)) >= 4
    assert (model.predict(far) == model.labels_).mean() > 0.9


def test_no_single_object_gains_by_moving():
    model = PairwiseSOM((2, 3), metric="sqeuclidean", random_state=0).fit(X)
    last = neighborhood(grid_distances(model.grid_), 0.5, "gaussian")
    cost, data = PairwiseNeighborhood(last), make_dissimilarities(D)
    for i in range(0, 40, 5):
        moved = [cost.total(data, np.where(np.arange(40) == i, c, model.labels_)) for c in range(6)]
        assert moved[model.labels_[i]] <= min(moved) + 1e-9


CLEAR = {
    "shape": (PairwiseSOM((2, 0)), "shape"),
    "topology": (PairwiseSOM(topology="round"), "topology"),
    "widths": (PairwiseSOM(sigma=(0.5, 2.0)), "sigma"),
    "steps": (PairwiseSOM(n_steps=1), "n_steps"),
    "not square": (PairwiseSOM(metric="precomputed"), "square"),
}


@pytest.mark.parametrize("case", CLEAR)
def test_refused_in_one_sentence(case):
    model, words = CLEAR[case]
    with pytest.raises(ValueError, match=words):
        clone(model).fit(X)


def test_similarities_are_told_from_dissimilarities():
    far = np.abs(X[:, :1] - X[:, 0])
    with pytest.raises(ValueError, match="X is negative on average"):
        PairwiseSOM((2, 2), metric="precomputed").fit(-far)
