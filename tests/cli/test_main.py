import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from unmix.cli.main import main

penguins = Path(__file__).parents[2] / "examples" / "penguins.csv"


def run(*arguments, stdin=None):
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def table(n=60, seed=0):
    rng = np.random.default_rng(seed)
    x = np.r_[rng.normal(size=n // 2), rng.normal(size=n // 2) + 12]
    lines = [f"{a:.3f},{b:.3f}" for a, b in zip(x, x + rng.normal(size=n))]
    return "size,mass\n" + "\n".join(lines) + "\n"


@pytest.mark.slow_without_jit
def test_explore_prints_a_summary_and_writes_the_results(here):
    (here / "t.csv").write_text(table())
    result = run("explore", "t.csv", "--max-k", 4)
    assert result.exit_code == 0
    assert "clear clusters" in result.stdout
    assert "size higher" in result.stdout
    assert "\x1b" not in result.stdout
    assert "reading the table" in result.stderr
    assert {path.name for path in (here / "unmix-t").iterdir()} == {
        "encoding.unmix", "findings.json", "labels.csv", "model.unmix", "report.html"
    }  # fmt: skip
    assert "unmix-t" in result.stdout


@pytest.mark.slow_without_jit
def test_json_is_alone_on_standard_output_and_writes_nothing(here):
    result = run("explore", "-", "--json", "--max-k", 3, stdin=table())
    tree = json.loads(result.stdout)
    assert tree["selection"]["chosen_k"] == 2
    assert tree["source"]["name"] == "standard input"
    assert tree["command"] == "unmix explore - --seed 0 --max-k 3"
    assert list(here.iterdir()) == []


@pytest.mark.slow_without_jit
def test_json_with_out_does_both(here):
    (here / "t.csv").write_text(table())
    result = run("explore", "t.csv", "--json", "--max-k", 3, "--out", "kept", "--seed", 5)
    assert json.loads(result.stdout) == json.loads((here / "kept" / "findings.json").read_text("utf-8"))
    assert json.loads(result.stdout)["seed"] == 5


@pytest.mark.slow_without_jit
def test_standard_input_may_be_an_npy_file(here):
    buffer = io.BytesIO()
    np.save(buffer, np.random.default_rng(0).normal(size=(40, 2)))
    assert run("explore", "-", "--json", "--max-k", 2, stdin=buffer.getvalue()).exit_code == 0


@pytest.mark.slow_without_jit
def test_the_example(here):
    result = run("explore", penguins, "--json")
    tree = json.loads(result.stdout)
    kinds = {column["name"]: column["kind"] for column in tree["columns"]}
    assert kinds == {
        "species": "category", "island": "category", "bill_length_mm": "numeric", "bill_depth_mm": "numeric",
        "flipper_length_mm": "numeric", "body_mass_g": "numeric", "sex": "category", "year": "calendar",
    }  # fmt: skip
    assert tree["missing"]["n_rows_dropped"] == 2
    assert tree["selection"]["chosen_k"] >= 2
    assert any("Gentoo" in cluster["name"] for cluster in tree["clusters"])


bad = {
    "empty": ("t.csv", b"", "empty"),
    "blank": ("t.csv", b"\n\n", "empty"),
    "header only": ("t.csv", b"a,b\n", "no rows"),
    "one row": ("t.csv", b"a,b\n1,2\n", "at least two"),
    "ragged": ("t.csv", b"a,b\n1,2\n3,4,5\n6,7\n", "line 3, has 3 fields"),
    "constant": ("t.csv", b"a,b\n1,2\n1,2\n", "constant"),
    "text": ("t.csv", b"a\nthe first long remark\nthe second long remark\nthe third long remark\n", "No column"),
    "foreign delimiter": ("t.csv", b"a!b!c\n1!2!3\n4!5!6\n7!8!9\n", "No column.*another character"),
    "binary": ("t.csv", bytes(range(256)) * 9, "binary"),
    "broken utf-16": ("t.csv", b"\xff\xfea", "UTF-16"),
    "extension": ("t.xyz", b"a,b\n1,2\n", "extension"),
    "workbook": ("t.xlsx", b"PK\x03\x04", r"unmix\[excel\]|cannot be read as Excel"),
    "nan": ("t.csv", b"a,b\nnan,NA\n,null\n", "Every value of the table is missing"),
    "inf": ("t.csv", b"a,b\n1,2\ninf,3\n5,6\n", "infinite value.*row 2"),
    "parquet": ("t.parquet", b"PAR1 and no more", "Parquet"),
    "no parquet": ("t.parquet", b"a,b\n1,2\n", "not a Parquet"),
    "no npy": ("t.npy", b"a,b\n1,2\n", "not an npy"),
}


@pytest.mark.parametrize("case", bad)
def test_bad_files_get_one_sentence_and_exit_code_2(here, case):
    name, data, words = bad[case]
    (here / name).write_bytes(data)
    complain(here, words, name)


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (np.array([{}, 1], dtype=object), "refused"),
        (np.zeros((3, 2, 2)), "3 dimensions"),
        (np.ones((3, 2), complex), "complex"),
        (np.full((3, 2), np.nan), "missing"),
        (np.array([[1.0, np.inf], [2, 3]]), "infinite"),
        (np.zeros((0, 3)), "0 rows"),
        (np.zeros((3, 0)), "no columns"),
    ],
)
def test_bad_arrays_get_one_sentence_and_exit_code_2(here, array, words):
    np.save(here / "t.npy", array, allow_pickle=True)
    complain(here, words, "t.npy")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["no.csv"], "There is no file"),
        (["empty"], "is a directory"),
        (["t.csv", "--max-k", "0"], "max_k is 0"),
        (["t.csv", "--max-k", "61"], "60 rows"),
        (["t.csv", "--max-k", "many"], "not a valid integer"),
        (["t.csv", "--seed", "-1"], "seed"),
        (["t.csv", "--out", "t.csv"], "is a file"),
        (["t.csv", "--out", "t.csv/below"], "cannot be written"),
        (["t.csv", "--categories", "maybe"], "maybe"),
        ([], "Missing argument"),
    ],
)
def test_bad_options_get_one_sentence_and_exit_code_2(here, arguments, words):
    (here / "t.csv").write_text(table())
    (here / "empty").mkdir(exist_ok=True)
    complain(here, words, *arguments)


