"""One table in every form a sparse matrix may have."""

import numpy as np
import pytest
import scipy.sparse as sp

from unmix.core.blocks import LocalBlocks
from unmix.core.canonical import canonical
from unmix.io.dispatch import as_blocks

TABLE = np.array([[0.0, 1.5, 0.0, 2.0], [0.0, 0.0, 0.0, 0.0], [4.0, 0.0, -1.0, 0.25]])


def in_parts(dtype=np.float64, index=np.int32):
    """The table with split, repeated, unsorted and zero entries, and with room to spare."""
    values = np.array([1.0, 1.0, 1.0, 0.5, 0.0, 3.0, -3.0, 0.25, 1.0, -1.0, 3.0, 0.0, 99.0], dtype)
    columns = np.array([3, 1, 3, 1, 0, 2, 2, 3, 0, 2, 0, 1, 9], index)
    return sp.csr_array((values, columns, np.array([0, 5, 7, 12], index)), shape=TABLE.shape)


def same(a, b):
    return all(
        np.array_equal(getattr(a, part), getattr(b, part)) and getattr(a, part).dtype == getattr(b, part).dtype
        for part in ("data", "indices", "indptr")
    )


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "bsr"])
def test_every_form_becomes_one(form, index):
    given = in_parts(index=index)
    for matrix in (given.asformat(form), sp.csr_matrix(given).asformat(form)):
        assert same(canonical(matrix), sp.csr_array(TABLE))


def test_the_given_matrix_stays_as_it_was():
    given = in_parts()
    given.has_canonical_format = True  # as after a change of its arrays
    parts = [getattr(given, part).copy() for part in ("data", "indices", "indptr")]
    assert np.array_equal(canonical(given).toarray(), TABLE)
    assert all(np.array_equal(getattr(given, part), old) for part, old in zip(("data", "indices", "indptr"), parts))
    for part in ("data", "indices", "indptr"):
        getattr(given, part).flags.writeable = False
    assert np.array_equal(canonical(given).toarray(), TABLE)


def test_nothing_is_copied_without_need():
    given = sp.csr_array(TABLE)
    assert np.shares_memory(canonical(given).data, given.data)


def test_stored_zeros_stay_where_they_mean_something():
    kept = canonical(in_parts(), zeros=True)
    assert kept.nnz == 8 and np.array_equal(kept.toarray(), TABLE)
    assert as_blocks(in_parts(), zeros=True).gather().nnz == 8 and as_blocks(in_parts()).gather().nnz == 5


def test_parts_add_up_in_their_own_type():
    yes = sp.csr_array((np.array([True, True]), np.array([1, 1]), np.array([0, 2])), shape=(1, 2))
    assert canonical(yes).data.tolist() == [True]


@pytest.mark.parametrize("wrong", [-1, 4, 2**32 + 1])
def test_an_index_outside_is_refused(wrong):
    given = sp.csr_array(TABLE)
    given.indices = np.array([1, 3, 0, wrong, 3])
    with pytest.raises(ValueError, match="indices must be"):
        canonical(given)


def test_blocks_read_the_one_form():
    blocks = as_blocks(in_parts(np.float32))
    assert isinstance(blocks, LocalBlocks) and blocks.dtype == np.float32
    assert np.array_equal(blocks.take([2, 0]), TABLE[[2, 0]])
    assert blocks.gather().has_canonical_format
