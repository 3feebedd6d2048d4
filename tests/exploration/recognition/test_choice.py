"""The form that is explored: what the user says of columns counts for more than how the table looks."""

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from unmix.cli.main import main
from unmix.exploration.recognition.choice import pointer, recognise_form
from unmix.exploration.recognition.form import Form
from unmix.io.base.errors import TableError
from unmix.io.long_table import read_rows

D = np.abs(np.subtract.outer(np.arange(12.0) ** 2, np.arange(12.0) ** 2))


def data(most=100):
    return read_rows(pl.DataFrame(D), most, np.random.default_rng(0))


def test_what_the_user_says_of_columns_makes_a_plain_table():
    assert recognise_form(data(), "auto", {}).name == "dissimilarities"
    assert recognise_form(data(), "auto", {"drop": ["column_0"]}).name == "table"
    assert recognise_form(data(), "dissimilarities", {"describe": []}).name == "dissimilarities"


def test_columns_that_are_set_aside_hold_no_values():
    frame = pl.DataFrame({f"w{j}": [1, 0, 2] for j in range(3)} | {"age": [30, 40, 50], "price": [1, 2, 3]})
    table = read_rows(frame, 100, np.random.default_rng(0))
    assert recognise_form(table, "counts", {"describe": "age", "drop": ["price"]}).columns == ("w0", "w1", "w2")
    assert recognise_form(table, "counts", {"use": ["w0", "w2"]}).columns == ("w0", "w2")
    with pytest.raises(TableError, match="did you mean 'price'"):
        recognise_form(table, "counts", {"drop": "prise"})


def test_counts_of_a_part_of_the_rows_are_refused_in_words():
    with pytest.raises(TableError, match="12 rows; as counts at most 6"):
        recognise_form(data(most=6), "counts", {})


def test_some_rows_of_a_long_table_are_a_plain_table():
    assert recognise_form(data(most=6), "auto", {}).name == "table"


def test_the_command_to_run_names_the_file():
    assert "unmix roles access.csv" in pointer(Form("binary", "all are 0 or 1"), "access.csv")[0]
    assert "unmix separate TABLE" in pointer(Form("signals", "smooth"), pl.DataFrame())[0]
    assert pointer(Form("counts", "whole numbers"), "words.csv") == []


def test_the_command_line_says_the_form_and_repeats_it(tmp_path):
    pl.DataFrame(D).write_csv(tmp_path / "d.csv")
    result = CliRunner().invoke(
        main, ["explore", str(tmp_path / "d.csv"), "--as", "table", "--max-k", "1", "-o", str(tmp_path / "out")]
    )
    assert result.exit_code == 0, result.output
    assert "--as table" in result.output
    assert "read as dissimilarities" not in result.output
