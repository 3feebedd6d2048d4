"""What holds no numbers is refused in a sentence, and never counted in microseconds."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest

from unmix.cluster import KMeans
from unmix.decomposition import PCA

DAYS = [datetime.date(2020, 1, day) for day in (1, 2, 3)]
NUMBERS = {"b": [1.0, 2.0, 3.0]}


@pytest.mark.parametrize(
    ("X", "words"),
    [
        (pl.DataFrame({"when": DAYS, **NUMBERS}), "column 'when', holds values of type Date"),
        (pl.DataFrame({"when": pd.date_range("2020", periods=3).to_numpy(), **NUMBERS}), "'when', .* Datetime"),
        (pl.DataFrame({"list": [[1], [2], [3]]}), "'list', .* List"),
        (pl.DataFrame({"o": pl.Series([object()] * 3, dtype=pl.Object)}), "'o', .* Object"),
        (pd.DataFrame({"when": pd.date_range("2020", periods=3), **NUMBERS}), "'when', .* datetime64"),
        (pd.DataFrame({"when": pd.date_range("2020", periods=3, tz="UTC")}), "'when', .* datetime64"),
        (np.array([["2020-01-01"], ["2020-01-02"]], "M8[D]"), "Input X holds values of type datetime64"),
        (pl.DataFrame(NUMBERS).lazy(), "collect"),
        (NUMBERS, "A dict is no table"),
        ({1.0, 2.0}, "A set is no table"),
    ],
)
@pytest.mark.parametrize("estimator", [KMeans(2), PCA(1)], ids=["KMeans", "PCA"])
def test_what_holds_no_numbers_is_refused(estimator, X, words):
    with pytest.raises(TypeError, match=words):
        estimator.fit(X)


def test_whole_numbers_beyond_floating_point():
    with pytest.raises(ValueError, match=r"1\.8e308"):
        KMeans(2).fit([[10**400, 1], [2, 3], [3, 4]])


def test_one_name_of_two_columns():
    with pytest.raises(ValueError, match="Two columns of X have the name 'a'"):
        KMeans(2).fit(pd.DataFrame(np.eye(3), columns=["a", "b", "a"]))


@pytest.mark.parametrize("weights", [np.full(3, 1 + 1j), DAYS, ["a"] * 3, [10**400] * 3, iter([1.0] * 3)])
def test_weights_that_are_no_numbers(weights):
    with pytest.raises(ValueError, match="sample_weight holds"):
        KMeans(2).fit(np.eye(3), sample_weight=np.array(weights, "M8[D]") if weights is DAYS else weights)


def test_an_empty_name_is_not_this_folder(tmp_path, monkeypatch):
    np.save(tmp_path / "t.npy", np.eye(3))
    monkeypatch.chdir(tmp_path)
    assert KMeans(2).fit(".").n_features_in_ == 3
    with pytest.raises(FileNotFoundError, match="empty name"):
        KMeans(2).fit("")
