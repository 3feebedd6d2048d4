"""scikit-learn's own tests of GaussianMixture, on ours."""

import pytest

from tests.scikit_learn.held import hold, share_passed


@pytest.mark.long
@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name, share", [("gaussian_mixture", 0.8), ("mixture", 1.0)])
def test_gaussian_mixture(name, share, tmp_path):
    assert share_passed(hold(name, tmp_path)) >= share