def complain(folder, words, *arguments):
    import re

    before = sorted(folder.rglob("*"))
    result = run("explore", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert re.search(words, result.stderr), result.stderr
    assert "Traceback" not in result.stderr
    assert sorted(folder.rglob("*")) == before


@pytest.mark.slow_without_jit
def test_repeated_names_are_renamed_and_said(here):
    result = run("explore", "-", "--json", "--max-k", 2, stdin=table().replace("size,mass", "x,x"))
    tree = json.loads(result.stdout)
    assert [column["name"] for column in tree["columns"]] == ["x", "x (2)"]
    assert "renamed" in tree["warnings"][0]


@pytest.mark.slow_without_jit
def test_latin_1_is_read_and_said(here):
    (here / "t.csv").write_bytes(table().replace("size", "größe").encode("latin-1"))
    tree = json.loads(run("explore", "t.csv", "--json", "--max-k", 2).stdout)
    assert tree["columns"][0]["name"] == "größe"
    assert "UTF-8" in tree["warnings"][0]


@pytest.mark.slow_without_jit
def test_columns_are_controlled_by_the_same_words_as_in_python(here):
    rows = table().splitlines()
    text = "\n".join([f"{rows[0]},zip,who"] + [f"{row},{100 + i % 7 * 3},p{i}" for i, row in enumerate(rows[1:])])
    (here / "t.csv").write_text(text + "\n")
    options = ["--drop", "mass", "--type", "zip=category", "--id", "who", "--k", 3, "--sample", 50, "--seed", 0]
    result = run("explore", "t.csv", *options, "--quiet", "-o", "out")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    tree = json.loads((here / "out" / "findings.json").read_text())
    assert {column["name"]: (column["kind"], column["used"]) for column in tree["columns"]} == {
        "size": ("numeric", True), "mass": ("numeric", False), "zip": ("category", True), "who": ("id", False),
    }  # fmt: skip
    assert tree["selection"]["chosen_k"] == 3
    lines = (here / "out" / "labels.csv").read_text().splitlines()
    assert lines[0] == "row,who,cluster,name,confidence" and lines[1].startswith("1,p0,") and len(lines) == 61
    again = run(*tree["command"].split()[1:], "--json")
    assert {**json.loads(again.stdout), "created": ""} == {**tree, "created": ""}


@pytest.mark.slow_without_jit
def test_every_line_of_the_file_has_its_line_in_the_labels(here):
    lines = table().splitlines()
    (here / "t.csv").write_text("\n".join([*lines[:11], "", *lines[11:], "NA,NA"]) + "\n")
    assert run("explore", "t.csv", "--quiet", "--max-k", 2, "-o", "out").exit_code == 0
    labels = (here / "out" / "labels.csv").read_text().splitlines()
    assert len(labels) == 1 + 62 and labels[11] == "11,,," and labels[62] == "62,,,"
    tree = json.loads((here / "out" / "findings.json").read_text())
    assert tree["source"]["n_rows"] == 62 and tree["missing"]["n_rows_dropped"] == 2
    assert any("1 empty line" in warning for warning in tree["warnings"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--drop", "siez"], "there is no column 'siez'; did you mean 'size'?"),
        (["--type", "size"], "COLUMN=KIND was expected"),
        (["--type", "size=nummer"], "did you mean 'number'?"),
    ],
)
def test_wrong_names_of_columns_are_told_the_nearest(here, options, words):
    result = run("explore", "-", *options, stdin=table())
    assert result.exit_code == 2 and words in result.stderr


def test_version_and_help():
    assert run("--version").stdout.startswith("unmix ")
    assert "explore" in run("--help").stdout
    assert "Parquet" in run("explore", "--help").stdout


@pytest.mark.slow_without_jit
@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_control_c_stops_cleanly(here):
    (here / "t.csv").write_text(table(n=20_000))
    command = [sys.executable, "-m", "unmix", "explore", "t.csv"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert "reading" in process.stderr.readline()  # by now the handler is in place
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "stopped" in stderr
    assert "Traceback" not in stderr
    assert stdout == ""
    assert [path.name for path in here.iterdir()] == ["t.csv"]
