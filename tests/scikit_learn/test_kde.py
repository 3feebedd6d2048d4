"""scikit-learn's own tests of KernelDensity, on ours."""

import pytest

from tests.scikit_learn.held import hold


@pytest.mark.long
@pytest.mark.slow_without_jit
def test_kde(tmp_path):
    hold("kde", tmp_path)
