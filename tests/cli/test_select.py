"""`unmix select` says what `select` says, of one file and of many, and refuses what it cannot compare in a sentence."""

import json

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from unmix.cli.main import main
from unmix.cluster import KMeans
from unmix.decomposition import PCA
from unmix.shell.persistence import load
from unmix.validation import select

pytestmark = pytest.mark.slow_without_jit


def run(*arguments):
    return CliRunner().invoke(main, ["select", *map(str, arguments)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("select")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(240, 2)) + 9 * rng.integers(3, size=240)[:, None]
    frame = pl.DataFrame({"a": X[:, 0], "b": X[:, 1], "noise": rng.normal(size=240)})
    frame.write_csv(made / "table.csv")
    (made / "parts").mkdir()
    for i in range(3):
        frame[80 * i : 80 * (i + 1)].write_parquet(made / "parts" / f"part-{i}.parquet")
    frame.with_columns(name=pl.lit("x")).write_csv(made / "named.csv")
    return made


@pytest.mark.parametrize("table", ["table.csv", "parts"])
def test_it_says_what_select_says(folder, tmp_path, table):
    ran = run(folder / table, "--most", 4, "--seed", 3, "--json", "--out", tmp_path / "model.unmix")
    assert ran.exit_code == 0, ran.output
    told, expected = json.loads(ran.stdout), select(KMeans(), folder / table, range(1, 5), random_state=3)
    assert told["verdict"] == expected.verdict and told["best_params"] == expected.best_params == {"n_clusters": 3}
    assert told["probabilities"] == {str(k): p for k, p in expected.probabilities.items()}
    assert told["table"] == json.loads(json.dumps(expected.table).replace("NaN", "null"))
    centers = load(tmp_path / "model.unmix").cluster_centers_
    assert centers.tobytes() == expected.best_estimator.cluster_centers_.tobytes()


def test_columns_and_components(folder):
    ran = run(folder / "named.csv", "--model", "pca", "--use", "b", "--use", "a", "--most", 9)
    assert ran.exit_code == 0, ran.output
    columns = pl.read_csv(folder / "table.csv").select("b", "a").to_numpy()
    assert ran.stdout.splitlines()[0] == select(PCA(), columns, range(3), random_state=0).verdict
    assert "cross-validation: 1" in ran.stdout


def test_what_is_drawn_is_said(folder):
    ran = run(folder / "table.csv", "--most", 3, "--max-rows", 100)
    assert ran.exit_code == 0 and "100 of 240 rows" in ran.stdout, ran.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["named.csv"], "column 'name' is not numeric"),
        (["table.csv", "--use", "c"], "has no column 'c'"),
        (["nowhere.csv"], "no file"),
        (["table.csv", "--dask", "tcp://127.0.0.1:1"], "no dask scheduler answers"),
    ],
)
def test_refusals_are_one_sentence(folder, words, said, monkeypatch):
    monkeypatch.chdir(folder)
    ran = run(*words, "--most", 2)
    assert ran.exit_code == 2 and said.lower() in ran.stderr.splitlines()[-1].lower(), ran.output
    assert "Traceback" not in ran.output
