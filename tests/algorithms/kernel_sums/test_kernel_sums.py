"""Kernel sums by leaves and by grid never exceed their stated error; compared with all pairs in plain NumPy."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp

import unmix
from unmix.algorithms.kernel_sums import gaussian, pair_kernel, pair_plain, pairs
from unmix.algorithms.kernel_sums.box import window_weights
from unmix.algorithms.kernel_sums.grid import grid, window
from unmix.algorithms.kernel_sums.leaves import make_leaves

pytestmark = pytest.mark.slow_without_jit
SPACINGS = list(window.SPACINGS)


def brute(rows, weights, queries):
    """log Σ_j w_j exp(-½ |q - x_j|²), pair by pair."""
    squares = ((queries[:, None] - rows) ** 2).sum(axis=2)
    return logsumexp(-0.5 * squares + np.log(weights), axis=1)


def relative_error(found, expected, size=1.0):
    """Of the sums, beyond what float64 cannot hold: digits of a large logarithm, and of coordinates of a large size."""
    rounding = np.abs(expected) + size * np.sqrt(2 * np.abs(expected) + 50)
    return np.abs(np.expm1(found - expected)) - 8 * np.finfo(float).eps * rounding


@st.composite
def problems(draw):
    """Clusters and outliers in 1 to 3 dimensions, weighted, in kernel widths; queries near, between and far away."""
    d, seed = draw(st.integers(1, 3)), draw(st.integers(0, 2**32 - 1))
    n, m = draw(st.integers(1, 400)), draw(st.integers(1, 150))
    spread, size = draw(st.sampled_from([0.0, 1.0, 30.0, 1000.0])), draw(st.sampled_from([0.01, 1.0, 8.0]))
    rng = np.random.default_rng(seed)
    centers = spread * rng.normal(size=(draw(st.integers(1, 4)), d))
    rows = centers[rng.integers(0, len(centers), n)] + size * rng.normal(size=(n, d))
    rows[rng.random(n) < 0.02] *= 50
    if draw(st.booleans()):
        rows = np.round(rows)  # copies
    weights = rng.random(n) ** draw(st.sampled_from([0, 1, 8])) + 1e-12
    queries = rows[rng.integers(0, n, m)] + rng.choice([0.0, 0.3, 3.0, 20.0, 1e4], (m, 1)) * rng.normal(size=(m, d))
    return rows, weights / weights.sum(), queries


@settings(max_examples=120, deadline=None, derandomize=True)
@given(problems(), st.sampled_from([1e-1, 1e-2, 1e-4, 1e-6, 1e-9]), st.sampled_from(["grid", "blocks", "auto"]))
def test_the_stated_relative_error_is_never_exceeded(problem, rtol, method):
    rows, weights, queries = problem
    found = gaussian.log_sums(rows, weights, queries, rtol, method)
    size = max(np.abs(rows).max(), np.abs(queries).max())
    assert relative_error(found, brute(rows, weights, queries), size).max() <= rtol


@settings(max_examples=40, deadline=None, derandomize=True)
@given(problems(), st.sampled_from(["auto", "exact"]))
def test_no_error_asked_for_none_made(problem, method):
    rows, weights, queries = problem
    rtol = 0.0 if method == "auto" else 0.1
    found = gaussian.log_sums(rows, weights, queries, rtol, method)
    assert (
        relative_error(found, brute(rows, weights, queries), max(np.abs(rows).max(), np.abs(queries).max())).max()
        <= 1e-13
    )


@pytest.mark.parametrize("rtol", [0.3, 0.1, 1e-2, 1e-3])
def test_what_is_left_away_by_leaves_stays_below_the_bound_where_that_is_tight(rtol):
    """Rows and queries in clumps, so that the least distance of two boxes is the distance of all their pairs."""
    rows = np.repeat(np.arange(0, 10, 0.1), 64)[:, None]
    queries = np.repeat([[0.0], [3.0]], 128, axis=0)
    weights = np.full(len(rows), 1 / len(rows))
    error = np.abs(np.expm1(pairs.pair_sums(rows, weights, queries, rtol).log_total - brute(rows, weights, queries)))
    assert 1e-9 < error.max() <= rtol / 2


@pytest.mark.parametrize("rtol", [1e-2, 1e-4, 1e-6, 1e-9])
@pytest.mark.parametrize("d", [1, 2])
def test_the_grid_gives_up_where_it_cannot_keep_its_word(d, rtol, monkeypatch):
    """One row has nearly all the weight: away from it sums fall by ten orders of magnitude, and the error does not."""
    rng = np.random.default_rng(0)
    rows, weights = 3 * rng.normal(size=(500, d)), np.full(500, 1e-9)
    rows[0], weights[0] = 0.1, 1.0
    weights /= weights.sum()
    queries = rng.uniform(-12, 12, (1500, d)) + rng.choice([0, 6], (1500, 1))
    summed = []
    monkeypatch.setattr(gaussian, "pair_sums", lambda *given: summed.append(len(given[2])) or pairs.pair_sums(*given))
    found = gaussian.log_sums(rows, weights, queries, rtol, "grid")
    assert relative_error(found, brute(rows, weights, queries)).max() <= rtol
    assert 0 < sum(summed) < 1499


@pytest.mark.parametrize("spacing", SPACINGS)
@pytest.mark.parametrize("d", [1, 2])
def test_the_bound_of_the_grid_holds_for_the_worst_weights(spacing, d):
    """All weight on one row, where nothing averages out, at many places within a cell."""
    rng = np.random.default_rng(0)
    queries = rng.uniform(-6, 6, (4000, d))
    worst = 0.0
    for place in rng.random((12, d)):
        rows = np.vstack([place, np.full((1, d), -6.0), np.full((1, d), 6.0)])
        weights = np.array([1.0, 1e-300, 1e-300])
        frame = grid.lay_grid(np.repeat(rows, 100_000 // 3, axis=0)[: 3 * 33_333], queries, spacing)
        values = grid.read(grid.convolve(rows, weights, frame), frame, queries)
        worst = max(worst, np.abs(values - np.exp(-0.5 * ((queries - place) ** 2).sum(axis=1))).max())
    assert worst <= frame.error
    assert worst >= frame.error / 1000  # the bound means something


def test_the_bound_counts_what_it_should():
    """Against the integral over frequencies of the window's own error, at other places than those it was made from."""
    for spacing in SPACINGS:
        frequency = np.linspace(0, math.pi, 101)
        found = window.waves(spacing, np.random.default_rng(0).random(300), frequency)
        deviation = np.abs(found / window.transform(spacing, frequency) - 1).max(axis=0)
        rate = frequency / spacing
        amplitude = np.exp(-0.5 * rate**2) * math.sqrt(2 / math.pi)
        excess = np.trapezoid(amplitude * ((1 + deviation) ** 2 - 1), rate)
        assert excess + math.erfc(math.pi / spacing / math.sqrt(2)) <= window.error_bound(spacing, 1) / 1.5
    assert window.error_bound(0.4, 2) < 1e-10 and window.error_bound(0.25, 2) < 1e-12  # as the documentation says
    assert window.choose_spacing(1e-8, 2) == 0.45 and window.choose_spacing(1e-16, 2) == 0


