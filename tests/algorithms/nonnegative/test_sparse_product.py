"""Products of sparse tables with few columns against dense ones in double precision, by kernels and without."""

import numpy as np
import pytest
from scipy.sparse import csr_array, random_array

from unmix.algorithms.nonnegative import sparse_product
from unmix.algorithms.nonnegative.fits.encode import sparse_errors
from unmix.algorithms.nonnegative.hals import LEAST_SWEEPS, SWEEPS, sweeps_for
from unmix.algorithms.nonnegative.sparse_product import cross_products, is_large, laid_out, padded_width, times
from unmix.algorithms.nonnegative.table import suited
from unmix.core.sources import SparseSource
from unmix.costs.nearest.small import JIT_DISABLED
from unmix.decomposition import NMF
from unmix.io.dispatch import as_blocks


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch):
    """Kernels for tables of a size that tests can afford."""
    monkeypatch.setattr(sparse_product, "MANY_STORED", 1000)


def table(dtype, n=150, d=70):
    """With rows and columns that are empty, and negative entries."""
    X = random_array((n, d), density=0.3, rng=np.random.default_rng(0)).toarray() - 0.3 * np.eye(n, d)
    X[[0, 7, n - 1]], X[:, [0, 11, d - 1]] = 0, 0
    return csr_array(X.astype(dtype))


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("k", [1, 8, 20, 24, 25, 30, 33, 40, 50, 64, 75])
def test_products_are_those_of_dense_tables(dtype, k):
    X, rng = table(dtype), np.random.default_rng(k)
    V, Z = (rng.standard_normal((size, k)).astype(dtype) for size in X.shape[::-1])
    assert is_large(X) or JIT_DISABLED
    tolerance = 1e-5 if dtype == "f4" else 1e-13
    for right in (V, laid_out(as_blocks(X), V)):
        found = times(X, right, k)
        assert found.dtype == dtype and found.flags.c_contiguous
        np.testing.assert_allclose(found, X.toarray().astype("f8") @ V, atol=tolerance * np.sqrt(k))
    cross = cross_products(X, Z)
    assert cross.dtype == np.float64
    np.testing.assert_allclose(cross, Z.astype("f8").T @ X.toarray(), atol=tolerance * np.sqrt(k))


def test_factors_are_as_wide_as_blocks_of_three_and_four_registers():
    for k in range(1, 200):
        factor = np.empty((0, k), np.float32)
        registers, rest = divmod(padded_width(factor), 8)
        assert rest == 0 and k <= 8 * registers <= max(24, k + 15)
        while registers:  # as the kernels take them
            registers -= 4 if registers % 4 == 0 else 3
            assert registers >= 0


def test_a_row_has_the_same_product_in_every_block():
    X, V = table("f4"), np.random.default_rng(0).standard_normal((70, 20)).astype("f4")
    whole = times(X, V, 20)
    np.testing.assert_array_equal(whole[10:140], times(X[10:140], V, 20))


def test_tables_with_long_indices_are_cut_with_short_ones():
    X = table("f4")
    long = csr_array((X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64)), shape=X.shape)
    source = SparseSource(X)
    source.X = long
    blocks = as_blocks(X)
    blocks.source = source
    leaf = suited(blocks).source.read(0, 0)
    assert leaf.indices.dtype == leaf.indptr.dtype == np.int32
    np.testing.assert_array_equal(leaf.toarray(), X[: leaf.shape[0]].toarray())


def test_sweeps_grow_with_the_entries_of_a_row():
    """Of large tables; small ones are swept as dense ones are."""
    most = [sweeps_for(stored, 10_000, 10) for stored in (100_000, 400_000, 1_200_000, 10**8)]
    assert most == [LEAST_SWEEPS, 4, 12, SWEEPS]
    assert sweeps_for(1000, 10_000, 10) == SWEEPS


@pytest.mark.parametrize("weighted", [False, True])
def test_a_fit_by_kernels_is_that_of_the_dense_table(weighted):
    rng = np.random.default_rng(1)
    X = rng.gamma(0.5, size=(300, 4)) @ (rng.gamma(0.5, size=(4, 60)) * (rng.random((4, 60)) < 0.4))
    X[X < 0.3] = 0
    weights = rng.integers(0, 3, len(X)).astype(float) if weighted else None
    fits = [
        NMF(4, tol=1e-6, max_iter=2000, random_state=0).fit(form, sample_weight=weights) for form in (X, csr_array(X))
    ]
    assert fits[0].reconstruction_err_ == pytest.approx(fits[1].reconstruction_err_, rel=1e-4)


@pytest.mark.parametrize("left", [1e-3, 0.5])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_errors_of_sparse_rows_are_those_of_dense_ones_also_near_an_exact_fit(left, dtype):
    """Enough entries for the kernels; with little left, single precision would tell ||x||² from itself."""
    rng = np.random.default_rng(0)
    codes, components = rng.random((400, 4)), rng.random((4, 200))
    X = np.maximum(codes @ components * (1 + left * rng.normal(size=(400, 200))), 0).astype(dtype)
    codes, components = codes.astype(dtype), components.astype(dtype)
    rest = X.astype(np.float64) - codes.astype(np.float64) @ components.astype(np.float64)
    expected = 0.5 * (rest**2).sum(axis=1)
    assert np.allclose(sparse_errors(csr_array(X), codes, components), expected, rtol=1e-4)
    assert np.isclose(sparse_errors(csr_array(X), codes, components).sum(), expected.sum(), rtol=1e-6)
