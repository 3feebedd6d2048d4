"""Masked cells are cells that are missing, for every estimator: as NaN they are refused in a sentence, or left out."""

import warnings

import numpy as np
import pytest

from unmix.cli.example_tables import SMALL, TABLES
from unmix.cli.first_uses import ESTIMATORS, make
from unmix.io.dispatch import as_blocks
from unmix.io.in_memory.masked import unmasked

BENEATH = 777.0  # what stands under the mask


def outcome(name, data):
    """What was fitted, or the sentence that refuses."""
    model = make(name, ESTIMATORS[name][1][0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            fitted = vars(model.fit(data))
        except ValueError as error:
            return str(error)
    return {key: value for key, value in fitted.items() if key.endswith("_") and key != "trace_"}


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_mask_is_what_nan_is(name):
    X = TABLES[ESTIMATORS[name][0]](SMALL)
    mask = np.zeros(X.shape, bool)
    mask[[5, 1], [1, 5 % X.shape[1]]] = True
    masked, holed = (
        outcome(name, data) for data in (np.ma.array(np.where(mask, BENEATH, X), mask=mask), np.where(mask, np.nan, X))
    )
    np.testing.assert_equal(masked, holed)
    assert not isinstance(masked, str) or "NaN" in masked or "missing" in masked


@pytest.mark.parametrize("kind", ["f4", "f8", "i8", "?", object])
def test_what_a_masked_array_becomes(kind):
    values = np.array([[1, 0], [0, 1]]).astype(kind)
    assert unmasked(values) is values
    np.testing.assert_array_equal(unmasked(np.ma.array(values)), values)
    plain = unmasked(np.ma.array(values, mask=[[0, 1], [0, 0]]))
    assert type(plain) is np.ndarray and plain.dtype == (kind if kind in ("f4", object) else "f8")
    assert plain[0, 1] is None if kind is object else np.isnan(plain[0, 1])
    assert (plain.ravel()[[0, 2, 3]] == values.ravel()[[0, 2, 3]]).all()


def test_blocks_and_weights_show_the_mask():
    rows = np.ma.array(np.arange(6.0).reshape(3, 2), mask=[[0, 0], [0, 1], [0, 0]])
    assert np.isnan(as_blocks(rows).gather()[1, 1])
    weights = np.ma.array([1.0, 2.0, 3.0], mask=[1, 0, 0])
    with pytest.raises(ValueError, match="sample_weight holds NaN"):
        make("cluster.KMeans", {"n_clusters": 2}).fit(rows.data, sample_weight=weights)
