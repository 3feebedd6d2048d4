"""Cells told from the others of their row, against rows from which each was really taken out."""

import numpy as np
import pytest
from scipy.special import ndtri

from unmix.algorithms.factorization.left_out import COVERAGES, freedom, left_out, quantiles, spreads_for
from unmix.algorithms.factorization.normal_codes import NormalModel, maximized, posterior, sums_of
from unmix.decomposition import Factorization


@pytest.mark.parametrize("counted", [False, True], ids=["once", "by weights"])
def test_leaving_a_cell_out_in_closed_form_is_leaving_it_out(counted):
    rng = np.random.default_rng(0)
    components, noise = rng.normal(size=(3, 5)), rng.uniform(0.2, 2.0, 5)
    model = NormalModel(components, noise, np.ones(2))
    targets = rng.normal(size=(8, 5)) * 2
    targets[rng.random(targets.shape) < 0.2] = np.nan
    entries = rng.uniform(0.3, 3.0, targets.shape) if counted else None
    whole = posterior(targets, entries, model)
    found = left_out(targets, whole.mask, whole.means, whole.covariances, model)
    for i, j in np.argwhere(~np.isnan(targets)):
        row = targets[[i]].copy()
        row[0, j] = np.nan
        without = posterior(row, None if entries is None else entries[[i]], model)
        predict = without.means[0] @ components[:-1, j] + components[-1, j]
        variance = noise[j] + components[:-1, j] @ without.covariances[0] @ components[:-1, j]
        assert found[i, j] == pytest.approx(abs(targets[i, j] - predict) / np.sqrt(variance), rel=1e-10)
    assert np.array_equal(np.isnan(found), np.isnan(targets))


@pytest.mark.parametrize("precision", [1e-6, 10.0, 1e6])
def test_degrees_of_freedom_are_how_much_what_is_told_follows_the_cells(precision):
    """Σ_i of the derivative of what is told of cell i by the cell, the codes as they are."""
    rng = np.random.default_rng(0)
    model = NormalModel(rng.normal(size=(3, 5)), np.ones(5), np.full(2, precision))
    targets = rng.normal(size=(20, 5))
    codes = posterior(targets, None, model)
    followed = np.zeros(5)
    for i in range(20):
        cells = targets.copy()
        cells[i] += 1
        pair = [maximized(sums_of(codes._replace(targets=x), np.ones(20)), model) for x in (targets, cells)]
        before, after = (np.append(codes.means[i], 1) @ new.components for new in pair)
        followed += after - before
    certain = codes._replace(covariances=np.zeros_like(codes.covariances))
    found = freedom(sums_of(codes, np.ones(20)), sums_of(certain, np.ones(20)), model)
    np.testing.assert_allclose(found, followed / 20, rtol=1e-9)


def test_ranks_are_those_of_a_further_cell_and_a_weight_is_the_cell_as_often():
    sizes = np.arange(1.0, 100.0)[:, None]
    kept = quantiles(sizes, np.ones_like(sizes))
    np.testing.assert_array_equal(kept[1:100, 0], np.arange(1, 100))  # rank c (n + 1) of 99 cells
    assert kept[-1, 0] == 99
    weights = np.random.default_rng(0).integers(0, 4, (99, 1))
    again = np.repeat(sizes, weights[:, 0], axis=0)
    np.testing.assert_array_equal(quantiles(sizes, weights), quantiles(again, np.ones_like(again)))


def test_few_cells_promise_no_less_than_a_normal_law():
    kept = quantiles(np.array([[0.1], [0.2], [np.nan]]), np.ones((3, 1)))
    np.testing.assert_allclose(kept[COVERAGES > 0.7, 0], ndtri(0.5 + 0.5 * COVERAGES[COVERAGES > 0.7]))


def test_beyond_what_is_kept_a_normal_law_goes_on():
    kept = np.repeat(2 * ndtri(0.5 + 0.5 * COVERAGES)[:, None], 3, axis=1)
    for coverage in (0.25, 0.995, 0.9999):
        np.testing.assert_allclose(spreads_for(coverage, kept), 2 * ndtri(0.5 + 0.5 * coverage), rtol=1e-6)


def hard_table(law, seed):
    """Two codes behind eight columns whose noise is far from normal."""
    rng = np.random.default_rng(seed)
    noise = {
        "far values": lambda size: rng.normal(size=size) * np.where(rng.random(size) < 0.03, 15.0, 0.3),
        "two values": lambda size: rng.choice([-0.5, 0.5], size),
    }[law]
    return rng.normal(size=(400, 2)) @ rng.normal(size=(2, 8)) + noise((400, 8))


@pytest.mark.parametrize("law", ["far values", "two values"])
@pytest.mark.parametrize("coverage", [0.5, 0.9])
def test_intervals_hold_their_share_whatever_the_law_of_the_noise(law, coverage):
    held = []
    for seed in range(3):
        X = hard_table(law, seed)
        hidden = np.random.default_rng(100 + seed).random(X.shape) < 0.2
        Y = np.where(hidden, np.nan, X)
        model = Factorization(4, loss="squared", codes="normal", scale="column", random_state=0).fit(Y)
        low, high = model.impute_interval(Y, coverage)
        held.append(((low <= X) & (high >= X))[hidden].mean())
    assert abs(np.mean(held) - coverage) < 0.05


def test_few_rows_and_many_components_leave_intervals_honest():
    """Components bent to 30 rows tell their cells better than others: without a correction 75 % are held."""
    held = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(30, 3)) @ rng.normal(size=(3, 8)) + 0.5 * rng.normal(size=(30, 8))
        hidden = rng.random(X.shape) < 0.2
        Y = np.where(hidden, np.nan, X)
        model = Factorization(6, loss="squared", codes="normal", scale="column", random_state=0).fit(Y)
        low, high = model.impute_interval(Y, 0.8)
        held.append(((low <= X) & (high >= X))[hidden].mean())
    assert abs(np.mean(held) - 0.8) < 0.03


def test_a_weight_of_two_is_the_row_twice():
    X = hard_table("far values", 0)[:60]
    X[::7, 2] = np.nan
    weights = np.random.default_rng(1).integers(1, 3, len(X))
    settings = {"loss": "squared", "codes": "normal", "scale": "column", "tol": 1e-9, "max_iter": 3000}
    heavy = Factorization(2, **settings).fit(X, sample_weight=weights)
    often = Factorization(2, **settings).fit(np.repeat(X, weights, axis=0))
    np.testing.assert_allclose(heavy.left_out_quantiles_, often.left_out_quantiles_, rtol=1e-3)
