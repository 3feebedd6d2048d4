import numpy as np
import polars as pl
import pytest

import unmix
import unmix.exploration.question as exploring
from unmix.io.base.errors import TableError
from unmix.io.long_table import read_rows

pytestmark = pytest.mark.slow_without_jit


def long_table(n=3000):
    rng = np.random.default_rng(0)
    group = rng.integers(0, 3, n)
    height = rng.normal(size=n) - 6 * (group == 1)
    frame = pl.DataFrame(
        {
            "count": np.arange(n) + 7,
            "weight": rng.normal(size=n) + 6 * group,
            "height": [f"{x:.2f}".replace(".", ",") for x in height],
            "gaps": pl.Series(rng.normal(size=n)).set(pl.Series(rng.random(n) < 0.1), None),
            "flag": np.array(["Yes", "no", "yes"])[rng.integers(0, 3, n)],
            "colour": np.array(["red", "blue", "green"])[(group + (rng.random(n) < 0.1)) % 3],
        }
    )
    return frame, group


def explored(table, most, monkeypatch, **options):
    monkeypatch.setattr(exploring, "most_rows_looked_at", most)
    return unmix.explore(table, max_k=4, **options)


@pytest.mark.parametrize("categories", ["describe", "use"])
def test_rows_that_were_not_looked_at_get_the_clusters_of_a_look_at_all(categories, monkeypatch):
    frame, _ = long_table()
    whole = explored(frame, 10**6, monkeypatch, categories=categories)
    part = explored(frame, 1000, monkeypatch, categories=categories)
    assert part.selection.chosen_k == whole.selection.chosen_k == 3
    table = np.zeros((3, 3), int)
    np.add.at(table, (whole.labels, part.labels), 1)
    assert table.max(axis=1).sum() >= 0.995 * len(frame)  # rows at a border may fall on its other side
    assert [cluster.size for cluster in part.clusters] == np.bincount(part.labels).tolist()
    assert np.abs(part.confidence[whole.confidence == 1.0] - 1).mean() < 0.01
    assert [(column.name, column.kind) for column in part.columns] == [(c.name, c.kind) for c in whole.columns]
    assert (part.source.n_rows, part.map.n_total) == (3000, 3000)
    assert any("1,000 of 3,000 rows" in caveat for caveat in part.caveats)
    assert not any("1,000 of" in caveat for caveat in whole.caveats)


@pytest.mark.parametrize("ending", ["parquet", "arrow", "csv"])
def test_a_file_gives_what_its_frame_gives(ending, monkeypatch, tmp_path):
    frame, _ = long_table(1500)
    path = tmp_path / f"t.{ending}"
    {"parquet": frame.write_parquet, "arrow": frame.write_ipc, "csv": lambda p: frame.write_csv(p, separator=";")}[
        ending
    ](path)
    here, there = (explored(source, 500, monkeypatch) for source in (frame, str(path)))
    assert np.array_equal(here.labels, there.labels)
    assert np.array_equal(here.confidence, there.confidence)
    assert there.source.name == path.name and there.source.bytes == path.stat().st_size


@pytest.mark.parametrize("order", ["C", "F"])
def test_an_array_in_a_file_is_not_loaded(order, monkeypatch, tmp_path):
    X = np.asarray(long_table(1500)[0].select("weight", "gaps").to_numpy(), order=order)
    np.save(tmp_path / "X.npy", X)
    here, there = (explored(source, 500, monkeypatch) for source in (X, tmp_path / "X.npy"))
    assert np.array_equal(here.labels, there.labels)
    monkeypatch.setattr("unmix.io.readers.arrays.read_npy", None)
    rows = read_rows(tmp_path / "X.npy", 500, np.random.default_rng(0))
    assert (len(rows.sample.frame), rows.height) == (500, 1500)
    np.testing.assert_array_equal(rows.sample.frame.to_numpy(), X[rows.rows])
    np.testing.assert_array_equal(pl.concat(rows.batches()).to_numpy(), X)


def test_rows_without_a_value_get_no_cluster(monkeypatch):
    frame, _ = long_table()
    empty = pl.Series(np.arange(len(frame)) % 10 == 3)
    names = [name for name in frame.columns if name != "colour"]
    frame = frame.with_columns(pl.when(~empty).then(pl.col(name)).alias(name) for name in names)
    found = explored(frame, 1000, monkeypatch)
    assert np.array_equal(found.labels == -1, empty.to_numpy())
    assert np.array_equal(np.isnan(found.confidence), empty.to_numpy())
    assert sum(cluster.size for cluster in found.clusters) == 2700


def test_a_file_that_breaks_off_is_refused_in_a_sentence(tmp_path):
    path = tmp_path / "t.parquet"
    path.write_bytes(b"PAR1 and no more")
    with pytest.raises(TableError, match=r"t\.parquet cannot be read as Parquet"):
        read_rows(path, 10, np.random.default_rng(0))
