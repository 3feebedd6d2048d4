"""What stability must not depend on, for every way to perturb and to carry labels over; and how its parts add up."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import KMeans
from sklearn.neighbors import KNeighborsClassifier

import unmix.cluster
from unmix.datasets import blobs, gaussian
from unmix.validation import Stability

TRANSFERS = ["auto", "nearest", "prototype", KNeighborsClassifier(3)]
START = np.array([[0.0, 1.0], [1.0, 0.0], [-1.0, -1.0]])
each_way = pytest.mark.parametrize("transfer", TRANSFERS, ids=["auto", "nearest", "prototype", "classifier"])
each_perturbation = pytest.mark.parametrize("perturb", ["split", "subsample", "noise"])


class Named(ClusterMixin, BaseEstimator):
    """K-means from a fixed start whose clusters bear other names in every fit."""

    def __init__(self, names=(0, 1, 2), turn=False):
        self.names = names
        self.turn = turn

    def fit(self, X, y=None):
        self.model_ = KMeans(3, init=START, n_init=1).fit(X)
        self.names_ = np.roll(self.names, len(X) if self.turn else 0)
        self.labels_ = self.names_[self.model_.labels_]
        return self

    def predict(self, X):
        return self.names_[self.model_.predict(X)]


def seen_by(model, X, **settings):
    return Stability(n_resamples=4, **settings).measure(model.fit(X), X, np.random.default_rng(0))


@each_way
@each_perturbation
def test_neither_names_nor_order_count(perturb, transfer):
    X = gaussian(120, 2, random_state=4)
    order = np.random.default_rng(1).permutation(120)
    plain = seen_by(Named(), X, perturb=perturb, transfer=transfer)
    renamed = seen_by(Named((7, 40, 3), turn=True), X, perturb=perturb, transfer=transfer)
    moved = seen_by(Named(), X[order], perturb=perturb, transfer=transfer)
    assert 0 < plain.distances.mean() < 0.6  # neither trivial nor hopeless, so that there is something to agree on
    assert np.array_equal(plain.distances, renamed.distances) and np.array_equal(plain.rows, renamed.rows)
    assert np.array_equal(plain.distances, moved.distances) and np.array_equal(plain.rows[order], moved.rows)
    assert np.allclose(np.sort(plain.clusters), np.sort(renamed.clusters)) and np.allclose(
        plain.clusters, moved.clusters
    )


@each_way
@each_perturbation
def test_clusters_are_the_means_of_their_rows_and_the_score_that_of_the_resamples(perturb, transfer):
    X, _ = blobs(120, 2, 3, separation=2.5, random_state=0)
    model = Named().fit(X)
    seen = seen_by(model, X, perturb=perturb, transfer=transfer)
    assert ((seen.rows >= 0) & (seen.rows <= 1)).all()
    assert np.allclose(seen.clusters, [seen.rows[model.labels_ == c].mean() for c in range(3)])
    assert seen.score.value == pytest.approx(1 - seen.distances.mean() / seen.random)
    assert seen.score.value + seen.inconsistency.value == pytest.approx(1)


@pytest.mark.slow_without_jit
@each_perturbation
def test_order_does_not_count_for_a_random_start_either(perturb):
    X = gaussian(100, 3, random_state=5)
    order = np.random.default_rng(1).permutation(100)
    first, moved = (
        seen_by(unmix.cluster.KMeans(4, random_state=0), table, perturb=perturb).distances for table in (X, X[order])
    )
    assert np.array_equal(first, moved) and first.mean() > 0


@pytest.mark.slow_without_jit
@each_perturbation
def test_a_common_factor_and_a_shift_of_the_columns_say_nothing(perturb):
    X = gaussian(100, 2, random_state=6)
    plain = seen_by(unmix.cluster.KMeans(3, random_state=0), X, perturb=perturb)
    other = seen_by(unmix.cluster.KMeans(3, random_state=0), 1024 * X + [4096, -512], perturb=perturb)
    assert np.allclose(plain.distances, other.distances, atol=0.02)
