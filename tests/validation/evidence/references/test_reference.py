import numpy as np
import pytest
from sklearn.covariance import ledoit_wolf_shrinkage

from unmix.validation.evidence.references.reference import even_share


@pytest.mark.parametrize("shape", [(50, 3), (10, 40), (30, 30), (5, 2), (2, 3), (100, 1), (500, 7)])
def test_the_even_share_is_that_of_ledoit_and_wolf(shape):
    X = np.random.default_rng(0).normal(size=shape) * np.arange(1, shape[1] + 1)
    X -= X.mean(axis=0)
    expected = ledoit_wolf_shrinkage(X, assume_centered=True)
    assert even_share(X, np.linalg.svd(X, compute_uv=False)) == pytest.approx(float(expected), abs=1e-12)


def test_an_even_covariance_needs_no_share():
    X = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    assert even_share(X, np.linalg.svd(X, compute_uv=False)) == 0.0
