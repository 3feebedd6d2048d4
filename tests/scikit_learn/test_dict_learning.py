"""scikit-learn's own tests of DictionaryLearning, MiniBatchDictionaryLearning and SparseCoder, on ours."""

import pytest

from tests.scikit_learn.held import hold


@pytest.mark.long
@pytest.mark.slow_without_jit
def test_dict_learning(tmp_path):
    hold("dict_learning", tmp_path)
