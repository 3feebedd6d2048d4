"""Counts that add up to infinity are no law."""

import pytest

from unmix.information import entropy, mutual_information


def test_counts_that_add_up_to_infinity_are_refused():
    with pytest.raises(ValueError, match="p sums to infinity"):
        entropy([1.5e308, 1.5e308])
    with pytest.raises(ValueError, match="joint sums to infinity"):
        mutual_information([[1.5e308, 0.0], [0.0, 1.5e308]])
