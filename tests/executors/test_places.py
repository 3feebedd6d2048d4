"""The page on scale says of every estimator where its rows are, and fits to a file say the same."""

import numpy as np
import polars as pl
import pytest

from tests.relations.subjects import SUBJECTS
from unmix.core import memory
from unmix.density import KernelDensity

from .places import PASSES, SAMPLE, SQUARE, WHOLE, kinds_on_page, place_of

TRIED = ("PCA", "Gaussian", "SparseCoder", "NMF", "RobustPCA", "KernelDensity", "Categorical", "CorrelationClustering")
pytestmark = pytest.mark.slow_without_jit


def test_every_estimator_has_a_place():
    kinds = kinds_on_page()
    assert kinds.keys() == SUBJECTS.keys() and set(kinds.values()) == {PASSES, SAMPLE, WHOLE, SQUARE}


@pytest.mark.long
@pytest.mark.parametrize("name", TRIED)
def test_fits_say_what_the_page_says(name):
    assert place_of(name).kind == kinds_on_page()[name]


def test_what_needs_all_rows_asks_for_room_first(tmp_path, monkeypatch):
    for i in range(3):
        pl.DataFrame({"x": np.arange(1000.0), "y": np.arange(1000.0) % 7}).write_parquet(tmp_path / f"{i}.parquet")
    monkeypatch.setattr(memory, "free_bytes", lambda: 40_000)
    with pytest.raises(
        MemoryError, match=r"needs all rows in one memory: 3,000 rows of 2 columns take 48 kB, and 40 kB"
    ):
        KernelDensity().fit(tmp_path)
    monkeypatch.setattr(memory, "free_bytes", lambda: 50_000)
    assert KernelDensity().fit(tmp_path).n_features_in_ == 2
