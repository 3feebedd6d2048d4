"""References of dependent rows keep the covariance and the correlations along the order; those of units, their rows."""

import numpy as np
import pytest

from unmix.validation.dependence.evaluation_rows import evaluation_rows
from unmix.validation.dependence.surrogate import DependentReference, following, other_phases
from unmix.validation.dependence.units import UnitReference, unit_means
from unmix.validation.evidence.references.reference import uniform_reference

SEASON = np.sin(2 * np.pi * np.arange(240)[:, None] / 12 + [0.0, 1.0]) + 0.3 * np.random.default_rng(0).normal(
    size=(240, 2)
)


def correlations(X, lag):
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    return Z[lag:].T @ Z[: len(Z) - lag] / (len(Z) - lag)


@pytest.mark.parametrize("lag", [0, 1, 3, 6])
def test_other_phases_keep_correlations_of_columns_with_themselves(lag):
    drawn = [other_phases(SEASON, np.random.default_rng(s)) for s in range(200)]
    found = np.mean([np.diag(correlations(table, lag)) for table in drawn], axis=0)
    assert found == pytest.approx(np.diag(correlations(SEASON, lag)), abs=0.08)


def test_references_of_dependent_rows_have_the_covariance_of_the_table():
    X = SEASON @ [[2.0, 1.0], [0.0, 1.0]] + 5
    draw = DependentReference(X)(X)
    tables = [draw(np.random.default_rng(s)) for s in range(100)]
    assert np.mean([np.cov(table.T) for table in tables], axis=0) == pytest.approx(np.cov(X.T), rel=0.25, abs=0.1)
    assert draw(np.random.default_rng(0)).shape == X.shape
    assert DependentReference(X)(X[:50])(np.random.default_rng(0)).shape == (50, 2)


def test_rows_that_follow_have_unit_variance_and_the_coefficient():
    rows = following(20_000, 2, 0.6, np.random.default_rng(0))
    assert rows.std(axis=0) == pytest.approx([1, 1], abs=0.03)
    assert np.diag(correlations(rows, 1)) == pytest.approx([0.6, 0.6], abs=0.03)


def test_rows_of_a_unit_stay_together():
    rng = np.random.default_rng(1)
    units = np.repeat(np.arange(20), 5)
    X = 9 * rng.normal(size=(20, 3))[units] + rng.normal(size=(100, 3))
    table = UnitReference(X, units)(X)(np.random.default_rng(0))
    within = np.abs(X - unit_means(X, units)[units])
    assert np.abs(table - unit_means(table, units)[units]) == pytest.approx(within)


def test_references_hold_rows_as_often_as_the_table_does():
    X = np.random.default_rng(2).normal(size=(30, 2))
    weights = np.random.default_rng(3).integers(0, 4, 30).astype(float)
    evaluated = evaluation_rows(X, weights, 1000, np.random.default_rng(0))
    repeated = evaluation_rows(np.repeat(X, weights.astype(int), axis=0), None, 1000, np.random.default_rng(0))
    assert np.array_equal(evaluated.smooth, repeated.smooth) and np.array_equal(evaluated.different, repeated.different)
    table = evaluated.reference(uniform_reference, X.dtype)(np.random.default_rng(0))
    counts = np.unique(table, axis=0, return_counts=True)[1]
    assert sorted(counts) == sorted(weights[weights > 0]) and len(table) == weights.sum()