def test_the_window_is_kaisers_and_bessels():
    from scipy.special import i0

    place = np.linspace(0, 1, 31)
    for spacing, beta in window.SPACINGS.items():
        t = window.offsets(place) * 2 / window.WIDTH
        expected = i0(beta * np.sqrt(np.clip(1 - t**2, 0, None))) / i0(beta)
        np.testing.assert_allclose(window.values_at(spacing, place), expected, atol=1e-12)


def test_outliers_leave_the_grid_to_the_crowd():
    """A grid over everything would have 1e10 cells; most queries still take it, and all are right."""
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(3000, 2)) * 10
    rows[:3] = [[1e5, 1e5], [-1e5, 0], [0, 1e5]]
    queries = np.vstack([rng.normal(size=(1000, 2)) * 10, rows[:3] + 0.5])
    weights = np.full(3000, 1 / 3000)
    frame = grid.lay_grid(rows, queries, 0.4)
    assert frame is not None and frame.cells.prod() < 1e6
    found = gaussian.log_sums(rows, weights, queries, 1e-4, "grid")
    assert relative_error(found, brute(rows, weights, queries)).max() <= 1e-4


def test_far_tails_are_finite():
    rows, weights = np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([0.25, 0.75])
    queries = np.array([[1e3, 0.0], [1e8, 0.0], [-1e150, 1e150]])
    for method in ("grid", "blocks", "exact"):
        found = gaussian.log_sums(rows, weights, queries, 1e-4, method)
        assert np.isfinite(found).all()
        assert found[0] == pytest.approx(-0.5 * 999.0**2 + math.log(0.75), rel=1e-12)


