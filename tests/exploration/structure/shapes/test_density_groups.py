"""Groups of any shape: rows find their own again, new rows that of their neighbours; kept in a file."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import KNeighborsClassifier

import unmix
from unmix.exploration.structure.shapes import density_groups
from unmix.exploration.structure.shapes.density_groups import DensityGroups


def rings(rng, n=300):
    outer, angle = np.arange(n) % 2, rng.uniform(0, 2 * np.pi, n)
    radius = np.where(outer, 5.0, 2.0) + 0.25 * rng.normal(size=n)
    return radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1), outer


def test_nested_rings_and_new_rows_of_them():
    rng = np.random.default_rng(0)
    (X, truth), (new, truth_of_new) = rings(rng), rings(rng)
    model = DensityGroups(2).fit(X)
    assert adjusted_rand_score(truth, model.labels_) == 1.0
    found = model.predict(new)
    assert adjusted_rand_score(truth_of_new, found) == 1.0
    np.testing.assert_array_equal(found, KNeighborsClassifier(1).fit(X, model.labels_).predict(new))
    assert (model.predict(model.cluster_centers_) == [0, 1]).all()


def test_of_many_rows_some_tell_the_groups(monkeypatch):
    monkeypatch.setattr(density_groups, "MOST_ROWS", 400)
    X, truth = rings(np.random.default_rng(1), 900)
    model = DensityGroups(2, random_state=0).fit(X)
    assert len(model.rows_) == 400 and len(model.labels_) == 900
    assert adjusted_rand_score(truth, model.labels_) > 0.98


def test_rows_several_times_count_once():
    X, _ = rings(np.random.default_rng(2))
    model = DensityGroups(2).fit(np.concatenate([X, X[:50], X[:50]]))
    np.testing.assert_array_equal(model.labels_[:300], DensityGroups(2).fit(X).labels_)


def test_kept_in_a_file(tmp_path):
    X, _ = rings(np.random.default_rng(3))
    model = DensityGroups(2).fit(X.astype(np.float32))
    assert model.cluster_centers_.dtype == np.float32
    model.save(tmp_path / "groups.unmix")
    np.testing.assert_array_equal(unmix.load(tmp_path / "groups.unmix").predict(X), model.predict(X))


def test_a_number_of_groups_that_is_none_is_refused():
    with pytest.raises(ValueError, match="n_clusters"):
        DensityGroups(0).fit(np.zeros((20, 2)))


def test_few_rows_are_one_group():
    assert DensityGroups(3).fit(np.arange(8.0)[:, None]).labels_.tolist() == [0] * 8
