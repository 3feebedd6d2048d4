"""scikit-learn's own tests of TruncatedSVD, on ours."""

import pytest

from tests.scikit_learn.held import hold, share_passed


@pytest.mark.long
@pytest.mark.slow_without_jit
def test_truncated_svd(tmp_path):
    assert share_passed(hold("truncated_svd", tmp_path)) > 0.99