@pytest.mark.parametrize("d", [1, 2])
@pytest.mark.parametrize("size", [0.3, 5.0, 300.0])
def test_sums_over_the_others(d, size):
    """Rows from crowded to alone, where nothing is left of a sum but the own term."""
    rng = np.random.default_rng(0)
    points, weights = size * rng.standard_t(3, size=(1200, d)), rng.random(1200) + 0.01
    weights /= weights.sum()
    squares = ((points[:, None] - points) ** 2).sum(axis=2)
    expected = logsumexp(np.where(np.eye(1200), -np.inf, -0.5 * squares + np.log(weights)), axis=1)
    found = gaussian.log_sums_of_others(points, weights, 1e-3)
    assert relative_error(found, expected, np.abs(points).max()).max() <= 1e-3


@pytest.mark.parametrize("leave_out", [False, True])
@pytest.mark.parametrize("d", [2, 4])
def test_plain_and_compiled_kernels_are_the_same(d, leave_out):
    rng = np.random.default_rng(0)
    rows, weights, queries = rng.normal(size=(3, 20, d)), rng.random((3, 20)), rng.normal(size=(d, 8))
    queries[:, 0] = rows[1, 3]
    answers = []
    for module in (pair_plain, pair_kernel):
        reference, moments = np.full(8, 1e304), np.zeros((d, 8))
        total, left_out = np.zeros(8), np.zeros(8)
        module.lower_reference(queries, rows, np.array([2]), leave_out, reference)
        module.add_leaves(queries, rows, weights, np.array([0, 1]), leave_out, reference, total, left_out, moments)
        answers.append(np.vstack([reference, total, left_out, moments]))
    np.testing.assert_allclose(*answers, rtol=1e-12, atol=1e-14)
    assert answers[0][2].any() == leave_out


@pytest.mark.parametrize("d", [1, 2, 5])
def test_rows_at_the_place_of_a_query_are_left_out(d):
    rng = np.random.default_rng(d)
    places = rng.normal(size=(150, d)) * 3
    places[0] = 300.0  # alone: what is left is far below its own term
    rows = np.concatenate([places, places[:40]])
    weights = rng.random(len(rows))
    weights /= weights.sum()
    leaves = make_leaves(pairs.in_units(rows), 2)
    found = pairs.leaf_sums(leaves, leaves.spread(weights), leaves, 1e-6, leave_out=True)
    squares = ((rows[:, None] - rows) ** 2).sum(axis=2)
    same = squares == 0
    expected = logsumexp(np.where(same, -np.inf, -0.5 * squares + np.log(weights)), axis=1)
    assert relative_error(leaves.collect(found.log_total, len(rows)), expected).max() <= 1e-6
    np.testing.assert_allclose(leaves.collect(found.left_out, len(rows)), (same * weights).sum(axis=1), rtol=1e-12)


def test_leaves_hold_every_row_once():
    points = np.round(np.random.default_rng(0).normal(size=(1001, 3)), 1)
    leaves = make_leaves(points, 4)
    order = leaves.order.ravel()
    assert sorted(order[order < 1001]) == list(range(1001)) and leaves.order.shape[0] == 16
    assert (leaves.points >= leaves.low[:, None]).all() and (leaves.points <= leaves.high[:, None]).all()
    volume = np.prod(leaves.high - leaves.low, axis=1).sum() / np.prod(np.ptp(points, axis=0))
    assert volume < 0.6  # rows in a leaf lie together
    assert leaves.spread(np.ones(1001)).sum() == 1001


def test_threads_do_not_change_a_bit():
    rng = np.random.default_rng(0)
    rows, queries = rng.normal(size=(5000, 2)) * 5, rng.normal(size=(3000, 2)) * 5
    weights = np.full(5000, 1 / 5000)
    answers = []
    for threads in (1, 3):
        with unmix.execution(threads=threads):
            answers.append([gaussian.log_sums(rows, weights, queries, 1e-4, how) for how in ("grid", "blocks")])
    assert np.array_equal(answers[0], answers[1])


@settings(max_examples=60, deadline=None, derandomize=True)
@given(problems(), st.sampled_from([0.3, 2.0, 40.0]))
def test_counts_in_windows_are_exact(problem, width):
    rows, _, queries = problem
    weights = np.random.default_rng(0).integers(1, 5, len(rows)).astype(float)
    widths = width * np.arange(1, rows.shape[1] + 1)
    inside = (np.abs(rows - queries[:, None]) < widths / 2).all(axis=2)
    edge = np.isclose(np.abs(rows - queries[:, None]), widths / 2, rtol=1e-9, atol=1e-9).any(axis=(1, 2))
    found = window_weights(rows, weights, queries, widths)
    assert np.array_equal(found[~edge], (inside @ weights)[~edge])
