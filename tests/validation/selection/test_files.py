"""Files of more rows than are judged: only these are brought together, all others are read in passes."""

import numpy as np
import polars as pl
import pytest

from unmix.cluster import KMeans
from unmix.core.blocks import LocalBlocks
from unmix.core.sources import ArraySource
from unmix.validation import BIC, Stability, select
from unmix.validation.evidence.far_rows import FEW, ends_of, far_rows, set_aside, set_aside_in_blocks
from unmix.validation.selection.read import read_data

pytestmark = pytest.mark.slow_without_jit
N = 60_000


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    return rng.normal(size=(N, 2)) + 8 * rng.integers(3, size=N)[:, None]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, rows):
    made = tmp_path_factory.mktemp("files")
    for i, part in enumerate(np.array_split(rows, 4)):
        pl.DataFrame(part, schema=["a", "b"]).write_parquet(made / f"part-{i}.parquet")
    return made


@pytest.fixture
def never_whole(monkeypatch):
    def gather(self):
        assert isinstance(self.source, ArraySource), "all rows were asked for at once"
        return whole(self)

    whole = LocalBlocks.gather
    monkeypatch.setattr(LocalBlocks, "gather", gather)


def test_the_chosen_model_is_of_all_rows(folder, rows, never_whole):
    found = select(KMeans(n_init=2), folder, range(1, 5), Stability(), random_state=0, max_rows=1000)
    assert found.best_params == {"n_clusters": 3}
    seed = found.best_estimator.random_state
    whole = KMeans(3, n_init=2, random_state=seed).fit(rows)
    assert found.best_estimator.cluster_centers_.tobytes() == whole.cluster_centers_.tobytes()
    assert any("1,000 of 60,000 rows, the chosen model on all of them" in note for note in found.notes)


def test_rows_are_drawn_from_everywhere(folder, rows):
    data = read_data(KMeans(), folder, None, 2000, 0)
    places = {row.tobytes(): place for place, row in enumerate(rows)}
    drawn = [places[row.tobytes()] for row in data.table.X]
    assert len(set(drawn)) == data.n_judged == 2000 and sorted(drawn) == drawn
    assert np.abs(np.histogram(drawn, 4, (0, N))[0] - 500).max() < 90


def test_few_rows_in_files_are_a_table_in_memory(folder, rows):
    one, other = (select(KMeans(n_init=1), X, [2, 3], BIC(), random_state=0, max_rows=N) for X in (folder, rows))
    assert one.verdict == other.verdict and one.to_frame().equals(other.to_frame())


@pytest.mark.parametrize("rows_far", [0, 1, 2, FEW, 200])
def test_far_rows_are_those_of_the_table_in_memory(rows, rows_far):
    X = rows.copy()
    X[np.random.default_rng(1).choice(N, rows_far, replace=False), 1] = 1e6 + np.arange(rows_far)
    X[5, 0] = -1e5
    here, blocks = set_aside(KMeans(), X, None), set_aside_in_blocks(KMeans(), LocalBlocks(ArraySource(X)))
    assert blocks.words == here.words and here.words
    assert np.array_equal(blocks.weights, here.weights) and (blocks.weights == 0).sum() == far_rows(X).sum()


def test_ends_of_parts_are_ends_of_the_whole(rows):
    X = rows[:50].copy()
    X[::7, 0] = np.nan
    total = ends_of(X[:2], None)
    for start, stop in ((2, 3), (3, 30), (30, 50)):
        total = total.merge(ends_of(X[start:stop], None))
    known = np.sort(X[~np.isnan(X[:, 0]), 0])
    assert total.rising[:, 0].tolist() == known[: FEW + 1].tolist()
    assert total.falling[:, 0].tolist() == known[: -FEW - 2 : -1].tolist()
    assert total.known.tolist() == [len(known), 50] and total.largest[1] == np.abs(X[:, 1]).max()


def test_a_far_row_in_a_file_has_no_say(tmp_path, rows):
    X = rows[:3000].copy()
    X[1234, 0] = 1e9
    pl.DataFrame(X, schema=["a", "b"]).write_parquet(tmp_path / "one.parquet")
    found = select(KMeans(n_init=2), tmp_path / "one.parquet", [2, 3, 4], Stability(), random_state=0, max_rows=1000)
    assert "Row 1234 lies far from all others" in found.verdict and found.best_params == {"n_clusters": 3}
    assert np.abs(found.best_estimator.cluster_centers_).max() < 30


def test_gaps_and_too_many_clusters_are_refused_before_any_fit(tmp_path, rows):
    X = rows[:3000].copy()
    X[7, 1] = np.nan
    pl.DataFrame(X, schema=["a", "b"]).write_parquet(tmp_path / "one.parquet")
    with pytest.raises(ValueError, match="contains NaN: 1 of 6000 entries, the first in column 1"):
        select(KMeans(), tmp_path / "one.parquet", [2, 3], BIC(), random_state=0, max_rows=1000)
