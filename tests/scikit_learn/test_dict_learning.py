"""scikit-learn's own tests of DictionaryLearning, MiniBatchDictionaryLearning and SparseCoder, on ours."""

import pytest

from tests.scikit_learn.held import hold, share_passed


@pytest.mark.long
@pytest.mark.slow_without_jit
def test_dict_learning(tmp_path):
    assert share_passed(hold("dict_learning", tmp_path)) == 1
