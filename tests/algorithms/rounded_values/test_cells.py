"""Cells of rounded values, by hand: what one odd value, a gap or a tail must not change."""

import numpy as np
import pytest

from unmix.algorithms.rounded_values.cells import cell_widths, column_widths


def widths(**counts):
    values = np.array([float(name[1:].replace("_", ".")) for name in counts])
    return cell_widths(values, np.array(list(counts.values()))).tolist()


def test_grades_have_their_step():
    assert widths(v1=10, v2=40, v3=70, v4=40, v5=10) == [1, 1, 1, 1, 1]


def test_one_odd_value_makes_no_cell_narrow():
    assert widths(v1=10, v2=40, v2_7=1, v3=70, v4=40)[:2] == [1, 1]
    assert widths(v10=20, v17=1, v20=30, v30=30, v31=1, v40=20)[::5] == [10, 10]


def test_a_rare_value_inside_a_cell_is_spread_as_widely():
    assert widths(v1=10, v2=40, v2_9=6, v3=70, v4=40)[2] == 1


def test_a_gap_between_groups_is_no_cell():
    assert widths(v1=30, v2=30, v3=30, v50=90) == [1, 1, 1, 1]


def test_a_value_far_more_frequent_than_its_neighbours_reaches_halfway_to_them():
    assert widths(v0=500, v1=20, v2=20) == [1, 1, 1]


def test_tails_of_a_lattice_have_its_step():
    X = np.round(np.random.default_rng(0).normal(size=300), 1)
    assert column_widths(X) == pytest.approx(0.1)


def test_continuous_columns_and_constant_ones_have_no_cells():
    assert column_widths(np.random.default_rng(0).normal(size=50)) is None
    assert column_widths(np.ones(50)) is None
