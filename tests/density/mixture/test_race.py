"""Mixtures that make their steps together end where each ends alone, and only what is likelier takes the place."""

import numpy as np
import pytest

from unmix.costs.gaussian.cost import Gaussian
from unmix.costs.gaussian.covariance import Diagonal, Full, Spherical, Tied
from unmix.density.mixture.other_starts import THOROUGH, USUAL, effort_for, mixture_of_labels
from unmix.density.mixture.race import Runner, Sample, advanced, winner
from unmix.density.mixture.start import Given
from unmix.inference.expectation import expectation
from unmix.io.dispatch import as_blocks

FAMILIES = [Full(), Tied(), Diagonal(), Spherical()]


def drawn(missing=False):
    rng = np.random.default_rng(5)
    labels = np.repeat(np.arange(3), 60)
    rows = rng.normal(size=(180, 3)) + 6.0 * rng.normal(size=(3, 3))[labels]
    view = rows.copy()
    if missing:
        rows[rng.random(rows.shape) < 0.1] = np.nan
    return Sample(rows, view, rng.integers(1, 4, 180).astype(float)), labels, rng


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: type(family).__name__)
def test_steps_made_together_are_those_made_alone(family, missing):
    sample, _, rng = drawn(missing)
    cost = Gaussian(family, np.full(3, 1e-6), missing)
    mixtures = [mixture_of_labels(sample, cost, rng.integers(3, size=180), 3, Given()) for _ in range(4)]
    together = advanced(sample, cost, [Runner(each) for each in mixtures], 5)
    X = as_blocks(sample.rows)
    for start, runner in zip(mixtures, together):
        alone = expectation(X, cost, start, weights=sample.weights, max_iter=5, tol=0.0)
        before = expectation(X, cost, start, weights=sample.weights, max_iter=4, tol=0.0)
        assert runner.value == pytest.approx(-alone.free_energy, rel=1e-9)
        assert runner.rise == pytest.approx(before.free_energy - alone.free_energy, rel=1e-6, abs=1e-9)
        np.testing.assert_allclose(runner.mixture.weights, alone.prototypes.weights, rtol=1e-7)
        np.testing.assert_allclose(runner.mixture.means, alone.prototypes.means, rtol=1e-7)
        np.testing.assert_allclose(runner.mixture.covariances, alone.prototypes.covariances, rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(runner.mixture.log_constants, alone.prototypes.log_constants, rtol=1e-7)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: type(family).__name__)
def test_the_right_groups_win_against_one_cut_in_two_and_not_the_other_way(family):
    sample, labels, _ = drawn()
    cost = Gaussian(family, np.full(3, 1e-6))
    cut = np.where(labels == 2, np.where(sample.rows[:, 1] > np.median(sample.rows[labels == 2, 1]), 2, 1), 0)
    right, wrong = (mixture_of_labels(sample, cost, each, 3, Given()) for each in (labels, cut))
    right, wrong = (each.mixture for each in advanced(sample, cost, [Runner(right), Runner(wrong)], 40))
    values = [each.value for each in advanced(sample, cost, [Runner(right), Runner(wrong)], 1)]
    assert values[0] > values[1] + 0.05
    best = winner(sample, cost, [wrong, right], wrong, 1e-3)
    assert best is not None
    np.testing.assert_allclose(best.means, right.means, atol=0.05)
    assert winner(sample, cost, [wrong], right, 1e-3) is None


def test_a_second_look_is_bounded_by_what_its_steps_cost():
    assert effort_for(Full(), 8, 20, 2000) is THOROUGH  # rows are scarce
    assert effort_for(Full(), 3, 2, 10_000) is USUAL  # and plenty
    assert effort_for(Full(), 3, 200, 1000) is None and effort_for(Diagonal(), 400, 4, 10_000) is None
