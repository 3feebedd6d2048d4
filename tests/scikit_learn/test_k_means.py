"""scikit-learn's own tests of KMeans and MiniBatchKMeans, on ours."""

import pytest

from tests.scikit_learn.held import hold


@pytest.mark.long
@pytest.mark.slow_without_jit
def test_k_means(tmp_path):
    hold("k_means", tmp_path)
