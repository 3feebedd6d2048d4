"""Tables without groups that are rough, gappy or repeated get none; the same roughness does not hide planted ones."""

import numpy as np
import polars as pl
import pytest

import unmix
from unmix.cluster import KMeans
from unmix.exploration.columns.preparation import prepare
from unmix.exploration.structure.evaluation_set import complete_rows, evaluation_set, look_at_rows
from unmix.validation import Consensus, select

pytestmark = pytest.mark.slow_without_jit


def groups(X, max_k=4):
    return unmix.explore({f"x{j}": X[:, j] for j in range(X.shape[1])}, max_k=max_k).selection.chosen_k


def cloud(seed, n=300, d=3, apart=0.0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) + rng.normal(size=(n, 1)) + apart * rng.integers(2, size=(n, 1))


def with_gaps(X, share=0.01):
    return np.where(np.random.default_rng(9).random(X.shape) < share, np.nan, X)


@pytest.mark.parametrize(("apart", "expected"), [(0.0, 1), (12.0, 2)])
def test_grades_with_gaps(apart, expected):
    X = with_gaps(np.rint(cloud(0, apart=apart)))
    assert groups(X) == expected


@pytest.mark.parametrize(("apart", "expected"), [(0.0, 1), (12.0, 2)])
def test_tens_with_odd_values(apart, expected):
    units = np.rint(100 + 20 * cloud(10, d=2, apart=apart))
    odd = np.random.default_rng(2).random(units.shape) < 0.03
    assert groups(np.where(odd, units, 10 * np.rint(units / 10))) == expected


@pytest.mark.parametrize(("apart", "expected"), [(0.0, 1), (8.0, 2)])
def test_counts_after_the_logarithm(apart, expected):
    X = np.random.default_rng(3).poisson(np.exp(1 + cloud(3, apart=apart) / np.sqrt(2))).astype(float)
    assert groups(X) == expected


@pytest.mark.parametrize(("apart", "expected"), [(0.0, 1), (12.0, 2)])
def test_weights_are_no_evidence(apart, expected):
    X = cloud(4, 100, apart=apart)
    weights = np.random.default_rng(5).integers(1, 6, 100)
    repeated = np.repeat(X, weights, axis=0)[np.random.default_rng(6).permutation(weights.sum())]
    assert groups(repeated) == expected
    found = select(KMeans(random_state=0), X, range(1, 5), Consensus(), random_state=0, sample_weight=weights)
    assert found.best_params == {"n_clusters": expected}


def test_rows_with_a_filled_cell_are_not_complete():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    X[[3, 50], [0, 2]] = np.nan
    made = prepare(pl.DataFrame({f"x{j}": column for j, column in enumerate(X.T)}).fill_nan(None), 0)
    evaluated = evaluation_set(made, look_at_rows(made, 0), None)
    assert complete_rows(evaluated).tolist() == [i for i in range(60) if i not in (3, 50)]
