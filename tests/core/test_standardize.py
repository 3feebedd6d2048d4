"""Units of columns: exact, the same for any executor, and safe at both ends of the floats."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.core.standardize import StandardizedBlocks, measure_spread
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
