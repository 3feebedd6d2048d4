"""Defects put into the code on purpose: the relations must see each of them."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from tests.relations.outcome import try_relation
from unmix.core.random import spawn

pytestmark = pytest.mark.slow_without_jit


def drop_the_weights(plant):
    from unmix.shell.estimator import Estimator

    plant.setattr(Estimator, "_weights", lambda *anything: None)


def unweighted_mean_as_origin(plant):
    import unmix.algorithms.kmeans.lloyd.labels_and_cost as where
    import unmix.costs.nearest.centers as place

    def place_around_mean(centers, sparse, dtype):
        frame = place.frame_around(centers.mean(axis=0), float(np.abs(centers).max()), dtype)
        inside = frame.enter(np.asarray(centers, np.float64))
        return where.Places(frame, inside, inside)  # and compared there, digits lost

    plant.setattr(where, "place", place_around_mean)
    plant.setattr(where.Places, "scaled", property(lambda places: places.frame))


def stop_relative_to_the_largest(plant):
    import unmix.inference.prototypes.deterministic_annealing as place

    plant.setattr(place, "is_hard", lambda cost, state, *more: state.temperature < 1e-3 * state.table[0, 0])
    plant.setattr(place, "can_part", lambda *anything: False)


def duplicates_not_added_up(plant):
    import unmix.core.sources as place

    plant.setattr(place, "canonical", lambda X, **more: csr_array(X))


def one_stream_for_two_purposes(plant):
    import unmix.algorithms.rows.presentation as place

    plant.setattr(place, "spawn", lambda seed, purpose, epoch: spawn(seed, epoch))


PLANTED = {
    drop_the_weights: [("PCA", "weight_two_is_twice"), ("PCA", "weight_zero_is_absent")],
    unweighted_mean_as_origin: [("KMeans", "far_row_fitted")],
    stop_relative_to_the_largest: [("SoftKMeans", "far_row_fitted")],
    duplicates_not_added_up: [("KMeans", "sparse_in_any_form"), ("NMF", "sparse_in_any_form")],
    one_stream_for_two_purposes: [("MiniBatchKMeans", "no_stream_used_twice")],
}


@pytest.mark.parametrize(
    "defect, subject, relation",
    [(defect, *cell) for defect, cells in PLANTED.items() for cell in cells],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_a_planted_defect_is_seen(defect, subject, relation, monkeypatch):
    assert try_relation(subject, relation).verdict == "held"
    defect(monkeypatch)
    assert try_relation(subject, relation).verdict == "broken"
