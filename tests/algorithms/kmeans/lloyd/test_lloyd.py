"""Lloyd's iteration with deadlines against the plain iteration, which scans every row every time."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.algorithms.kmeans.frame import find_frame
from unmix.algorithms.kmeans.lloyd.lloyd import Problem, State, advance, are_few_leaves, begin, lloyd
from unmix.algorithms.kmeans.starts.swap import jump
from unmix.core.execution import execution
from unmix.costs.nearest.centers import JIT_DISABLED, frame_around
from unmix.io.dispatch import as_blocks


@pytest.fixture(autouse=True)
def no_table_is_small(monkeypatch):
    """What is small takes the iteration of small.py, which has its own tests."""
    monkeypatch.setattr("unmix.algorithms.kmeans.lloyd.lloyd.is_small", lambda n, d, k: False)


def blobs(n: int, d: int, k: int, seed: int = 0, spread: float = 1.0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(k, d))[rng.integers(k, size=n)] * 4 + spread * rng.normal(size=(n, d))


def plain_iteration(X: np.ndarray, centers: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    labels = ((X[:, None] - centers) ** 2).sum(axis=2).argmin(axis=1)
    sums = np.stack([(weights * (labels == c)) @ X for c in range(len(centers))])
    return sums / np.bincount(labels, weights, minlength=len(centers))[:, None], labels


def set_up(X, weights=None, tol=0.0):
    dense = X.toarray() if hasattr(X, "tocsr") else X
    middle = np.zeros(X.shape[1]) if hasattr(X, "tocsr") else dense.mean(axis=0)
    return Problem(as_blocks(X), weights, frame_around(middle, 1.0, np.float64), tol)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_every_pass_gives_the_centres_of_the_plain_iteration(sparse, weighted):
    X = blobs(700, 5, 8, spread=2.5)
    if sparse:
        X[np.abs(X) < 2] = 0
    weights = np.random.default_rng(1).integers(0, 4, 700).astype(float) if weighted else None
    problem = set_up(csr_array(X) if sparse else X, weights)
    state = begin(problem, problem.frame.enter(X[:8]))
    expected = X[:8]
    skipped = 0
    for _ in range(25):
        state, _ = advance(problem, state)
        expected, labels = plain_iteration(X, expected, np.ones(700) if weights is None else weights)
        np.testing.assert_allclose(problem.frame.leave(state.centers), expected, rtol=1e-10, atol=1e-10)
        counted = slice(None) if weights is None else weights > 0
        assert (np.asarray(state.rows)[counted, 0] == labels[counted]).all()
        skipped += int((np.asarray(state.rows)[counted, 1] > state.clocks.clock[labels[counted]]).sum())
    assert skipped > 0  # the deadlines did spare rows


def test_swapped_centres_are_followed_without_reading_everything():
    X = blobs(3000, 3, 12, spread=0.3)
    problem = set_up(X)
    state = lloyd(problem, begin(problem, problem.frame.enter(X[:12])), 100)
    centers = state.centers.copy()
    centers[4] = problem.frame.enter(X[77])
    state = jump(state, centers)
    holds = np.asarray(state.rows)[:, 1] > state.clocks.clock[np.asarray(state.rows)[:, 0].astype(int)]
    expected = problem.frame.leave(centers)
    for _ in range(10):
        state, _ = advance(problem, state)
        expected, labels = plain_iteration(X, expected, np.ones(3000))
        assert (np.asarray(state.rows)[:, 0] == labels).all()
        np.testing.assert_allclose(problem.frame.leave(state.centers), expected, atol=1e-10)
    assert holds.mean() > 0.3


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n, target", [(900, np.inf), (900, 9000.0), (9000, np.inf)])  # of 9000 rows, three leaves
def test_one_compiled_call_goes_the_way_of_single_passes(dtype, weighted, n, target, monkeypatch):
    X = blobs(n, 4, 6, spread=2.0).astype(dtype)
    problem = set_up(X, np.random.default_rng(1).random(n) if weighted else None, tol=1e-6)
    far = np.full((2, 4), 1e3)  # these centres lose every row in the first pass
    start = begin(problem, problem.frame.enter(np.concatenate([X[:7], far]).astype(np.float64)))
    with execution(threads=1):
        assert JIT_DISABLED or are_few_leaves(problem.X)
        at_once = lloyd(problem, start, 40, target)
    monkeypatch.setattr("unmix.algorithms.kmeans.lloyd.lloyd.are_few_leaves", lambda X: False)
    by_pass = lloyd(problem, start, 40, target)
    assert at_once.iteration == by_pass.iteration > 2
    assert at_once.done == by_pass.done
    for one, other in zip(at_once[2:5], by_pass[2:5]):
        np.testing.assert_array_equal(one, np.asarray(other))
    assert at_once.objective == by_pass.objective
    for one, other in zip(at_once.clocks, by_pass.clocks):
        np.testing.assert_allclose(one, other, rtol=1e-6)


def test_cost_falls_and_ends_at_a_fixed_point():
    X = blobs(2000, 4, 6, spread=2.0)
    problem = set_up(X)
    state: State = begin(problem, problem.frame.enter(X[:6]))
    costs = []
    while not state.done:
        state, measured = advance(problem, state)
        costs.append(measured["objective"])
    assert (np.diff(costs) <= 1e-12 * costs[0]).all()
    centers = problem.frame.leave(state.centers)
    again, labels = plain_iteration(X, centers, np.ones(2000))
    np.testing.assert_allclose(again, centers, atol=1e-9)
    np.testing.assert_allclose(costs[-1], ((X - again[labels]) ** 2).sum(), rtol=1e-9)


def test_empty_clusters_are_put_on_far_rows():
    X = np.concatenate([blobs(200, 2, 2), [[500.0, 500.0]], [[-400.0, 0.0]]])
    problem = set_up(X)
    far_away = np.array([[0.0, 0.0], [1e6, 1e6], [2e6, 2e6]])
    state = lloyd(problem, begin(problem, problem.frame.enter(far_away)), 50)
    assert (state.table[:, -2] > 0).all()
    assert len(np.unique(np.asarray(state.rows)[:, 0])) == 3


def with_far_rows(n: int, far: float, dtype: type) -> np.ndarray:
    X = blobs(n, 3, 6, spread=2.0)
    X[:4] = far * np.array([[1.0, 1, 1], [1, 1 + 1e-7, 1], [-2, 1, 0], [0, 0, 3]])
    return X.astype(dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("far", [1e5, 1e9, 1e12])
@pytest.mark.parametrize("sparse", [False, True])
def test_far_rows_with_centres_of_their_own_leave_every_pass_as_it_is(dtype, far, sparse):
    X = with_far_rows(500, far, dtype)
    data = as_blocks(csr_array(X) if sparse else X)
    problem = Problem(data, None, find_frame(data, None), 0.0)
    expected = np.concatenate([X[:1], X[2:9]]).astype(np.longdouble)
    state = begin(problem, problem.frame.enter(expected))
    for _ in range(15):
        state, measured = advance(problem, state)
        squares = ((X[:, None].astype(np.longdouble) - expected) ** 2).sum(axis=2)
        labels = squares.argmin(axis=1)
        expected = np.stack([X[labels == c].astype(np.longdouble).mean(axis=0) for c in range(8)])
        assert (np.asarray(state.rows)[:, 0] == labels).all()
        np.testing.assert_allclose(problem.frame.leave(state.centers), expected.astype(float), rtol=1e-9, atol=1e-9)
        cost = sum(((X[labels == c] - expected[c]) ** 2).sum() for c in range(8))
        np.testing.assert_allclose(measured["objective"], float(cost), rtol=1e-8)


@pytest.mark.parametrize("far", [1e5, 1e9])
def test_far_rows_in_one_compiled_call(far, monkeypatch):
    X = with_far_rows(900, far, np.float64)
    problem = Problem(as_blocks(X), None, find_frame(as_blocks(X), None), 1e-4)
    start = begin(problem, problem.frame.enter(np.concatenate([X[:1], X[2:9]])))
    with execution(threads=1):
        at_once = lloyd(problem, start, 60)
    monkeypatch.setattr("unmix.algorithms.kmeans.lloyd.lloyd.are_few_leaves", lambda X: False)
    by_pass = lloyd(problem, start, 60)
    assert at_once.objective == by_pass.objective
    np.testing.assert_array_equal(at_once.centers, by_pass.centers)
    # a stop relative to the variance of all rows would have come after the first pass
    again, _ = plain_iteration(X[4:], problem.frame.leave(at_once.centers)[3:], np.ones(896))
    np.testing.assert_allclose(again, problem.frame.leave(at_once.centers)[3:], atol=0.1)


@pytest.mark.parametrize("small", [False, True])
def test_many_centres_are_charged_by_groups(small, monkeypatch):
    monkeypatch.setattr("unmix.algorithms.kmeans.lloyd.lloyd.MOST_CHARGES", 300)
    monkeypatch.setattr("unmix.algorithms.kmeans.lloyd.lloyd.PAIRS", 333)
    X = blobs(2000, 3, 60, spread=0.8)
    problem = set_up(X)
    state, expected, skipped = begin(problem, problem.frame.enter(X[:60])), X[:60], 0
    assert state.clocks.charged.shape == (60, 5)
    assert len(np.unique(state.clocks.group)) == 5
    for _ in range(12):
        state = lloyd(problem, state, 1) if small else advance(problem, state)[0]
        expected, labels = plain_iteration(X, expected, np.ones(2000))
        assert (np.asarray(state.rows)[:, 0] == labels).all()
        np.testing.assert_allclose(problem.frame.leave(state.centers), expected, atol=1e-10)
        skipped += int((np.asarray(state.rows)[:, 1] > state.clocks.clock[labels]).sum())
    assert skipped > 0


def test_memory_of_the_clocks_is_bounded():
    problem = set_up(np.zeros((10, 2)))
    state = begin(problem, np.random.default_rng(0).normal(size=(20000, 2)))
    assert state.clocks.charged.size <= 2**22
    few = begin(problem, np.random.default_rng(0).normal(size=(2048, 2)))
    assert (few.clocks.group == np.arange(2048)).all()  # up to there every rival is its own group
