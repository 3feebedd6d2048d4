"""A row of weight 0 may hold any finite number and changes no bit of what is learned."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone

from unmix.algorithms.independent.whitening import few_rows
from unmix.decomposition import CollaborativeFilter, DictionaryLearning, MiniBatchDictionaryLearning
from unmix.io.dispatch import as_blocks
from unmix.separation import JADE, FastICA, Infomax, OnlineICA, whiten

ESTIMATORS = [
    FastICA(2, random_state=0),
    JADE(2),
    FastICA(2, algorithm="deflation", tol=1e-2, random_state=0),
    Infomax(2, random_state=0),
    Infomax(2, solver="natural", batch_size=32, max_iter=2, random_state=0),
    OnlineICA(2, n_epochs=1, random_state=0),
    DictionaryLearning(3, fit_algorithm="ksvd", transform_n_nonzero_coefs=2, max_iter=4, random_state=0),
    MiniBatchDictionaryLearning(3, fit_algorithm="omp", transform_n_nonzero_coefs=2, max_iter=2, random_state=0),
    CollaborativeFilter(1, random_state=0),
    CollaborativeFilter(1, method="svd", regularization="auto", random_state=0),
]
STREAMING = [estimator for estimator in ESTIMATORS if hasattr(estimator, "partial_fit")]
OF_ROWS = ("codes_", "user_offsets_", "known_indptr_", "known_items_", "trace_")


def rows(n, dtype):
    """Rows to learn from, and the same with rows of vast numbers and no weight at every fourth place."""
    rng = np.random.default_rng(0)
    X = (rng.laplace(size=(n, 3)) @ rng.normal(size=(3, 3))).astype(dtype)
    weights = rng.integers(1, 3, n).astype(float)
    weights[::4] = 0
    full = X.copy()
    full[::4] = rng.choice([-1, 1], (len(X[::4]), 3)) * (1e30 if dtype == "f4" else 1e300)
    return X[weights > 0], weights[weights > 0], full, weights


def learned(model):
    found = {k: np.asarray(v) for k, v in vars(model).items() if k.endswith("_") and k not in OF_ROWS}
    return {k: v.tobytes() for k, v in found.items() if v.dtype.kind in "fiub"}


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_absent_in_every_bit(estimator, dtype):
    X, mass, full, weights = rows(400, dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # few iterations
        plain, model = clone(estimator).fit(X, sample_weight=mass), clone(estimator).fit(full, sample_weight=weights)
    assert learned(model) == learned(plain)
    if hasattr(plain, "codes_"):  # every user is placed, also one that does not count
        assert np.array_equal(model.codes_[weights > 0], plain.codes_) and np.isfinite(model.codes_).all()


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("estimator", STREAMING, ids=lambda e: type(e).__name__)
def test_absent_from_a_stream(estimator):
    X, mass, full, weights = rows(400, "f8")
    plain, model = clone(estimator), clone(estimator)
    for _ in range(2):
        plain.partial_fit(X, sample_weight=mass)
        model.partial_fit(full, sample_weight=weights)
    assert learned(model) == learned(plain)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("estimator", [FastICA(2, random_state=0), Infomax(2, random_state=0)])
def test_a_pattern_of_weights_does_not_meet_that_of_a_sample(estimator):
    X, mass, full, weights = rows(16_384, "f8")
    assert learned(clone(estimator).fit(full, sample_weight=weights)) == learned(
        clone(estimator).fit(X, sample_weight=mass)
    )


def test_a_sample_for_a_start_takes_rows_by_weight():
    X = np.arange(20_000.0)[:, None]
    weights = np.where(np.arange(20_000) % 4 == 0, 1e-9, 1.0)  # every fourth row, which is where a sample would look
    assert (few_rows(as_blocks(X), 1, weights).gather() % 4 > 0).all()
    twice = few_rows(as_blocks(np.repeat(X, 2, axis=0)), 1, np.ones(40_000)).gather()
    assert np.array_equal(few_rows(as_blocks(X), 1, np.full(20_000, 2.0)).gather(), twice)


def test_whitening_with_rows_that_do_not_count():
    X, mass, full, weights = rows(400, "f8")
    plain, found = whiten(X, sample_weight=mass), whiten(full, sample_weight=weights)
    assert np.array_equal(found.matrix, plain.matrix) and np.array_equal(found.mean, plain.mean)
    np.testing.assert_allclose(found.rows[weights > 0], plain.rows, atol=1e-9)
