"""Units of columns: exact, the same for any executor, and safe at both ends of the floats."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.core.scaling import standardize
from unmix.core.scaling.standardize import StandardizedBlocks, Units, find_extent, find_sums, measure_spread, read_block
from unmix.io.dispatch import as_blocks

rng = np.random.default_rng(0)
X = rng.normal(size=(3000, 4)) * [1, 30, 1e-3, 1] + [0, 1e4, 5, -2]
X[:, 3] = 7.0


def test_columns_come_out_near_zero_and_one():
    spread = measure_spread(as_blocks(X))
    Y = StandardizedBlocks(as_blocks(X), spread.units).gather()
    np.testing.assert_allclose(Y[:, :3].var(0), spread.variance[:3], rtol=1e-8)
    assert ((spread.variance[:3] >= 0.25) & (spread.variance[:3] < 4)).all() and spread.variance[3] == 0
    np.testing.assert_allclose(Y.mean(0), 0, atol=1e-6)
    assert (np.frexp(spread.units.scale)[0] == 0.5).all()  # powers of two
    np.testing.assert_allclose(spread.units.leave(spread.units.enter(X[:5])), X[:5], rtol=1e-12)
    assert not spread.missing


def test_weights_missing_entries_and_sparse_rows():
    weights = rng.integers(0, 3, len(X)).astype(float)
    holed = X.copy()
    holed[::7, 1] = np.nan
    a, b = (
        measure_spread(as_blocks(holed), weights),
        measure_spread(as_blocks(np.repeat(holed, weights.astype(int), 0))),
    )
    np.testing.assert_allclose(a.units.scale, b.units.scale)
    np.testing.assert_allclose(a.variance, b.variance, rtol=1e-9)
    np.testing.assert_allclose(a.observed, b.observed)
    assert a.missing and a.observed[1] == pytest.approx((weights * ~np.isnan(holed[:, 1])).sum() / weights.sum())
    sparse = np.where(rng.random(X.shape) < 0.5, 0, X)
    c, d = measure_spread(as_blocks(csr_array(sparse))), measure_spread(as_blocks(sparse))
    for one, other in zip(c[:3], d[:3], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
    kept = StandardizedBlocks(as_blocks(csr_array(sparse)), d.units, make_dense=False).gather()
    np.testing.assert_allclose(kept.toarray(), sparse * d.units.scale)


@pytest.mark.parametrize("size", [1e300, 1e-300, 1e307, 5e-324])
def test_extreme_sizes(size):
    with np.errstate(all="raise", under="ignore"):
        spread = measure_spread(as_blocks(X[:, :1].clip(-3, 3) * size))
        Y = StandardizedBlocks(as_blocks(X[:, :1].clip(-3, 3) * size), spread.units).gather()
    assert np.isfinite(Y).all() and (np.abs(Y).max() < 100)
    if size > 1e-320:
        np.testing.assert_allclose(Y.var(0), spread.variance, rtol=1e-6)


def test_common_scale_and_single_precision():
    spread = measure_spread(as_blocks(X.astype("f4")), common=True)
    assert len(np.unique(spread.units.scale)) == 1
    assert StandardizedBlocks(as_blocks(X.astype("f4")), spread.units).gather().dtype == np.float32
    tiny = np.full((3, 1), 1e-45, "f4")
    tiny[0] = 0
    assert np.isfinite(StandardizedBlocks(as_blocks(tiny), measure_spread(as_blocks(tiny)).units).gather()).all()


def test_a_column_without_values_is_named():
    empty = X.copy()
    empty[:, 2] = np.nan
    with pytest.raises(ValueError, match="column 2 has no value, only NaN"):
        measure_spread(as_blocks(empty))


def few_rows(dtype, d=3):
    block = (rng.normal(size=(200, d)) * 3 + 50).astype(dtype)
    block[::9, 0] = np.nan
    return block, rng.integers(0, 3, len(block)) / 3, Units(np.full(d, 0.25), np.linspace(1.0, 2.0, d))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("weighted", [False, True])
def test_few_rows_are_measured_as_many_are(dtype, weighted, monkeypatch):
    block, weights, units = few_rows(dtype)
    weights = weights if weighted else None
    few = find_extent(block, weights), find_sums(block, weights, units), read_block(block, units)
    monkeypatch.setattr(standardize, "FEW_ROWS", 0)
    many = find_extent(block, weights), find_sums(block, weights, units), read_block(block, units)
    for one, other in zip([*few[0], *few[1], few[2]], [*many[0], *many[1], many[2]], strict=True):
        np.testing.assert_array_equal(one, other)
    assert few[2].dtype == dtype


@pytest.mark.parametrize("d", [1, 3])
def test_moments_of_few_rows_do_not_depend_on_how_they_lie(d):
    block, weights, units = few_rows(np.float64, d)
    weights += rng.random(len(weights))  # no row is left out, which would copy the others
    wide, beside = np.zeros((200, 2 * d)), np.zeros(201)
    wide[:, ::2], beside[1:] = block, weights
    expected = find_sums(block, weights, units)
    for same in (np.asfortranarray(block), wide[:, ::2], block.copy()[::-1][::-1]):
        for one, other in zip(find_sums(same, beside[1:], units), expected, strict=True):
            np.testing.assert_array_equal(one, other)
    y = block.astype(np.longdouble) * units.scale - units.shift
    w = np.where(np.isnan(y), 0, weights[:, None].astype(np.longdouble))
    exact = [(w * np.where(np.isnan(y), 0, y) ** power).sum(0) for power in (0, 1, 2)]
    for one, other in zip(expected[1:], exact, strict=True):
        np.testing.assert_allclose(one, other.astype(float), rtol=1e-14)


def test_no_rows_at_all_have_no_extent():
    block, weights, units = few_rows(np.float64)
    extent, sums = find_extent(block, 0 * weights), find_sums(block, 0 * weights, units)
    assert np.isnan([extent.low, extent.high]).all() and not extent.values.any() and extent.rows == 0
    assert not np.any([sums.mass, sums.first, sums.second])


def test_a_far_entry_in_small_units_is_infinite_without_a_warning():
    y = read_block(np.array([[1e300, -1e300, np.nan]]), Units(np.full(3, 2.0**100), np.zeros(3)))
    np.testing.assert_array_equal(y, [[np.inf, -np.inf, np.nan]])
