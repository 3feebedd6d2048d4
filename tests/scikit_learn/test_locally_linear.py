"""scikit-learn's own tests of LocallyLinearEmbedding, on ours."""

import pytest

from tests.scikit_learn.held import hold


@pytest.mark.long
@pytest.mark.slow_without_jit
def test_locally_linear(tmp_path):
    hold("locally_linear", tmp_path)
