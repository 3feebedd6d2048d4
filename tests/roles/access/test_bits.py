import numpy as np
import pytest
import scipy.sparse as sp

from unmix.roles.access import bits
from unmix.roles.access.bits import Bits, common, covers, from_pairs, product, residual, structure
from unmix.roles.access.distinct import blocks, distinct
from unmix.roles.problem.hierarchy import contains, reduction


def random_matrix(shape, seed=0, density=0.4):
    return np.random.default_rng(seed).random(shape) < density


@pytest.mark.parametrize("width", [1, 63, 64, 65, 130])
def test_packing_and_unpacking_are_inverse(width):
    matrix = random_matrix((7, width))
    matrix[:, -1] = True
    packed = Bits.of(matrix)
    assert np.array_equal(packed.dense(), matrix)
    assert np.array_equal(packed.counts(), matrix.sum(axis=1))
    assert np.array_equal(packed.transpose().dense(), matrix.T)
    assert np.array_equal(Bits.of(sp.csr_array(matrix)).words, packed.words)


def test_product_residual_and_containment_are_those_of_booleans():
    left, right, other = random_matrix((9, 5)), random_matrix((5, 70), 1), random_matrix((9, 70), 2)
    given = product(left, Bits.of(right))
    assert np.array_equal(given.dense(), (left.astype(int) @ right) > 0)
    assert np.array_equal(residual(Bits.of(other), given).dense(), other & ~given.dense())
    wholes, parts = random_matrix((6, 70), 3, 0.9), random_matrix((4, 70), 4, 0.05)
    assert np.array_equal(covers(Bits.of(wholes), Bits.of(parts)), (parts[None] <= wholes[:, None]).all(axis=2))


@pytest.mark.parametrize("at_once", [1, 3, 2**20])
def test_rows_are_unpacked_and_combined_in_pieces(monkeypatch, at_once):
    monkeypatch.setattr(bits, "AT_ONCE", at_once)
    left, right = random_matrix((9, 5), 3), random_matrix((5, 130), 1, 0.1)
    left[[0, 4, 8]] = False
    packed = Bits.of(right)
    assert np.array_equal(packed.dense(), right)
    assert np.array_equal(product(left, packed).dense(), (left.astype(int) @ right) > 0)
    shared = [right[row].all(axis=0) for row in left]
    assert np.array_equal(common(left, packed).dense(), shared)


def test_what_groups_have_in_common():
    matrix, groups = random_matrix((8, 6), density=0.7), random_matrix((5, 8), 1, 0.4)
    shared = np.array([matrix[group].all(axis=0) for group in groups])
    assert np.array_equal(common(groups, Bits.of(matrix)).dense(), shared)
    nobody = common(np.zeros((1, 8), bool), Bits.of(matrix))
    assert nobody.dense().all()


def test_a_sparse_matrix_may_list_an_entry_twice_or_as_zero():
    twice = sp.coo_array(([1, 1, 0], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
    assert structure(twice).toarray().tolist() == [[False, True], [False, False]]


def test_equal_rows_and_columns_become_one():
    small = random_matrix((5, 6), 5, 0.5)
    rows, columns = np.array([0, 1, 1, 2, 3, 4, 0]), np.array([0, 0, 1, 2, 3, 4, 5, 5])
    matrix = np.vstack([small[rows][:, columns], np.zeros((1, 8), bool)])
    found = distinct(structure(matrix))
    back = np.zeros_like(matrix)
    held, used = np.flatnonzero(found.row >= 0), np.flatnonzero(found.column >= 0)
    back[np.ix_(held, used)] = found.matrix.toarray()[np.ix_(found.row[held], found.column[used])]
    assert np.array_equal(back, matrix)
    assert found.row[-1] == -1
    assert found.matrix.shape[0] == len(np.unique(matrix[matrix.any(axis=1)], axis=0))
    assert found.row_count.sum() == held.size


def test_blocks_share_neither_users_nor_permissions():
    matrix = structure([[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    found = {(tuple(rows), tuple(columns)) for rows, columns in blocks(matrix)}
    assert found == {((0, 1), (0, 1)), ((2,), (2,)), ((3,), (3,))}


def test_hierarchy_is_the_transitive_reduction():
    roles = structure([[1, 1, 1, 1], [1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0]])
    below = contains(roles).toarray()
    assert below[0].tolist() == [False, True, True, True, True]
    assert np.argwhere(reduction(roles).toarray()).tolist() == [[0, 1], [0, 3], [1, 4], [4, 2]]


def test_sparse_matrices_of_100k_by_100k_are_reduced_without_densifying():
    rng = np.random.default_rng(0)
    matrix = from_pairs(rng.integers(0, 100_000, 200_000), rng.integers(0, 100_000, 200_000), (100_000, 100_000))
    found = distinct(matrix)
    assert found.row_count.sum() == (np.diff(matrix.indptr) > 0).sum()
    assert found.matrix.nnz <= matrix.nnz
