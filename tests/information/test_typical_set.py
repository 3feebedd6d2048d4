"""Typical sets against all sequences written down, the binomial law, and the equipartition property."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from unmix.information import entropy, typical_set


@pytest.mark.parametrize("p", [[0.5, 0.3, 0.2], [0.25, 0.25, 0.5], [0.9, 0.1], [0.4, 0.0, 0.6], [1.0]])
@pytest.mark.parametrize("n, epsilon", [(1, 0.3), (5, 0.2), (7, 0.05), (6, 0.0)])
def test_equals_enumeration(p, n, epsilon):
    p = np.array(p)
    found, size, mass = typical_set(p, n, epsilon), 0, 0.0
    for sequence in product(range(len(p)), repeat=n):
        probability = p[list(sequence)].prod()
        inside = probability > 0 and abs(-np.log2(probability) / n - entropy(p)) <= epsilon + 1e-12
        assert found.contains(np.array(sequence)) == inside
        size, mass = size + inside, mass + inside * probability
    assert 2**found.log_size == pytest.approx(size)
    assert found.mass == pytest.approx(mass)
    assert 2**found.log_total == pytest.approx((p > 0).sum() ** n)


def test_long_coin_agrees_with_the_binomial_law():
    n, epsilon, p = 2000, 0.0505, 0.2
    ones = np.arange(n + 1)
    surprise = -(ones * np.log2(p) + (n - ones) * np.log2(1 - p)) / n
    inside = np.abs(surprise - entropy([p, 1 - p])) <= epsilon
    assert typical_set([p, 1 - p], n, epsilon).mass == pytest.approx(binom.pmf(ones[inside], n, p).sum())


def test_equipartition():
    p, epsilon = [0.6, 0.3, 0.1], 0.1
    found = [typical_set(p, n, epsilon) for n in (10, 100, 1000)]
    masses = [each.mass for each in found]
    assert masses[0] < masses[1] < masses[2] and masses[2] > 0.999
    for each in found:
        low, high = each.log_bounds
        assert each.log_size <= high
        if each.mass >= 1 - epsilon:
            assert low <= each.log_size
    assert abs(found[2].log_size / 1000 - entropy(p)) <= epsilon
    assert found[2].log_size < 0.9 * found[2].log_total


def test_all_sequences_of_equal_letters_are_typical():
    found = typical_set(np.ones(26), 500, 0.0)
    assert found.mass == pytest.approx(1) and found.log_size == pytest.approx(500 * np.log2(26))


def test_base_is_only_a_unit():
    bits, nats = typical_set([0.7, 0.3], 50, 0.1), typical_set([0.7, 0.3], 50, 0.1 * np.log(2), base=np.e)
    assert nats.mass == pytest.approx(bits.mass)
    assert nats.log_size == pytest.approx(bits.log_size * np.log(2))
    assert nats.log_bounds[1] == pytest.approx(bits.log_bounds[1] * np.log(2))


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: typical_set([0.5, 0.5], 0, 0.1), "n=0"),
        (lambda: typical_set([0.5, 0.5], 5, -0.1), "epsilon"),
        (lambda: typical_set(np.arange(1, 30), 100, 0.1), "types"),
        (lambda: typical_set(np.ones((2, 2)), 3, 0.1), "flattened"),
        (lambda: typical_set([0.5, 0.5], 3, 0.1).contains([0, 1]), "sequence"),
        (lambda: typical_set([0.5, 0.5], 3, 0.1).contains([0, 1, 2]), "sequence"),
    ],
)
def test_bad_input_is_named(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
