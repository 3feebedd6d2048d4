"""A folder of files is explored as the table it is: the same clusters, and labels beside its partitions."""

import json
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import unmix
from unmix.cli.main import main
from unmix.density import GaussianMixture
from unmix.exploration.findings.records import Associations
from unmix.exploration.parts.final_fit import fit_to_all
from unmix.exploration.parts.words import whose_numbers
from unmix.exploration.question import ask
from unmix.exploration.structure.clustering import Clustering
from unmix.io import DataSet, TableError

N, SAMPLE = 9000, 1200
pytestmark = pytest.mark.slow_without_jit


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sales")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, 3)) + 6 * (np.arange(N) % 3 == 0)[:, None]
    X[rng.random((N, 3)) < 0.01] = np.nan
    frame = pl.DataFrame(X, schema=["a", "b", "c"]).fill_nan(None)
    frame = frame.with_columns(order=pl.Series([f"order {i}" for i in range(N)]), paid=pl.Series(rng.random(N) < 0.3))
    for i in range(6):
        place = folder / "sales" / f"shop={'NSE'[i // 2]}"
        place.mkdir(parents=True, exist_ok=True)
        frame[1500 * i : 1500 * (i + 1)].write_parquet(place / f"part-{i}.parquet")
    return folder / "sales"


@pytest.fixture(scope="module")
def explored(made):
    return unmix.explore(made, sample=SAMPLE, id="order")


@pytest.fixture(scope="module")
def whole(made):
    """The same rows as one table, of which as many are looked at."""
    return unmix.explore(pl.concat(DataSet(made).batches()).lazy(), sample=SAMPLE, id="order")


def test_the_same_answer_as_of_one_table(explored, whole):
    assert (explored.labels == whole.labels).all()
    assert np.array_equal(explored.confidence, whole.confidence, equal_nan=True)
    assert [c.size for c in explored.clusters] == [c.size for c in whole.clusters]
    ours, theirs = explored.to_dict(), whole.to_dict()
    parts = ("selection", "spectrum", "map", "levels", "columns", "missing", "associations", "ledger", "alternatives")
    for part in parts:
        assert json.dumps(ours[part]) == json.dumps(theirs[part]), part


def test_columns_tell_of_all_rows(explored, made):
    table = pl.concat(DataSet(made).batches())
    for column in explored.columns:
        values, told = table[column.name], column.summary
        assert (column.n_missing, column.n_rows) == (values.null_count(), N), column.name
        if column.form == "numeric":
            assert [told["mean"], told["std"]] == pytest.approx([values.mean(), values.std(ddof=0)], rel=1e-12)
            assert [told["min"], told["max"]] == [values.min(), values.max()]
            ranks = [(values < told[name]).sum() / values.count() for name in ("q25", "median", "q75")]
            assert ranks == pytest.approx([0.25, 0.5, 0.75], abs=told["quartile_error"] + 1 / N)
            assert 0 < told["quartile_error"] < 0.01 and sum(told["histogram"]["counts"]) == values.count()
        if column.form in ("category", "boolean"):
            counts = dict(values.cast(pl.String).value_counts().iter_rows())
            assert {level["value"]: level["count"] for level in told["levels"]} == counts
    assert explored.missing.n_cells == sum(table.null_count().row(0))
    assert any("Of all 9,000 rows" in said and "the bits of relations" in said for said in explored.caveats)
    assert any("Of 1,200 of 9,000 rows, drawn at random" in said for said in explored.caveats)


def test_centres_are_means_of_all_rows(explored, made):
    """K-means goes on over all rows: encoded anew, the centres are nearly the means of the rows nearest to them."""
    X, keep = explored.parts.recipe.prepared.encode_more(pl.concat(DataSet(made).batches()), False)
    centers = explored.model.cluster_centers_
    labels = ((X[keep][:, None] - centers) ** 2).sum(axis=2).argmin(axis=1)
    assert (labels == explored.labels[keep]).all()
    means = np.stack([X[keep][labels == c].mean(axis=0) for c in range(len(centers))])
    assert np.abs(means - centers).max() < 0.003  # those of 1,200 rows are off by 0.03
    assert "the centres of the clusters" in next(said for said in explored.caveats if "Of all" in said)


