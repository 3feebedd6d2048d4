"""scikit-learn's own tests of GaussianMixture, on ours."""

import pytest

from tests.scikit_learn.held import hold


@pytest.mark.long
@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name", ["gaussian_mixture", "mixture"])
def test_gaussian_mixture(name, tmp_path):
    hold(name, tmp_path)
