"""The form that is explored: what the user says of columns counts for more than how the table looks."""

import numpy as np
import polars as pl
from click.testing import CliRunner

from unmix.cli.main import main
from unmix.exploration.recognition.choice import pointer, recognise_form
from unmix.exploration.recognition.form import Form
from unmix.io.long_table import read_rows

D = np.abs(np.subtract.outer(np.arange(12.0) ** 2, np.arange(12.0) ** 2))


def data(most=100):
    return read_rows(pl.DataFrame(D), most, np.random.default_rng(0))


def test_what_the_user_says_of_columns_makes_a_plain_table():
    assert recognise_form(data(), "auto", {}).name == "dissimilarities"
    assert recognise_form(data(), "auto", {"drop": ["column_0"]}).name == "table"
    assert recognise_form(data(), "dissimilarities", {"describe": []}).name == "dissimilarities"


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