def test_gaussians_of_all_rows(tmp_path):
    """EM goes on over all rows, to where EM on all of them in memory ends."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(8000, 2)) * [8.0, 0.5] + np.outer(rng.random(8000) < 0.4, [0.0, 3.0])
    frame = pl.DataFrame(X, schema=["a", "b"])
    for i in range(4):
        frame[2000 * i : 2000 * (i + 1)].write_parquet(tmp_path / f"part-{i}.parquet")
    data, prepared, *_ = ask(DataSet(tmp_path), lambda words: None, sample=1000, options={})
    first = GaussianMixture(2, random_state=0).fit(prepared.X)
    record = SimpleNamespace(chosen_k=2)
    sample = Clustering(record, first, first.predict(prepared.X), np.ones(1000), [None] * 2, first.means_, "gaussian")
    found, n_passes = fit_to_all(data, prepared, sample, 0)
    rows, _ = prepared.encode_more(frame, False)
    given = {"means_init": first.means_, "weights_init": first.weights_, "precisions_init": first.precisions_}
    expected = GaussianMixture(2, max_iter=100, **given).fit(rows)
    model = found.model
    assert 1 < n_passes <= 10 and model.score(rows) > first.score(rows)
    assert model.score(rows) == pytest.approx(expected.score(rows), abs=1e-3)
    assert model.lower_bound_ == pytest.approx(expected.lower_bound_, abs=1e-3)  # that of one step before
    assert model.means_ == pytest.approx(expected.means_, abs=0.02)
    assert (found.labels == model.predict(prepared.X)).all() and len(found.confidence) == 1000


def test_labels_lie_as_the_files_do(explored, made, tmp_path):
    explored.save(tmp_path / "out")
    names = sorted(path.relative_to(tmp_path / "out" / "labels") for path in (tmp_path / "out" / "labels").rglob("*.*"))
    assert names == sorted(path.relative_to(made) for path in made.rglob("*.parquet"))
    labels = pl.concat(DataSet(tmp_path / "out" / "labels").batches())
    table = pl.concat(DataSet(made).batches())  # in the same order of folders
    assert (labels["row"] == np.arange(1, N + 1)).all() and labels["order"].equals(table["order"])
    assert (labels["cluster"].fill_null(-1).to_numpy() == explored.labels).all()
    explored.save(tmp_path / "out", with_columns=True)  # over the first
    again = DataSet(tmp_path / "out" / "labels")
    assert {"a", "b", "c", "paid"} <= set(again.columns) and again.shape[0] == N


def test_new_rows_in_files(explored, made, tmp_path):
    whole = unmix.assign(explored, made)
    found = unmix.assign(explored, made, out=tmp_path / "new")
    assert found.counts == whole.counts() and found.notes == whole.notes and found.n_far == whole.far.sum()
    labels = pl.concat(DataSet(tmp_path / "new").batches())
    assert labels.drop("shop").equals(whole.frame(), null_equal=True)
    with pytest.raises(TableError, match="for a table in files"):
        unmix.assign(explored, {"a": [1.0]}, out=tmp_path / "new")


@pytest.mark.long
def test_commands(made, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(main, ["explore", f"{made}/shop=N/*.parquet", "--quiet"])
    assert ran.exit_code == 0 and (tmp_path / "unmix-shop=N" / "labels.csv").is_file(), ran.output
    ran = CliRunner().invoke(main, ["assign", "unmix-shop=N", str(made), "-o", "parts"])
    assert ran.exit_code == 0 and "9,000 rows assigned" in ran.output, ran.output
    assert len(list((tmp_path / "parts").rglob("*.parquet"))) == 6
    ran = CliRunner().invoke(main, ["assign", "unmix-shop=N", str(made), "--dask", "tcp://127.0.0.1:1"])
    assert ran.exit_code == 2 and ran.output.startswith("unmix: ") and len(ran.output.splitlines()) == 1


def test_the_error_of_a_share_is_that_of_a_sample():
    share, rng = 0.5, np.random.default_rng(0)
    told = float(whose_numbers(400, 2000, "", [], Associations(""))[1].split("±")[1].split()[0])
    draws = [np.mean(rng.choice(2000, 400, replace=False) < share * 2000) for _ in range(2000)]
    assert told == pytest.approx(200 * np.std(draws), rel=0.1)  # percentage points of two standard errors
