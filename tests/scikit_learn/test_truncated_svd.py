"""scikit-learn's own tests of TruncatedSVD, on ours."""

import pytest

from tests.scikit_learn.held import hold


@pytest.mark.long
@pytest.mark.slow_without_jit
def test_truncated_svd(tmp_path):
    hold("truncated_svd", tmp_path)
