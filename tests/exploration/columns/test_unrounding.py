"""Rounding undone before logarithms and filling, in the units of the table."""

import numpy as np
import polars as pl
import pytest

from unmix.exploration.columns.preparation import prepare
from unmix.exploration.columns.unrounding import unrounded


def spread(**columns):
    prepared = prepare(pl.DataFrame(columns), 0)
    return prepared, unrounded(prepared, np.arange(len(prepared.X)), 0)


def test_counts_are_spread_over_their_cells_before_the_logarithm():
    counts = np.random.default_rng(0).poisson(np.exp(1 + np.random.default_rng(1).normal(size=300))).astype(float)
    prepared, X = spread(counts=counts, other=np.random.default_rng(2).normal(size=300))
    scale = prepared.scales[0]
    assert scale.log == "log1p"
    raw = np.expm1((X[:, 0] * scale.scale + scale.center) * scale.unit)
    small = (counts > 0) & (counts < 8)  # beyond, single values stand apart
    assert np.abs(raw - counts)[small].max() <= 0.5 + 1e-9 and len(np.unique(X[:, 0])) == 300


def test_outermost_grades_are_spread_to_both_sides():
    grades = np.random.default_rng(3).integers(1, 6, 200).astype(float)
    prepared, X = spread(grades=grades, other=np.random.default_rng(4).normal(size=200))
    highest = X[grades == 5, 0]
    assert highest.min() < prepared.X[grades == 5, 0].max() < highest.max()
    assert np.array_equal(X[:, 1], prepared.X[:, 1])


def test_filled_cells_are_no_values_that_were_recorded():
    grades = np.random.default_rng(5).integers(1, 6, (200, 3)).astype(float)
    grades[7, 0] = np.nan
    prepared, X = spread(a=grades[:, 0], b=grades[:, 1], c=grades[:, 2])
    step = 1 / (prepared.scales[0].unit * prepared.scales[0].scale)
    away = np.abs(X - prepared.X)
    away[7, 0] = 0.0
    assert 0.45 * step < away[:, 0].max() <= 0.5 * step


def test_clipped_values_stand_at_places_of_their_own_beyond_the_others():
    x = np.random.default_rng(7).normal(size=200)
    x[:6] = 10.0 ** np.arange(2, 8)
    prepared, X = spread(x=x, other=np.random.default_rng(8).normal(size=200))
    assert len(np.unique(prepared.X[:6, 0])) == 1 and np.argsort(X[:, 0])[-6:].tolist() == list(range(6))


def test_rows_in_another_order_are_spread_alike_and_copies_stay_copies():
    rng = np.random.default_rng(6)
    table = np.repeat(np.round(rng.normal(size=(60, 3)), 2), 2, axis=0)
    order = rng.permutation(120)
    X, moved = (spread(**{f"x{j}": T[:, j] for j in range(3)})[1] for T in (table, table[order]))
    assert np.array_equal(X[::2], X[1::2])
    assert moved == pytest.approx(X[order], abs=1e-12)


def test_cells_at_a_limit_stand_beyond_it_as_a_tail_does():
    """Of an exponential law cut off at its median, the tail that is given back is that law."""
    x = np.random.default_rng(9).exponential(size=4000)
    prepared, X = spread(x=np.minimum(x, np.log(2)), other=np.random.default_rng(10).normal(size=4000))
    scale = prepared.scales[0]
    back = (X[:, 0] * scale.scale + scale.center) * scale.unit
    beyond = x > np.log(2)
    assert np.allclose(back[~beyond], x[~beyond], atol=1e-3) and (back[beyond] > np.log(2)).all()
    assert np.mean(back[beyond] - np.log(2)) == pytest.approx(np.log(2), rel=0.1)  # within it lie as many


def test_the_last_step_of_a_scale_is_no_limit():
    grades = np.random.default_rng(11).binomial(14, 0.9, 500).astype(float)
    prepared, X = spread(grades=grades, other=np.random.default_rng(12).normal(size=500))
    step = 1 / (prepared.scales[0].unit * prepared.scales[0].scale)
    assert np.abs(X[:, 0] - prepared.X[:, 0]).max() <= 0.5 * step + 1e-9
