import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from unmix.cli.main import main

pytestmark = pytest.mark.slow_without_jit


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    folder = tmp_path_factory.mktemp("assign")
    rng = np.random.default_rng(0)
    x = np.r_[rng.normal(size=40), rng.normal(size=40) + 12]
    pl.DataFrame({"size": x, "mass": x + rng.normal(size=80)}).write_csv(folder / "old.csv")
    assert run("explore", folder / "old.csv", "--out", folder / "found", "--max-k", 3, "--quiet").exit_code == 0
    return folder


def test_labels_alone_on_standard_output(here):
    result = run("assign", here / "found", here / "old.csv")
    assert result.exit_code == 0
    again = pl.read_csv(result.stdout.encode())
    assert again.drop("far").equals(pl.read_csv(here / "found" / "labels.csv"))


def test_a_file_and_a_summary(here):
    result = run(
        "assign", here / "found" / "model.unmix", here / "old.csv", "-o", here / "labels.csv", "--with-columns"
    )
    assert "80 rows assigned to 2 groups" in result.stdout
    written = pl.read_csv(here / "labels.csv")
    assert written.columns == ["row", "cluster", "name", "confidence", "far", "size", "mass"]


def test_what_the_user_can_mend_is_one_sentence(here):
    (here / "other.csv").write_text("a,b\n1,2\n3,4\n")
    result = run("assign", here / "found", here / "other.csv")
    assert result.exit_code == 2
    assert "None of the columns that formed the groups is in the table" in result.stderr
    assert run("assign", here, here / "old.csv").exit_code == 2
    assert run("assign", here / "found", here / "none.csv").exit_code == 2
