"""scikit-learn's own tests of FastICA, on ours."""

import pytest

from tests.scikit_learn.held import hold


@pytest.mark.long
@pytest.mark.slow_without_jit
def test_fastica(tmp_path):
    hold("fastica", tmp_path)
