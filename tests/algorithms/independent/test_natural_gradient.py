"""The compiled rules of Infomax by batches, against the formulas with whole matrices."""

import numpy as np
import pytest

from unmix.algorithms.independent.natural_gradient import Batches, begin, natural_gradient_pass
from unmix.algorithms.independent.natural_gradient_kernel import invert


def test_the_inverse_is_that_of_lapack_and_needs_its_pivots():
    matrix = np.random.default_rng(0).normal(size=(6, 6))
    matrix[0, 0] = 0.0
    out = np.empty_like(matrix)
    invert(matrix.copy(), out)
    np.testing.assert_allclose(out, np.linalg.inv(matrix), rtol=1e-10)


@pytest.mark.parametrize("k", [3, 6])
@pytest.mark.parametrize("rule", ["natural", "gradient"])
def test_two_batches_are_two_steps_up_the_likelihood(k, rule):
    """The second batch is not full."""
    rng = np.random.default_rng(1)
    rows, W = rng.laplace(size=(14, k)), np.eye(k) + 0.1 * rng.normal(size=(k, k))
    how = Batches(rule, 8, 0.3, extended=False)
    found = natural_gradient_pass(begin(W), rows, None, how)
    masses = np.array([8.0, 6.0])
    for part, rate in zip((rows[:8], rows[8:]), how.steps(masses, np.array([0.0, 8.0]))):
        s = part @ W.T
        ascent = np.eye(k) - np.tanh(s / 2).T @ s / len(s)
        scale = min(rate, 0.5 / np.abs(ascent).max())
        W = W + scale * ascent @ (W if rule == "natural" else np.linalg.inv(W).T)
    np.testing.assert_allclose(found.matrix, W, rtol=1e-10)
