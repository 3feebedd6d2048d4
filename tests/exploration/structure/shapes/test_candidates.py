"""How many groups the borders speak for, from depths that are given."""

import numpy as np

from unmix.exploration.structure.shapes.candidates import LEVEL, Partition, number_of, votes_of


def cuts(*depths):
    """Into 2, 3 … groups, with borders of these depths."""
    return [Partition("density", np.arange(k), depth) for k, depth in enumerate(depths, 2)]


def test_the_number_is_the_largest_that_holds_half_as_well_as_the_best():
    assert number_of(cuts(8.0, 5.0, 1.0)) == 3
    assert number_of(cuts(8.0, 3.9, 1.0)) == 2
    assert number_of(cuts(LEVEL - 0.1, 1.0)) == 1 and number_of([]) == 1


def test_a_narrow_gap_beside_a_wide_one_has_a_vote():
    assert votes_of(cuts(8.0, LEVEL + 0.1, 1.0)) == (2, 3)
    assert votes_of(cuts(8.0, LEVEL - 0.1, 1.0)) == (2, 2)
    assert votes_of([]) == (1, 1)
