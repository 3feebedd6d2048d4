"""scikit-learn's own tests of PCA, on ours."""

import pytest

from tests.scikit_learn.held import hold


@pytest.mark.long
@pytest.mark.slow_without_jit
def test_pca(tmp_path):
    hold("pca", tmp_path)
