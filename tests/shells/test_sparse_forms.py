"""Every estimator that takes sparse tables reads the same table from every form of it, to the bit."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

from tests.sparse_models import ESTIMATORS, answers, forms, table
from unmix.decomposition import CollaborativeFilter, SparseCoder
from unmix.embedding import distortion
from unmix.roles import read
from unmix.sampling import MarkovChain


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_any_form_is_the_same_table(estimator, dtype):
    X = table(estimator)
    plain = sp.csr_array(X.astype(dtype))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # few rows, few iterations
        expected = answers(clone(estimator).fit(plain), plain)
        for form in forms(X, dtype, zeros=not isinstance(estimator, CollaborativeFilter)):
            before = form.data.copy(), form.indices.copy()
            assert answers(clone(estimator).fit(form), form) == expected
            assert np.array_equal(form.data, before[0]) and np.array_equal(form.indices, before[1])


def test_a_stored_zero_is_a_rating():
    X = sp.csr_array((np.array([5.0, 0.0, 1.0, 4.0]), np.array([0, 1, 0, 1]), np.array([0, 2, 4])), shape=(2, 2))
    again = CollaborativeFilter(0, random_state=0).fit(np.array([[5.0, 0.0], [1.0, 4.0]]))
    assert CollaborativeFilter(0, random_state=0).fit(X).mean_ == again.mean_


def split_square():
    """A symmetric table of 0 and ½, every row of sum one, and the same in parts."""
    plain = np.array([[0.5, 0.5, 0.0, 0.0], [0.5, 0.0, 0.5, 0.0], [0.0, 0.5, 0.0, 0.5], [0.0, 0.0, 0.5, 0.5]])
    return plain, forms(plain, "f8")[0]


def test_other_doors_read_the_one_form():
    plain, split = split_square()
    assert np.array_equal(MarkovChain(split).P.toarray(), plain)
    places = np.arange(8.0).reshape(4, 2)
    assert np.array_equal(distortion(split, places, n_neighbors=1), distortion(plain, places, n_neighbors=1))
    coder = SparseCoder(np.eye(4)).fit(plain)
    assert np.array_equal(coder.inverse_transform(split), coder.inverse_transform(plain))


def test_access_is_what_parts_add_up_to():
    plain, split = split_square()
    access = read(2 * split)
    assert np.array_equal(access.matrix.toarray(), plain > 0) and access.matrix.nnz == 8
    with pytest.raises(ValueError, match="other than 0 and 1"):
        read(split)
