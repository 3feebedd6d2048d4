"""Lloyd's iteration on a small table against the plain iteration, and against the iteration of larger tables."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.algorithms.kmeans.frame import find_frame
from unmix.algorithms.kmeans.lloyd import small
from unmix.algorithms.kmeans.lloyd.lloyd import Problem, State, advance, begin, lloyd
from unmix.algorithms.kmeans.starts.swap import jump
from unmix.costs.nearest.centers import JIT_DISABLED
from unmix.costs.nearest.small import SMALL_WORK, is_small
from unmix.io.dispatch import as_blocks

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="without a compiler no table takes this way")


def blobs(n: int, d: int, k: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(k, d))[rng.integers(k, size=n)] * 4 + 2 * rng.normal(size=(n, d))


def set_up(X, weights=None, tol=0.0) -> Problem:
    blocks = as_blocks(X)
    return Problem(blocks, weights, find_frame(blocks, weights), tol)


def plain_iteration(X, centers, weights):
    labels = ((X[:, None] - centers) ** 2).sum(axis=2).argmin(axis=1)
    new = np.stack([weights[labels == c] @ X[labels == c] / weights[labels == c].sum() for c in range(len(centers))])
    return new, labels, float(weights @ ((X - new[labels]) ** 2).sum(axis=1))


@pytest.mark.parametrize("n", [8, 9, 255, 700])
@pytest.mark.parametrize("d", [1, 3, 8])
@pytest.mark.parametrize("form", ["float64", "float32", "sparse", "weighted"])
def test_every_pass_is_that_of_the_plain_iteration(n, d, form):
    X = blobs(n, d, 5, seed=n)
    X[np.abs(X) < (1 if form == "sparse" else 0)] = 0
    X = X.astype(np.float32) if form == "float32" else X
    weights = np.random.default_rng(1).random(n) + 0.1
    problem = set_up(csr_array(X) if form == "sparse" else X, weights if form == "weighted" else None)
    weights = weights if form == "weighted" else np.ones(n)
    expected = X[np.unique(X, axis=0, return_index=True)[1][:5]].astype(np.float64)
    state = begin(problem, problem.frame.enter(expected))
    assert isinstance(state, small.State)
    for _ in range(8):
        state, measured = advance(problem, state)
        expected, labels, cost = plain_iteration(X.astype(np.float64), expected, weights)
        np.testing.assert_array_equal(state.labels, labels)
        np.testing.assert_allclose(problem.frame.leave(state.centers), expected, rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose(measured["objective"], cost, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(state.mass, np.bincount(labels, weights, minlength=5), rtol=1e-12)


@pytest.mark.parametrize("target", [np.inf, 9000.0])
def test_it_goes_the_way_of_larger_tables(target, monkeypatch):
    X = blobs(900, 4, 6)
    problem = set_up(X, tol=1e-6)
    far = np.full((2, 4), 1e3)  # these centres lose every row in the first pass
    start = problem.frame.enter(np.concatenate([X[:7], far]))
    found = lloyd(problem, begin(problem, start), 40, target)
    monkeypatch.setattr("unmix.algorithms.kmeans.lloyd.lloyd.is_small", lambda n, d, k: False)
    other = lloyd(problem, begin(problem, start), 40, target)
    assert isinstance(other, State)
    assert (found.sums[:, -1] > 0).all()
    assert found.iteration == other.iteration > 2
    assert found.done == other.done
    np.testing.assert_allclose(found.centers, other.centers, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.objective, other.objective, rtol=1e-9)


def test_sums_are_followed_after_a_swap():
    X = blobs(500, 3, 6)
    problem = set_up(X)
    state = lloyd(problem, begin(problem, problem.frame.enter(X[:6])), 100)
    centers = state.centers.copy()
    centers[2] = problem.frame.enter(X[77])
    expected = problem.frame.leave(centers)
    state = jump(state, centers)
    for _ in range(4):
        state, _ = advance(problem, state)
        expected, _, _ = plain_iteration(X, expected, np.ones(500))
        np.testing.assert_allclose(problem.frame.leave(state.centers), expected, atol=1e-10)


def test_fewer_distinct_rows_than_centres_end():
    X = np.repeat(np.array([[0.0, 1.0], [2.0, 5.0]]), 20, axis=0)
    problem = set_up(X)
    state = lloyd(problem, begin(problem, problem.frame.enter(X[[0, 0, 0, 39]])), 50)
    assert state.done
    assert state.objective == 0.0


def test_small_is_told_by_shape_alone():
    assert is_small(SMALL_WORK // 8, 4, 2)
    assert not is_small(SMALL_WORK // 8 + 1, 4, 2)
