"""Split trees: every join is one of hierarchy_, at its temperature, over the clusters it took apart."""

import numpy as np
import pytest

from unmix.cluster import HistogramClustering, KMeans, SoftKMeans
from unmix.plot import SplitTreeDisplay


@pytest.fixture(scope="module")
def model():
    centers = np.array([[-6.0, -2.0], [-4.0, 2.0], [1.0, 0.0], [5.0, 2.5], [6.5, -2.0], [8.0, 1.0]])
    X = np.repeat(centers, [20, 60, 30, 30, 50, 40], axis=0)
    return SoftKMeans(6, refine="lloyd").fit(X + 0.5 * np.random.default_rng(0).normal(size=X.shape))


def members(children, node, k):
    return [node] if node < k else [leaf for child in children[node - k] for leaf in members(children, child, k)]


def test_joins_are_the_splits(model, ax):
    display = SplitTreeDisplay.from_estimator(model, ax=ax)
    tree, k = model.hierarchy_, 6
    assert display.ax_ is ax and ax.get_yscale() == "log"
    assert sorted(display.places_) == [0, 1, 2, 3, 4, 5]
    top = np.append(np.zeros(k), tree["temperatures"])
    lowest = ax.get_ylim()[0]
    for pair, temperature, bracket in zip(tree["children"], tree["temperatures"], display.joins_.get_segments()):
        np.testing.assert_allclose(bracket[1:3, 1], temperature)
        legs = sorted(pair, key=lambda child: display.places_[members(tree["children"], child, k)].mean())
        ends = [max(top[child], lowest) for child in legs]
        np.testing.assert_allclose([bracket[0, 1], bracket[3, 1]], ends)
        below = [display.places_[members(tree["children"], child, k)] for child in legs]
        assert below[0].max() < below[1].min()  # branches do not cross
        for side, leaves in zip((bracket[0, 0], bracket[3, 0]), below):
            assert leaves.min() <= side <= leaves.max()
    np.testing.assert_allclose(display.predicted_.get_offsets()[:, 1], tree["predicted"])
    np.testing.assert_allclose(np.sort(tree["predicted"])[::-1], np.sort(model.critical_temperatures_)[::-1])


def test_clusters_are_named_by_number_and_share(model):
    display = SplitTreeDisplay.from_estimator(model)
    for place, text in zip(range(6), display.texts_):
        c = int(np.flatnonzero(display.places_ == place)[0])
        assert text.get_text() == f"{c}\n{model.weights_[c]:.0%}"


def test_counts_are_the_clusters_between_splits(model):
    display = SplitTreeDisplay.from_estimator(model)
    for text in display.counts_[:-1]:
        temperature = text.get_position()[1]
        assert int(text.get_text()) == 1 + (model.hierarchy_["temperatures"] > temperature).sum()
    assert [text.get_text() for text in display.counts_[:2]] == ["1", "2"]


def test_the_heavier_branch_stands_left():
    display = SplitTreeDisplay([[0, 1], [2, 3]], [1.0, 8.0], weights=[0.1, 0.3, 0.6]).plot()
    np.testing.assert_array_equal(display.places_, [2, 1, 0])
    plain = SplitTreeDisplay([[0, 1]], [1.0]).plot()
    assert plain.predicted_ is None and [text.get_text() for text in plain.texts_] in (["0", "1"], ["1", "0"])


def test_histogram_clusters():
    rng = np.random.default_rng(0)
    rates = np.repeat(np.eye(4)[:3] * 30 + 3, 15, axis=0)
    model = HistogramClustering(3, random_state=0).fit(rng.poisson(rates))
    display = SplitTreeDisplay.from_estimator(model)
    np.testing.assert_allclose(
        [bracket[1, 1] for bracket in display.joins_.get_segments()], model.hierarchy_["temperatures"]
    )


def test_bad_input_is_refused_in_words(model):
    with pytest.raises(TypeError, match="has no hierarchy_; fit a SoftKMeans"):
        SplitTreeDisplay.from_estimator(KMeans(2))
    with pytest.raises(ValueError, match="there was no split"):
        SplitTreeDisplay(np.empty((0, 2)), [])
    with pytest.raises(ValueError, match="temperatures must be 1"):
        SplitTreeDisplay([[0, 1]], [0.0])
    with pytest.raises(ValueError, match="2 clusters, give one each"):
        SplitTreeDisplay([[0, 1]], [1.0], weights=[1.0])
