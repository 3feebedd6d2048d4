import csv
import io
import json

import numpy as np
import polars as pl
import pytest

import unmix
from unmix.exploration.findings import output
from unmix.exploration.findings.label_file import label_frame, write_label_file
from unmix.io.base.errors import TableError


@pytest.fixture(scope="module")
def findings():
    rng = np.random.default_rng(0)
    X = np.r_[rng.normal(size=(20, 2)), rng.normal(size=(30, 2)) + 9]
    X[3] = np.nan
    return unmix.explore(X, max_k=3)


@pytest.mark.slow_without_jit
def test_everything_is_written(findings, tmp_path):
    folder = findings.save(tmp_path / "new" / "results")
    assert sorted(path.name for path in folder.iterdir()) == [
        "encoding.unmix", "findings.json", "labels.csv", "model.unmix", "report.html"
    ]  # fmt: skip
    rows = list(csv.DictReader((folder / "labels.csv").read_text("utf-8").splitlines()))
    assert [int(row["row"]) for row in rows] == list(range(1, 51))
    assert rows[3]["cluster"] == rows[3]["name"] == rows[3]["confidence"] == ""
    names = [cluster.name for cluster in findings.clusters]
    assert all(row["name"] == names[int(row["cluster"])] for row in rows if row["cluster"])
    assert [int(row["cluster"]) for row in rows if row["cluster"]] == findings.labels[findings.labels >= 0].tolist()
    assert json.loads((folder / "findings.json").read_text("utf-8")) == findings.to_dict()


def test_labels_are_written_with_four_decimals_and_left_empty_where_there_are_none():
    rng = np.random.default_rng(0)
    labels, confidence = rng.integers(-1, 3, 1000), np.r_[rng.random(992), 0, 1, 0.04, 0.5, 5e-5, 0.12345, 1 / 3, 1e-9]
    file = io.BytesIO()
    write_label_file(label_frame(labels, np.where(labels < 0, np.nan, confidence), ["a", "b, c", "d"]), file)
    names = ["a", '"b, c"', "d"]
    lines = [
        f"{i},{a},{names[a]},{b:.4f}" if a >= 0 else f"{i},,," for i, (a, b) in enumerate(zip(labels, confidence), 1)
    ]
    assert file.getvalue().decode() == "\n".join(["row,cluster,name,confidence", *lines]) + "\n"


@pytest.mark.slow_without_jit
def test_the_columns_of_the_table_stand_beside_the_labels_on_request(tmp_path):
    """Every row of the input, in its order, also of a long table; names that clash are told apart."""
    rng = np.random.default_rng(0)
    table = pl.DataFrame({"row": rng.normal(size=90), "x": rng.normal(size=90), "key": [f"k{i}" for i in range(90)]})
    for options in ({}, {"sample": 40}):
        folder = unmix.explore(table, max_k=2, id="key", **options).save(tmp_path / "results", with_columns=True)
        written = pl.read_csv(folder / "labels.csv")
        assert written.columns == ["row", "key", "cluster", "name", "confidence", "row (input)", "x"]
        assert written["row"].to_list() == list(range(1, 91))
        assert written.select(pl.col("row (input)").alias("row"), "x", "key").equals(table)


@pytest.mark.slow_without_jit
def test_the_saved_model_gives_the_same_labels(findings, tmp_path):
    pytest.importorskip("unmix.cluster.kmeans")
    model = unmix.load(findings.save(tmp_path) / "model.unmix")
    assert np.array_equal(model.cluster_centers_, findings.model.cluster_centers_)


@pytest.mark.slow_without_jit
def test_a_failure_leaves_the_earlier_results_untouched(findings, tmp_path, monkeypatch):
    findings.save(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def fail(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("unmix.report.write", fail)
    with pytest.raises(TableError, match="No space left"):
        findings.save(tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.slow_without_jit
def test_a_failure_leaves_nothing_half_written(findings, tmp_path, monkeypatch):
    monkeypatch.setattr(output, "json_text", lambda findings: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        findings.save(tmp_path / "results")
    assert list(tmp_path.rglob("*.*")) == []


@pytest.mark.slow_without_jit
def test_places_that_cannot_be_written_to(findings, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(TableError, match="is a file"):
        findings.save(tmp_path / "file")
    with pytest.raises(TableError, match="cannot be written"):
        findings.save(tmp_path / "file" / "below")


@pytest.mark.slow_without_jit
def test_notebook_view_is_a_frame_of_its_own(findings):
    view = findings._repr_html_()
    assert view.startswith("<iframe srcdoc=")
    assert view.count("<") == 2  # all of the page is escaped into the attribute


@pytest.mark.slow_without_jit
def test_a_notebook_keeps_fewer_points_than_the_report(findings):
    tree = findings.to_dict()
    assert output.light(tree)["map"] == tree["map"]
    many = {name: part * 60 if isinstance(part, list) else part for name, part in tree["map"].items()}
    fewer = output.light(tree | {"map": many, "rows": {"columns": []}})
    assert fewer["map"]["n_shown"] == len(fewer["map"]["x"]) == len(fewer["map"]["label"]) <= output.MOST_POINTS
    assert fewer["map"]["row"] == many["row"][::3]
    assert fewer["rows"] is None
