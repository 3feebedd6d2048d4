"""scikit-learn's own tests of NMF, on ours."""

import pytest

from tests.scikit_learn.held import hold


@pytest.mark.long
@pytest.mark.slow_without_jit
def test_nmf(tmp_path):
    hold("nmf", tmp_path)
