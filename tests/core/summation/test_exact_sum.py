"""Sums without rounding are those of fractions, in any parts and order."""

import math
from fractions import Fraction

import numpy as np
import pytest

from unmix.core.summation.exact_sum import as_number, exact_sum

TABLES = {
    "normal": lambda rng: rng.normal(size=3000),
    "of all sizes": lambda rng: rng.choice([-1, 1], 3000) * 10.0 ** rng.uniform(-290, 290, 3000),
    "cancelling": lambda rng: np.array([1e299, 1.0, 1e-300, -1e299]),
    "below normal": lambda rng: np.array([1e-310, 5e-324, -3e-320]),
    "zeros": lambda rng: np.zeros(5),
    "none": lambda rng: np.empty(0),
}


@pytest.mark.parametrize("name", TABLES)
def test_it_is_the_sum_of_fractions(name):
    x = TABLES[name](np.random.default_rng(0))
    assert as_number(exact_sum(x)) == sum(map(Fraction, x.tolist())) and float(as_number(exact_sum(x))) == math.fsum(x)


def test_parts_and_order_do_not_matter():
    rng = np.random.default_rng(1)
    x = rng.standard_cauchy(150_000)  # in several blocks
    assert exact_sum(x) == exact_sum(rng.permutation(x)) == exact_sum(x[:70_001]) + exact_sum(x[70_001:])
    assert float(as_number(exact_sum(x))) == math.fsum(x)
