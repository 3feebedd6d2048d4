"""The estimator against enumeration, the identity with histogram clustering, and documents with known topics."""

from itertools import product

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import is_clusterer
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import normalized_mutual_info_score

import unmix
from unmix.cluster import InformationBottleneck
from unmix.information import kl_divergence, mutual_information

rng = np.random.default_rng(0)
SMALL = rng.poisson(2.0, (8, 4)) + np.array([1, 0, 0, 1])


def grouped(counts, labels):
    return np.array([counts[labels == c].sum(axis=0) for c in np.unique(labels)])


@pytest.mark.parametrize("k", [2, 3])
def test_no_other_labels_keep_more_information(k):
    best = max(mutual_information(grouped(SMALL, np.array(c))) for c in product(range(k), repeat=len(SMALL)))
    model = InformationBottleneck(k, curve=None, random_state=0).fit(SMALL)
    assert model.information_ == pytest.approx(best)
    assert model.information_ == pytest.approx(mutual_information(grouped(SMALL, model.labels_)))


def test_hard_clusters_are_those_of_histogram_clustering():
    counts = rng.poisson(1.0, (40, 12)) + np.eye(40, 12, dtype=int)
    model = InformationBottleneck(4, random_state=0).fit(counts)
    p = counts.sum(axis=1) / counts.sum()
    cost = sum(p[i] * kl_divergence(counts[i], model.cluster_distributions_[c]) for i, c in enumerate(model.labels_))
    assert cost == pytest.approx(mutual_information(counts) - model.information_)
    assert model.total_information_ == pytest.approx(mutual_information(counts))
    nearest = [np.argmin([kl_divergence(row, u) for u in model.cluster_distributions_]) for row in counts]
    assert nearest == model.labels_.tolist()


def test_curve_belongs_to_the_fit():
    counts = rng.poisson(2.0, (12, 6)) + 3 * np.eye(12, 6, dtype=int)
    model = InformationBottleneck(12, random_state=0).fit(counts)
    curve = model.information_curve_
    assert {len(v) for v in curve.values()} == {30} and (np.diff(curve["beta"]) > 0).all()
    assert curve["beta"][0] < model.first_split_ < curve["beta"][1] * 1.2
    assert (curve["information"] <= model.total_information_ + 1e-9).all()
    assert curve["information"][-1] == pytest.approx(model.total_information_, rel=1e-3)
    rise = np.diff(curve["information"]) / np.maximum(np.diff(curve["rate"]), 1e-12)
    moved = np.diff(curve["rate"]) > 1e-4
    assert (np.diff(rise[moved]) <= 1e-3).all()


def test_finite_beta_is_a_point_of_the_curve():
    counts = rng.poisson(2.0, (20, 6)) + 3 * np.eye(20, 6, dtype=int)
    betas = [6.0, 12.0, 24.0]
    model = InformationBottleneck(6, beta=12.0, curve=betas, random_state=0).fit(counts)
    assert model.information_curve_["beta"].tolist() == betas
    assert (model.rate_, model.information_) == (
        model.information_curve_["rate"][1],
        model.information_curve_["information"][1],
    )
    q = model.transform(counts)
    np.testing.assert_allclose(q.sum(axis=1), 1)
    p = counts.sum(axis=1) / counts.sum()
    np.testing.assert_allclose(p @ q, model.cluster_masses_, atol=1e-3)
    assert mutual_information(p[:, None] * q) == pytest.approx(model.rate_, abs=1e-3)
    alone = InformationBottleneck(6, beta=12.0, curve=None, random_state=0).fit(counts)
    assert len(alone.information_curve_["beta"]) == 0
    assert alone.rate_ - 12 * alone.information_ == pytest.approx(model.rate_ - 12 * model.information_, abs=0.02)


def test_weights_multiply_the_mass():
    counts, weights = rng.poisson(2.0, (30, 5)) + 1, rng.integers(1, 6, 30)
    weighted = InformationBottleneck(3, curve=4, random_state=0).fit(counts, sample_weight=weights)
    scaled = InformationBottleneck(3, curve=4, random_state=0).fit(counts * weights[:, None])
    assert weighted.total_information_ == pytest.approx(scaled.total_information_)
    assert weighted.labels_.tolist() == scaled.labels_.tolist()
    again = mutual_information(grouped(counts * weights[:, None], weighted.labels_))
    assert weighted.information_ == pytest.approx(again)


