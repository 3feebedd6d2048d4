"""scikit-learn's own tests of NMF, on ours."""

import pytest

from tests.scikit_learn.held import hold, share_passed


@pytest.mark.long
@pytest.mark.slow_without_jit
def test_nmf(tmp_path):
    assert share_passed(hold("nmf", tmp_path)) > 0.86
