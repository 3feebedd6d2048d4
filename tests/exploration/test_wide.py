"""Many columns: where nothing stands out, groups are sought in a few components, and are found where they are."""

import numpy as np
import pytest

import unmix
from unmix.exploration.analysis import n_axes
from unmix.exploration.columns.control import make_control
from unmix.exploration.columns.preparation import prepare

pytestmark = pytest.mark.slow_without_jit


def table(n_columns, n_rows=150, groups=1):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n_rows, n_columns)) + rng.normal(size=(groups, n_columns))[np.arange(n_rows) % groups]
    return {f"c{j}": column for j, column in enumerate(X.T)}


@pytest.mark.parametrize(
    ("n_columns", "n_suggested", "expected"),
    [(8, 2, 0), (40, 3, 3), (40, 0, 0), (40, 40, 0), (100, 0, 10), (100, 4, 4)],
)
def test_on_how_many_components_rows_are_projected(n_columns, n_suggested, expected):
    import polars as pl

    prepared = prepare(pl.DataFrame(table(n_columns)), 0, "auto", None, None, make_control())
    assert n_axes(prepared, n_suggested) == expected


def test_nothing_is_found_in_many_columns_of_noise_and_groups_are_found_among_them():
    found = unmix.explore(table(120), max_k=4)
    assert found.selection.chosen_k == 1 and found.spectrum.n_suggested == 0
    assert "Clusters were sought in the first 10 components of 120 features." in found.caveats
    assert unmix.explore(table(120, groups=3), max_k=4).selection.chosen_k == 3
