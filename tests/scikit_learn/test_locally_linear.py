"""scikit-learn's own tests of LocallyLinearEmbedding, on ours."""

import pytest

from tests.scikit_learn.held import hold, share_passed


@pytest.mark.long
@pytest.mark.slow_without_jit
def test_locally_linear(tmp_path):
    assert share_passed(hold("locally_linear", tmp_path)) == 1