def test_new_rows_and_empty_rows():
    counts = np.array([[9, 1, 0, 0], [8, 2, 0, 0], [0, 0, 1, 3], [7, 1, 0, 0], [0, 0, 0, 0]])
    model = InformationBottleneck(2, random_state=0).fit(counts)
    assert model.labels_.tolist() == [0, 0, 1, 0, 0]  # nothing known: the heaviest
    assert model.predict([[1, 0, 5, 0], [100, 0, 0, 0], [0, 0, 0, 1]]).tolist() == [1, 0, 1]
    assert model.transform([[0, 0, 0, 0]]).tolist() == [[1, 0]]
    assert is_clusterer(model)


def test_one_unseen_feature_does_not_shut_a_cluster_out():
    counts = np.array([[50, 40, 1, 1, 1], [40, 50, 0, 0, 0], [0, 0, 50, 40, 0], [0, 0, 40, 50, 0]])
    for beta in (np.inf, 20.0):
        model = InformationBottleneck(2, beta=beta, curve=None, random_state=0).fit(counts)
        with_word = np.array([[0, 0, 30, 30, 1]])  # the other cluster has seen every word, this one not the last
        assert model.predict(with_word) == model.labels_[2] != model.labels_[0]
        assert model.predict(csr_array(with_word)) == model.labels_[2]


@pytest.mark.parametrize("path", ["down", "up"])
def test_a_fit_that_is_stopped_still_has_a_model(path):
    counts = rng.poisson(2.0, (20, 6)) + 3 * np.eye(20, 6, dtype=int)
    with unmix.execution(observe=lambda record: record.stage.startswith("curve")):
        model = InformationBottleneck(4, beta=12.0, curve=5, path=path, random_state=0).fit(counts)
    assert len(model.information_curve_["rate"]) == 5 and len(model.labels_) == 20
    assert len([row for row in model.trace_ if row["stage"].startswith("curve")]) == 1


def test_a_fit_goes_on_from_its_checkpoint(tmp_path):
    counts = rng.poisson(2.0, (20, 6)) + 3 * np.eye(20, 6, dtype=int)
    expected = InformationBottleneck(4, curve=6, random_state=0).fit(counts)

    def fail(record):
        if record.stage == "curve down" and record.iteration == 3:
            raise KeyboardInterrupt

    with (
        pytest.raises(KeyboardInterrupt),
        unmix.execution(checkpoint=tmp_path / "c", checkpoint_seconds=0, observe=fail),
    ):
        InformationBottleneck(4, curve=6, random_state=0).fit(counts)
    with unmix.execution(checkpoint=tmp_path / "c"):
        model = InformationBottleneck(4, curve=6, random_state=0).fit(counts)
    for name in ("beta", "rate", "information"):
        np.testing.assert_array_equal(model.information_curve_[name], expected.information_curve_[name])
    np.testing.assert_array_equal(model.labels_, expected.labels_)


def test_degenerate_tables():
    same = np.outer([1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 1.0])
    with pytest.warns(ConvergenceWarning, match="different proportions"):
        model = InformationBottleneck(3, random_state=0).fit(same)
    assert model.information_ == pytest.approx(0, abs=1e-12) and model.first_split_ == np.inf
    np.testing.assert_allclose(model.information_curve_["information"], 0, atol=1e-9)
    one = InformationBottleneck(1, random_state=0).fit(SMALL)
    assert one.information_ == 0 and set(one.labels_) == {0}
    column = InformationBottleneck(1, random_state=0).fit([[1.0], [2.0]])
    assert column.total_information_ == 0
    with pytest.raises(ValueError, match="every count is zero"):
        InformationBottleneck(1).fit(np.zeros((3, 2)))
    with pytest.raises(ValueError, match="Negative values"):
        InformationBottleneck(1).fit([[1.0, -1.0]])


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name, k, least", [("cstr", 4, 0.78), ("classic3", 3, 0.96)])
def test_documents_are_grouped_by_topic(shared_data, name, k, least):
    with np.load(shared_data / "dyadic" / f"{name}.npz") as file:
        counts = csr_array((file["data"].astype(float), file["indices"], file["indptr"]), shape=tuple(file["shape"]))
        topic = file["y"]
    model = InformationBottleneck(k, curve=10, random_state=0).fit(counts)
    found = normalized_mutual_info_score(topic, model.labels_)
    plain = KMeans(k, n_init=3, random_state=0).fit_predict(TfidfTransformer().fit_transform(counts))
    assert found >= least and found > normalized_mutual_info_score(topic, plain)
    assert np.bincount(model.labels_).min() > 0 and model.information_ < model.total_information_
