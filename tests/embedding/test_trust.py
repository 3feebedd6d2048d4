"""Distortion, false and lost neighbours against brute force, scikit-learn's trustworthiness and known maps."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist
from sklearn.datasets import load_digits, make_swiss_roll
from sklearn.decomposition import PCA
from sklearn.manifold import trustworthiness

from unmix.algorithms.neighbors import intrusion
from unmix.algorithms.neighbors.intrusion import largest_excess
from unmix.algorithms.neighbors.rank_kernel import FEW, count_below, smallest
from unmix.embedding import (
    ConstantShiftEmbedding,
    LocallyLinearEmbedding,
    PairwiseSOM,
    SelfOrganizingMap,
    distortion,
    false_neighbors,
    lost_neighbors,
)

ROLL, ALONG = make_swiss_roll(700, random_state=0)
WIDE = np.random.default_rng(1).normal(size=(300, 30))
SIDES = [distortion, false_neighbors, lost_neighbors]


def by_definition(D, E, k):
    """Share of intruders and excess of their ranks from full tables of distances; equal distances get the best rank."""
    n = len(D)
    share, excess = np.empty(n), np.empty(n)
    for i in range(n):
        others = np.delete(np.arange(n), i)
        truth = [1 + (D[i, others] < D[i, j] * (1 - 1e-9)).sum() for j in others]
        shown = [1 + (E[i, others] < E[i, j] * (1 - 1e-9)).sum() for j in others]
        ranks = np.array([t for t, s in zip(truth, shown) if s <= k])
        K = len(ranks)
        worst = sum(sorted(max(r - K, 0) for r in range(1, n))[-K:])
        share[i], excess[i] = (ranks > K).mean(), np.maximum(ranks - K, 0).sum() / max(worst, 1)
    return share, excess


@pytest.mark.parametrize("X", [ROLL, WIDE], ids=["tree", "blocks"])
@pytest.mark.parametrize("k", [1, 5, 40])
def test_mean_is_scikit_learns_trustworthiness(X, k):
    places = PCA(2).fit_transform(X)
    assert 1 - false_neighbors(X, places, n_neighbors=k).mean() == pytest.approx(
        trustworthiness(X, places, n_neighbors=k), abs=1e-12
    )
    assert 1 - lost_neighbors(X, places, n_neighbors=k).mean() == pytest.approx(
        trustworthiness(places, X, n_neighbors=k), abs=1e-12
    )


@pytest.mark.parametrize("k", [1, 4, 30, 59])
def test_every_point_is_the_definition(k, monkeypatch):
    monkeypatch.setattr(intrusion, "BLOCK_ENTRIES", 700)  # in pieces
    rng = np.random.default_rng(k)
    X, places = rng.normal(size=(60, 14)), rng.integers(0, 4, size=(60, 2))  # places of which many are equal
    D, E = cdist(X, X), cdist(places, places)
    share, excess = by_definition(D, E, k)
    np.testing.assert_allclose(distortion(X, places, n_neighbors=k), share, atol=1e-12)
    np.testing.assert_allclose(false_neighbors(X, places, n_neighbors=k), excess, atol=1e-12)
    np.testing.assert_allclose(lost_neighbors(X, places, n_neighbors=k), by_definition(E, D, k)[1], atol=1e-12)


@pytest.mark.parametrize("d", [3, 14])
def test_many_equal_rows_and_distances(d):
    rng = np.random.default_rng(d)
    X = rng.integers(0, 2, size=(90, d)).astype(float)
    X[:40] = X[0]  # more copies than are looked for at first
    places = rng.normal(size=(90, 2))
    D, E = cdist(X, X), cdist(places, places)
    np.testing.assert_allclose(distortion(X, places, n_neighbors=4), by_definition(D, E, 4)[0], atol=1e-12)
    np.testing.assert_allclose(lost_neighbors(X, places, n_neighbors=4), by_definition(E, D, 4)[1], atol=1e-12)


@pytest.mark.parametrize("limits", [1, 5, FEW, FEW + 1, 300])
def test_counts_below_limits_are_those_of_sorted_values(limits):
    rng = np.random.default_rng(limits)
    values = np.append(rng.integers(0, 40, 500).astype(float), np.inf)
    wanted, counts = np.sort(rng.uniform(-5, 45, limits).round()), np.zeros(limits, np.int64)
    count_below(values, wanted, counts)
    np.testing.assert_array_equal(counts, np.searchsorted(np.sort(values), wanted))


@pytest.mark.parametrize("k", [1, 2, 7, 50])
def test_the_smallest_are_those_of_sorted_values(k):
    table = np.random.default_rng(k).integers(0, 20, size=(30, 50)).astype(float)
    chosen = np.empty((30, k), np.intp)
    smallest(table, k, chosen)
    for row, places in zip(table, chosen):
        assert len(set(places)) == k
        np.testing.assert_array_equal(np.sort(row[places]), np.sort(row)[:k])


@pytest.mark.parametrize("measure", SIDES)
def test_a_number_of_rows_stands_for_so_many_drawn_at_random(measure):
    places = PCA(2).fit_transform(ROLL)
    everything, drawn = measure(ROLL, places), measure(ROLL, places, rows=300)
    assert drawn.shape == (300,) and np.isin(drawn, everything).all()
    assert abs(drawn.mean() - everything.mean()) < 3 * everything.std() / np.sqrt(300)
    np.testing.assert_array_equal(measure(ROLL, places, rows=300), drawn)
    np.testing.assert_array_equal(measure(ROLL, places, rows=700), everything)


@pytest.mark.parametrize("measure", SIDES)
def test_a_moved_map_is_perfect_and_an_arbitrary_one_is_not(measure):
    X = np.concatenate([ROLL[:200], ROLL[:50], np.round(ROLL[:200])])  # with copies and equal distances
    assert measure(X, -3 * X + 5).max() == 0
    shuffled = measure(X, np.random.default_rng(0).permutation(X))
    assert 0.3 < shuffled.mean() < 1.0 and shuffled.min() >= 0 and shuffled.max() <= 1


def test_the_worst_map_scores_one():
    n, k = 40, 3
    D = 1.0 + np.random.default_rng(0).uniform(size=(n, n))
    D = D + D.T
    np.fill_diagonal(D, 0)
    ranks = D[0, 1:].argsort()
    places = np.zeros((n, 1))
    places[1 + ranks, 0] = np.linspace(2, 1, n - 1)  # what is nearest to the first object is furthest on the map
    for measure in SIDES:
        assert measure(D, places, n_neighbors=k, metric="precomputed", rows=[0])[0] == pytest.approx(1.0)
    assert largest_excess(np.array([k]), n)[0] == sum(range(n - 1 - k, n - 1 - 2 * k, -1))


def test_order_of_rows_does_not_matter():
    rng = np.random.default_rng(2)
    X, places = rng.integers(0, 5, size=(150, 3)).astype(float), rng.integers(0, 4, size=(150, 2))
    order = rng.permutation(150)
    for measure in SIDES:
        np.testing.assert_allclose(measure(X[order], places[order]), measure(X, places)[order], atol=1e-12)


def test_all_kinds_of_data_say_the_same():
    X = np.where(np.abs(WIDE) < 1, 0.0, WIDE)
    places, D = PCA(2).fit_transform(X), cdist(X, X)
    skew = np.triu(np.random.default_rng(0).normal(size=D.shape), 1)
    some = np.array([7, 3, 250])
    for measure in SIDES:
        expected = measure(X, places)
        np.testing.assert_allclose(measure(csr_array(X), places), expected, atol=1e-12)
        np.testing.assert_allclose(measure(D, places, metric="precomputed"), expected, atol=1e-12)
        np.testing.assert_allclose(measure(D + skew - skew.T, places, metric="precomputed"), expected, atol=1e-12)
        np.testing.assert_allclose(measure(D - 10, places, metric="precomputed"), expected, atol=1e-12)  # order counts
        np.testing.assert_allclose(measure(X, places, rows=some), expected[some], atol=1e-12)
    own = distortion(X[:60], places[:60], metric=lambda x, y: np.linalg.norm(x - y))
    np.testing.assert_allclose(own, distortion(X[:60], places[:60]), atol=1e-12)
    cosine = X / np.linalg.norm(X, axis=1, keepdims=True)
    np.testing.assert_allclose(distortion(X, places, metric="cosine"), distortion(cosine, places), atol=1e-12)


def test_pressed_maps_have_false_and_torn_maps_lost_neighbours():
    angle = np.linspace(0, 2 * np.pi, 300, endpoint=False)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    pressed, torn = circle[:, :1] * (1 + 1e-3 * np.sin(angle))[:, None], angle[:, None]
    assert false_neighbors(circle, pressed).mean() > 3 * lost_neighbors(circle, pressed).mean()
    assert lost_neighbors(circle, torn).mean() > 3 * false_neighbors(circle, torn).mean()
    ends, middle = [0, 1, 298, 299], slice(20, 280)
    assert lost_neighbors(circle, torn)[ends].min() > 0.3
    assert lost_neighbors(circle, torn)[middle].max() == 0


def test_every_embedding_says_how_far_to_trust_it():
    X = load_digits().data[:200]
    D = cdist(X, X, "sqeuclidean")
    linear = LocallyLinearEmbedding(n_neighbors=12).fit(X)
    np.testing.assert_allclose(linear.distortion(X, n_neighbors=12), linear.distortion_, atol=0.09)  # equal distances
    grid = SelfOrganizingMap((5, 5), random_state=0).fit(X)
    shift = ConstantShiftEmbedding(2, metric="precomputed").fit(D)
    pairs = PairwiseSOM((4, 4), metric="precomputed", random_state=0).fit(D)
    rows = PairwiseSOM((4, 4), random_state=0).fit(X)
    np.testing.assert_array_equal(grid.distortion(X), distortion(X, grid.map_positions(X)))
    np.testing.assert_array_equal(shift.distortion(D), distortion(D, shift.embedding_, metric="precomputed"))
    np.testing.assert_array_equal(pairs.distortion(D), distortion(X, pairs.grid_[pairs.labels_]))
    shuffled = np.random.default_rng(0).permutation(200)
    for model, data in ((linear, X), (grid, X), (shift, D), (pairs, D), (rows, X)):
        share = model.distortion(data, n_neighbors=8)
        assert share.shape == (200,) and 0 <= share.min() <= share.max() <= 1
        np.testing.assert_array_equal(model.distortion(data, n_neighbors=8, rows=[5, 9]), share[[5, 9]])
        by_chance = distortion(X, grid.map_positions(X)[shuffled], n_neighbors=8).mean()
        assert share.mean() < 0.9 * by_chance


@pytest.mark.slow_without_jit
def test_a_map_of_many_rows_a_node_is_compared_at_its_own_grain():
    X = np.random.default_rng(0).uniform(size=(2000, 2))
    model = SelfOrganizingMap((8, 8), random_state=0).fit(X)
    flat = model.distortion(X)
    assert flat.mean() < 0.5  # a tenth of a node's rows would be "near" if only ten counted
    torn = SelfOrganizingMap((8, 8), init="random", sigma=(0.0, 0.0), random_state=0).fit(X)
    np.testing.assert_allclose(torn.distortion(X).mean(), flat.mean(), atol=0.1)  # within nodes it is as good
    assert false_neighbors(X, torn.map_positions(X), n_neighbors=100).mean() > 3 * (
        false_neighbors(X, model.map_positions(X), n_neighbors=100).mean()
    )


@pytest.mark.parametrize(
    "arguments, said",
    [
        ({"n_neighbors": 0}, "n_neighbors=0"),
        ({"n_neighbors": 50}, "n_neighbors=50 of n_samples=50"),
        ({"embedding": ROLL[:40]}, "40 row.*50"),
        ({"metric": "precomputed"}, "square"),
        ({"rows": [50]}, "rows"),
        ({"rows": [0.5]}, "rows"),
        ({"rows": 51}, "rows=51"),
        ({"rows": 0}, "rows=0"),
    ],
)
def test_impossible_arguments_are_named(arguments, said):
    given = {"X": ROLL[:50], "embedding": ROLL[:50, :2], **arguments}
    with pytest.raises(ValueError, match=said):
        distortion(given.pop("X"), given.pop("embedding"), **given)


@pytest.mark.parametrize("X", [ROLL[:300], WIDE], ids=["tree", "blocks"])
def test_a_row_far_away_does_not_make_the_others_equal(X):
    places = PCA(2).fit_transform(X)
    far = [np.concatenate([rows, np.full((1, rows.shape[1]), 1e9)]) for rows in (X, places)]
    share = distortion(*far)[:-1]
    np.testing.assert_allclose(share, distortion(X, places), atol=1e-12)
    np.testing.assert_allclose(false_neighbors(*far)[:-1], false_neighbors(X, places), rtol=0.02, atol=1e-6)


def test_two_rows_and_extreme_units():
    assert distortion([[0.0], [1.0]], [[3.0], [2.0]], n_neighbors=1).tolist() == [0.0, 0.0]
    places = PCA(2).fit_transform(ROLL)
    for factor in (2.0**900, 2.0**-900):
        np.testing.assert_array_equal(false_neighbors(ROLL * factor, places / factor), false_neighbors(ROLL, places))
