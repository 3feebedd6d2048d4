"""The map against K-means, its cost, hand-written loops and plain definitions of its errors."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from unmix.algorithms.rows.presentation import presentation
from unmix.algorithms.self_organizing_map.grid import grid_distances, grid_positions, neighborhood
from unmix.cluster import KMeans
from unmix.embedding import SelfOrganizingMap

rng = np.random.default_rng(0)
X = rng.normal(size=(300, 3)) @ [[2.0, 0.5, 0.0], [0.0, 1.0, 0.3], [0.0, 0.0, 0.2]] + [5.0, 0.0, 1.0]
MAPS = [
    SelfOrganizingMap((4, 5), n_epochs=8, random_state=0),
    SelfOrganizingMap((4, 5), topology="hexagonal", winner="exact", n_epochs=8, random_state=0),
    SelfOrganizingMap(7, neighborhood="epanechnikov", init="random", n_epochs=8, random_state=0),
    SelfOrganizingMap((3, 4), method="online", n_epochs=3, random_state=0),
]


@pytest.mark.slow_without_jit
@parametrize_with_checks([SelfOrganizingMap((3, 3), method="online", n_epochs=3)])
def test_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("winner", ["nearest", "exact"])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_without_neighbours_the_batch_map_is_k_means(winner, dtype):
    data, start = X.astype(dtype), X[:12]
    model = SelfOrganizingMap(12, sigma=(0, 0), n_epochs=100, winner=winner, init=start).fit(data)
    plain = KMeans(12, init=start, swaps=0, tol=0).fit(data)
    assert model.n_iter_ < 100
    order = np.lexsort(model.cluster_centers_.T), np.lexsort(plain.cluster_centers_.T)
    np.testing.assert_allclose(
        model.cluster_centers_[order[0]], plain.cluster_centers_[order[1]], rtol=1e-5 if dtype == "f4" else 1e-10
    )
    np.testing.assert_allclose(model.trace_[-1]["objective"], plain.inertia_, rtol=1e-4)


def costs(**options):
    start = rng.permutation(X)[:30]  # a bad start: neighbours are not alike
    model = SelfOrganizingMap((5, 6), sigma=(1.0, 1.0), n_epochs=60, init=start, **options).fit(X)
    return np.array([record["objective"] for record in model.trace_]), model


def test_the_exact_rule_lowers_the_cost_at_every_epoch():
    objective, model = costs(winner="exact")
    assert (np.diff(objective) <= 1e-9 * objective[0]).all() and objective[-1] < 0.7 * objective[0]
    H = neighborhood(grid_distances(grid_positions((5, 6), "rectangular")), 1.0, "gaussian")
    nodes = model.cluster_centers_
    squares = ((X[:, None] - nodes) ** 2).sum(axis=2)
    np.testing.assert_allclose(objective[-1], (squares @ H.T).min(axis=1).sum())


def test_the_nearest_rule_may_raise_it_and_ends_no_lower():
    nearest, exact = costs(winner="nearest")[0], costs(winner="exact")[0]
    assert (np.diff(nearest) > 1e-9 * nearest[0]).any()
    assert exact[-1] < nearest[-1]


@pytest.mark.parametrize("model", MAPS, ids=["batch", "hexagonal", "line", "online"])
@pytest.mark.parametrize("wrap", [np.asarray, csr_array], ids=["dense", "sparse"])
def test_errors_by_definition(model, wrap):
    weights = rng.integers(0, 3, len(X))
    model = clone(model).fit(wrap(X), sample_weight=weights)
    distances = np.sqrt(((X[:, None] - model.cluster_centers_) ** 2).sum(axis=2))
    order = np.argsort(distances, axis=1)
    between = np.linalg.norm(model.grid_[order[:, 0]] - model.grid_[order[:, 1]], axis=1)
    np.testing.assert_array_equal(model.labels_, order[:, 0])
    np.testing.assert_array_equal(model.predict(wrap(X)), model.labels_)
    np.testing.assert_allclose(model.transform(wrap(X)), distances, rtol=1e-7)
    np.testing.assert_allclose(model.quantization_error_, np.average(distances.min(axis=1), weights=weights))
    np.testing.assert_allclose(model.topographic_error_, np.average(between > 1.5, weights=weights), atol=1e-12)


@pytest.mark.parametrize("winner", ["nearest", "exact"])
def test_online_is_the_rule_row_by_row(winner):
    epochs, start = 2, rng.permutation(X)[:12]
    options = {"sigma": (2.0, 0.5), "learning_rate": (0.4, 0.1), "decay": "linear", "init": start, "random_state": 3}
    model = SelfOrganizingMap((3, 4), method="online", winner=winner, n_epochs=epochs, **options)
    by_hand = written_out(model, start, epochs, exact=winner == "exact")
    model.fit(X)
    np.testing.assert_allclose(model.cluster_centers_, by_hand)
    by_parts = clone(model)
    for _ in range(epochs):
        by_parts.partial_fit(X)
    np.testing.assert_array_equal(by_parts.cluster_centers_, model.cluster_centers_)
    assert by_parts.n_iter_ == epochs


def written_out(model, start, epochs, exact):
    """The textbook loop; one width serves an epoch of fewer than a thousand rows."""
    rows = X[np.argsort(X @ np.random.default_rng(np.random.SeedSequence(0)).random(3), kind="stable")]
    nodes, grid, step = start.copy(), grid_positions((3, 4), "rectangular"), 0
    for epoch in range(epochs):
        sigma = 2.0 - 1.5 * epoch / epochs
        for i in presentation(None, 300, model._seed(), epoch):
            h = np.exp(-((grid[:, None] - grid) ** 2).sum(axis=2) / (2 * sigma**2))
            squares = ((rows[i] - nodes) ** 2).sum(axis=1)
            winner = (h / h.sum(axis=1, keepdims=True) @ squares if exact else squares).argmin()
            rate = 0.4 - 0.3 * step / (epochs * 300)
            nodes += rate * h[winner][:, None] * (rows[i] - nodes)
            step += 1
    return nodes


def test_presentations_are_permutations_and_weights_repeat():
    assert sorted(presentation(None, 300, 0, 0)) == list(range(300))
    assert not np.array_equal(presentation(None, 300, 0, 0), presentation(None, 300, 0, 1))
    assert np.bincount(presentation(np.array([2.0, 0, 1, 3]), 6, 0, 0)).tolist() == [2, 0, 1, 3]


@pytest.mark.parametrize("model", MAPS, ids=["batch", "hexagonal", "line", "online"])
def test_neighbours_on_the_map_are_alike(model):
    model = clone(model).fit(X)
    nodes, grid = model.cluster_centers_, model.grid_
    apart = np.linalg.norm(nodes[:, None] - nodes, axis=2)
    adjacent = np.linalg.norm(grid[:, None] - grid, axis=2).round(6) == 1
    assert apart[adjacent].mean() < 0.8 * apart.mean()
    assert model.map_positions(X).shape == (300, model.grid_.shape[1])
    np.testing.assert_array_equal(model.map_positions(X), model.grid_[model.labels_])


def test_hexagonal_grid_has_six_neighbours_at_distance_one():
    positions = grid_positions((5, 5), "hexagonal")
    assert positions[:, 1].max() == 4.5  # rows take turns, the grid does not lean
    distances = grid_distances(positions)
    assert np.isclose(distances[12], 1).sum() == 6
    assert np.sort(distances[12])[7] > 1.7


@pytest.mark.parametrize("kind", ["gaussian", "bubble", "epanechnikov"])
def test_neighbourhoods_are_shares_that_end_in_the_identity(kind):
    distances = grid_distances(grid_positions((4, 4), "rectangular"))
    for sigma in (0.0, 1e-9, 0.5, 2.0, 1e9):
        H = neighborhood(distances, sigma, kind)
        np.testing.assert_allclose(H.sum(axis=1), 1)
        assert (np.diag(H) == H.max(axis=1)).all()
    np.testing.assert_array_equal(neighborhood(distances, 1e-9, kind), np.eye(16))


def test_u_matrix_and_component_planes():
    nodes = rng.normal(size=(6, 3))
    model = SelfOrganizingMap((2, 3), init=nodes, sigma=(0, 0), n_epochs=1).fit(nodes)
    away = np.linalg.norm(nodes[:, None] - nodes, axis=2)
    expected = [[np.mean([away[0, 1], away[0, 3]]), np.mean([away[1, 0], away[1, 2], away[1, 4]])]]
    np.testing.assert_allclose(model.u_matrix()[:1, :2], expected)
    assert model.u_matrix().shape == (2, 3) and model.component_planes().shape == (3, 2, 3)
    np.testing.assert_allclose(model.component_planes()[1].ravel(), nodes[:, 1])


@pytest.mark.parametrize("method", ["batch", "online"])
def test_degenerate_data_have_right_answers(method):
    make = SelfOrganizingMap((3, 3), method=method, n_epochs=5, random_state=0)
    constant = clone(make).fit(np.full((10, 2), 7.0))
    np.testing.assert_allclose(constant.cluster_centers_, 7.0)
    assert constant.quantization_error_ == 0 and (constant.u_matrix() == 0).all()
    few = clone(make).set_params(n_epochs=50).fit(X[:3])  # fewer rows than nodes
    assert np.isfinite(few.cluster_centers_).all() and len(np.unique(few.labels_)) == 3
    one = SelfOrganizingMap(1, method=method, n_epochs=5, random_state=0).fit(X)
    assert one.topographic_error_ == 0 and (one.labels_ == 0).all() and one.u_matrix().tolist() == [0]
    column = np.column_stack([X[:, 0], np.full(300, 3.0)])
    np.testing.assert_allclose(clone(make).fit(column).cluster_centers_[:, 1], 3.0)
    single = clone(make).fit(X[:1])
    np.testing.assert_allclose(single.cluster_centers_, np.repeat(X[:1], 9, axis=0))


def test_a_sparse_table_is_the_same_table():
    data = np.where(rng.random(X.shape) < 0.5, 0.0, X)
    for method in ("batch", "online"):
        make = SelfOrganizingMap((3, 4), method=method, n_epochs=3, random_state=0)
        dense, sparse = clone(make).fit(data), clone(make).fit(csr_array(data))
        np.testing.assert_allclose(sparse.cluster_centers_, dense.cluster_centers_, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("scale", [1e300, 1e-300])
@pytest.mark.parametrize("method", ["batch", "online"])
def test_extreme_scales_give_the_same_map(scale, method):
    make = SelfOrganizingMap((3, 4), method=method, n_epochs=3, random_state=0)
    plain, scaled = clone(make).fit(X), clone(make).fit(X * scale)
    np.testing.assert_array_equal(scaled.labels_, plain.labels_)
    np.testing.assert_allclose(scaled.cluster_centers_ / scale, plain.cluster_centers_, rtol=1e-9)
    np.testing.assert_allclose(scaled.quantization_error_ / scale, plain.quantization_error_, rtol=1e-9)
    np.testing.assert_allclose(scaled.u_matrix() / scale, plain.u_matrix(), rtol=1e-9)


@pytest.mark.parametrize(
    "wrong",
    [
        {"shape": (2, 3, 4)},
        {"shape": (0, 3)},
        {"shape": 2.5},
        {"topology": "round"},
        {"method": "fast"},
        {"winner": "best"},
        {"neighborhood": "near"},
        {"sigma": (1.0,)},
        {"sigma": (-1.0, 1.0)},
        {"sigma": (2.0, 0.0)},
        {"learning_rate": (2.0, 0.1)},
        {"n_epochs": 0},
        {"decay": "slow"},
        {"init": "best"},
        {"init": np.ones((3, 3))},
    ],
    ids=str,
)
def test_wrong_parameters_are_named(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        SelfOrganizingMap(**{"shape": (2, 2), **wrong}).fit(X)


@pytest.mark.parametrize("winner", ["nearest", "exact"])
def test_a_batch_epoch_by_definition(winner):
    start, weights = rng.permutation(X)[:12], rng.integers(0, 3, 300).astype(float)
    model = SelfOrganizingMap((3, 4), winner=winner, sigma=(1.3, 1.3), n_epochs=1, init=start)
    model.fit(X, sample_weight=weights)
    grid = grid_positions((3, 4), "rectangular")
    h = np.exp(-((grid[:, None] - grid) ** 2).sum(axis=2) / (2 * 1.3**2))
    squares = ((X[:, None] - start) ** 2).sum(axis=2)
    if winner == "exact":
        h /= h.sum(axis=1, keepdims=True)
        squares = squares @ h.T
    shares = weights[:, None] * h[squares.argmin(axis=1)]
    np.testing.assert_allclose(model.cluster_centers_, shares.T @ X / shares.sum(axis=0)[:, None])
