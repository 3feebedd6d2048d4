"""Bits of pairs of columns against closed forms."""

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

from tests.exploration.associations.made import SHUFFLED, coded, of_two, upper
from unmix.exploration.associations.pairs import strongest


@pytest.mark.parametrize("n", [100, 400, 2000])
@pytest.mark.parametrize("rho", [0.0, 0.4, -0.8, 0.97])
def test_bits_of_two_normal_columns_are_those_of_their_correlation(n, rho):
    rng = np.random.default_rng(3)
    x, e = rng.normal(size=(2, n))
    found = of_two(x, rho * x + np.sqrt(1 - rho**2) * e)
    assert found.bits == pytest.approx(-0.5 * np.log2(1 - rho**2), abs=2 * found.error)
    assert found.error < 2.5 / np.sqrt(n)


def test_bits_of_levels_are_those_of_their_table():
    rng = np.random.default_rng(0)
    joint = np.array([[0.3, 0.05, 0.05], [0.05, 0.15, 0.1], [0.05, 0.05, 0.2]])
    true = (joint * np.log2(joint / np.outer(joint.sum(1), joint.sum(0)))).sum()
    cells = rng.choice(9, size=1500, p=joint.ravel())
    x, y = np.array(list("abc"))[cells // 3], np.array(list("uvw"))[cells % 3]
    found = of_two(x, y)
    assert found.bits == pytest.approx(true, abs=2 * found.error)
    plain = mutual_info_score(x, y) / np.log(2)
    assert found.bits == pytest.approx(plain - 4 / (2 * np.log(2) * 1500), abs=5e-4)  # Miller and Madow


def test_a_number_and_a_level_that_moves_it():
    rng = np.random.default_rng(1)
    level = rng.integers(2, size=2000)
    z = np.linspace(-8, 8, 4001)
    one, two = (np.exp(-0.5 * (z - m) ** 2) / np.sqrt(2 * np.pi) for m in (-1.0, 1.0))
    mixed = (one + two) / 2
    true = np.trapezoid(-mixed * np.log2(mixed), z) - 0.5 * np.log2(2 * np.pi * np.e)
    found = of_two(rng.normal(2.0 * level - 1), np.where(level, "high", "low"))
    assert found.bits == pytest.approx(true, abs=0.02 + 2 * found.error)  # eight bins lose a little
    assert found.sentence == "x is higher where y is high"


def test_curves_are_found_where_the_correlation_is_none():
    rng = np.random.default_rng(2)
    x = rng.normal(size=600)
    found = of_two(x, x**2 + 0.5 * rng.normal(size=600))
    assert found.p_value < 1e-6 and found.bits > 0.5
    assert found.sentence == "y is curved along x: lowest in its middle"
    assert "along no line" in of_two(x, np.where(rng.random(600) < 0.5, x, -x)).sentence


def test_levels_of_many_digits_are_short_in_sentences():
    rng = np.random.default_rng(0)
    level = rng.integers(2, size=200)
    found = of_two(rng.normal(3.0 * level), np.array(["-0.044641636506989", "0.0506801187398187"])[level])
    assert found.sentence == "x is higher where y is 0.0506801"


def test_one_of_two_levels_that_only_pairs_tell():
    """z = x xor y: no two of the three go together, and none is said to."""
    x, y = np.random.default_rng(0).integers(2, size=(2, 800))
    table = coded(x=x, y=y, z=x ^ y, w=x)
    found, n_found = strongest(table, SHUFFLED, np.random.default_rng(0), upper(table))
    assert n_found == 1 and [pair.columns for pair in found] == [["x", "w"]]
    assert found[0].bits == pytest.approx(1.0, abs=0.01) and found[0].share == pytest.approx(1.0)


def test_units_and_monotone_maps_change_no_bit():
    rng = np.random.default_rng(5)
    x = rng.normal(size=300)
    y = x + rng.normal(size=300)
    plain, mapped = of_two(x, y), of_two(1e6 * x - 7, np.exp(y))
    assert mapped.bits == pytest.approx(plain.bits, rel=1e-12) and mapped.p_value == plain.p_value
    assert of_two(-x, y).sentence == "x falls with y" and plain.sentence == "x rises with y"


def test_equal_values_are_not_read_off_what_a_line_leaves():
    rng = np.random.default_rng(0)
    found = of_two(rng.integers(170, 230, size=340).astype(float), rng.integers(3, size=340).astype(float))
    assert found.bits < 0.05
    for values in ((40, 25), (10, 9), (4, 3)):
        found = of_two(*(rng.integers(k, size=340).astype(float) for k in values))
        assert found.bits < 2.5 * found.error < 0.12


def test_missing_cells_are_left_out_of_their_pairs():
    rng = np.random.default_rng(0)
    x = rng.normal(size=900)
    y = 0.8 * x + 0.6 * rng.normal(size=900)
    x[:300], y[200:500] = np.nan, np.nan
    whole = ~(np.isnan(x) | np.isnan(y))
    found = of_two(x, y)
    assert found.bits == pytest.approx(of_two(x[whole], y[whole]).bits, abs=found.error)
    assert found.bits == pytest.approx(-np.log2(0.6), abs=2 * found.error)


def test_a_far_value_changes_little():
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    y = x + rng.normal(size=300)
    plain = of_two(x, y).bits
    x[0], y[1] = 1e200, -1e12
    assert of_two(x, y).bits == pytest.approx(plain, abs=0.1)
