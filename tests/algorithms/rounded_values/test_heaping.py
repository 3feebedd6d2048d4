"""Values heaped at a coarser step than the others: found where planted, not where laws are lumpy, and not shown."""

import csv
from pathlib import Path

import numpy as np
import pytest

from unmix.algorithms.rounded_values.heaping import Heaps, find_heaps, multiples
from unmix.algorithms.rounded_values.rounding import find_rounding
from unmix.density import HistogramDensity, KernelDensity

RULES = ["likelihood", "least-squares", "knuth"]
EXAMPLES = Path(__file__).parents[3] / "examples"


def body_mass():
    with open(EXAMPLES / "penguins.csv") as file:
        cells = [row["body_mass_g"] for row in csv.DictReader(file)]
    return np.array([float(cell) for cell in cells if cell not in ("", "NA")])


def rounding_of(x):
    values, counts = np.unique(x, return_counts=True)
    return find_rounding(values[:, None], counts.astype(float))


def heaped(exact, share, step, fine=1.0, seed=0):
    coarse = np.random.default_rng(seed).random(len(exact)) < share
    return np.where(coarse, step * np.round(exact / step), fine * np.round(exact / fine))


@pytest.mark.parametrize("multiple, first", [(2, 1), (5, 0), (7, 3), (10, 9), (500, 250)])
@pytest.mark.parametrize("share, found", [(0.2, False), (0.3, True), (0.9, True)])
def test_even_rows_with_a_planted_share(multiple, first, share, found):
    """Even rows, of which a share stands at every m-th place: p - q is the share, but for one place left out."""
    length = 40 * multiple
    counts = np.full(length, (1 - share) / length)
    counts[first::multiple] += share / 40
    expected = Heaps(multiple, first) if found else None
    assert find_heaps(np.arange(length), 1e6 * counts, 0.1) == expected


def test_heaps_at_three_steps_are_told_by_the_coarsest_with_enough():
    exact = np.random.default_rng(0).normal(0, 100, 6000)
    fives = heaped(exact, 0.5, 5.0, seed=1)
    tens = np.where(np.random.default_rng(2).random(6000) < 0.5, 10 * np.round(exact / 10), fives)
    assert rounding_of(fives).steps[0] == 5 and rounding_of(tens).steps[0] == 10


def test_one_value_alone_is_no_heaping():
    counts = np.full(84, 10.0)
    counts[::7] += 1.0  # each a little higher than what is between
    assert find_heaps(np.arange(84), counts, 1.0) is None
    counts[0] = 1000.0
    assert find_heaps(np.arange(84), counts, 1.0) is None
    counts[::7] = 60.0
    assert find_heaps(np.arange(84), counts, 1.0) == Heaps(7, 0)


def test_heaps_at_tens_are_not_taken_for_heaps_at_twos():
    found = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        exact = rng.normal(140, 24, 300)
        x = np.where(rng.random(300) < 0.33, 10 * np.round(exact / 10), np.round(exact)).astype(int)
        found.append(find_heaps(x - x.min(), np.ones(300), 1.0))
    right = [heaps is not None and heaps.multiple == 10 for heaps in found]
    assert sum(right) >= 50 and all(right[k] or heaps is None for k, heaps in enumerate(found))


def test_beyond_small_multiples_only_round_steps_are_tried():
    few, many = multiples(300, 1.0), multiples(100_000, 0.25)
    assert few == set(range(2, 43))
    assert {400, 1000, 2000, 4000, 10_000} <= many and not {399, 1001} & many and max(many) <= 100_000 // 7


@pytest.mark.parametrize("n", [40, 150, 600, 4000])
def test_laws_that_are_lumpy_by_themselves_are_not_heaped(n):
    rng = np.random.default_rng(n)
    zeros = np.where(rng.random(n) < 0.6, 0, rng.integers(1, 80, n))
    dice = rng.integers(1, 7, (n, 2)).sum(axis=1)
    apart = np.concatenate([rng.normal(20, 2, n), rng.normal(80, 2, n)]).round()
    laws = [rng.poisson(0.5, n), rng.poisson(8, n), rng.geometric(0.1, n), zeros, dice, apart, rng.integers(0, 60, n)]
    for x in laws:
        rounding = rounding_of(x.astype(float))
        assert rounding is None or (rounding.steps == rounding.fine).all()


def test_penguins_were_weighed_to_fifty_grams_with_some_of_twenty_five():
    rounding = rounding_of(body_mass())
    assert (rounding.steps[0], rounding.fine[0]) == (50, 25)
    own = rounding.own_steps(np.array([[3000.0], [3025.0], [3050.0]]))
    np.testing.assert_array_equal(own, [[50], [25], [50]])


@pytest.mark.parametrize("rule", RULES)
def test_the_bins_of_penguins_do_not_show_the_heaping(rule):
    x = body_mass()
    edges = HistogramDensity(rule).fit(x[:, None]).bin_edges_[0]
    widths = np.diff(edges)
    np.testing.assert_allclose(widths, widths[0])
    assert widths[0] % 50 == 0 and (edges % 50 == 25).all() and edges[0] <= x.min() and x.max() <= edges[-1]
    # as many bins as for the same rows with their rounding undone at random
    blurred = x + np.random.default_rng(0).uniform(-25, 25, len(x))
    assert 0.5 < len(widths) / HistogramDensity(rule).fit(blurred[:, None]).n_bins_[0] < 2


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("share, step", [(0.4, 10.0), (0.7, 5.0), (0.9, 2.0)])
def test_two_steps_mixed_get_about_the_bins_of_the_rows_behind_them(rule, share, step):
    exact = np.random.default_rng(1).normal(200, 60, 2000)
    x = heaped(exact, share, step)
    model = HistogramDensity(rule).fit(x[:, None])
    edges = model.bin_edges_[0]
    assert np.allclose(np.diff(edges) % step, 0) and np.allclose(edges % step, step / 2)
    assert 0.5 < model.n_bins_[0] / HistogramDensity(rule).fit(exact[:, None]).n_bins_[0] < 2
    values, counts = np.unique(x, return_counts=True)
    weighted = HistogramDensity(rule).fit(values[:, None], sample_weight=counts)
    np.testing.assert_allclose(weighted.bin_edges_[0], edges)


@pytest.mark.parametrize("size, shift", [(2.0**900, 0.0), (2.0**-900, 0.0), (1.0, -1e6), (0.1, 3.0)])
def test_units_do_not_matter(size, shift):
    x = heaped(np.random.default_rng(1).normal(200, 60, 1000), 0.6, 5.0)
    plain, moved = (HistogramDensity().fit(rows[:, None]).bin_edges_[0] for rows in (x, size * (x + shift)))
    np.testing.assert_allclose(moved / size - shift, plain, rtol=1e-9)


def test_rows_that_fill_every_value_are_rounded_too():
    x = np.random.default_rng(0).integers(0, 100, 5000).astype(float)
    for rule in RULES:
        assert HistogramDensity(rule).fit(x[:, None]).n_bins_[0] <= 3


def test_no_kernel_is_narrower_than_the_heaps_are_apart():
    x = heaped(np.random.default_rng(1).normal(200, 15, 3000), 0.6, 10.0)
    assert KernelDensity("likelihood", random_state=0).fit(x[:, None]).bandwidth_[0] >= 10 * (1 - 1e-9)
