"""scikit-learn's own checks of further settings, none excepted; the plain estimator stands with all others."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from unmix.cluster import KMeans


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks([KMeans(missing="ignore"), KMeans(3, init="random", swaps=0)])
def test_scikit_learn(estimator, check):
    check(estimator)


def test_tables_in_and_out():
    rng = np.random.default_rng(0)
    table = {"a": rng.normal(size=50), "b": rng.normal(size=50)}
    expected = KMeans(3, random_state=0).fit(np.column_stack(list(table.values())))
    for frame in (pd.DataFrame(table), pl.DataFrame(table)):
        model = clone(KMeans(3, random_state=0)).fit(frame)
        assert model.feature_names_in_.tolist() == ["a", "b"]
        np.testing.assert_array_equal(model.labels_, expected.labels_)
    columns = model.set_output(transform="polars").transform(pl.DataFrame(table)).columns
    assert columns == ["kmeans0", "kmeans1", "kmeans2"]
