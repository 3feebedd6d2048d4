import json

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from unmix.cli.main import main
from unmix.cli.replay import settings_of
from unmix.io.base.errors import TableError

pytestmark = pytest.mark.slow_without_jit


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def write(path, step=0.0, seed=0):
    rng = np.random.default_rng(seed)
    x = np.r_[rng.normal(size=40), rng.normal(size=40) + 12 + step]
    pl.DataFrame({"size": x, "mass": x + rng.normal(size=80), "drop me": rng.normal(size=80)}).write_csv(path)
    return path


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compare")
    options = ("--max-k", 3, "--drop", "drop me", "--seed", 4, "--quiet")
    assert run("explore", write(folder / "old.csv"), "--out", folder / "old", *options).exit_code == 0
    return folder


def test_a_folder_and_a_table(here):
    same = run("compare", here / "old", write(here / "same.csv", seed=1))
    assert same.exit_code == 0
    assert "No change beyond chance" in same.stdout
    moved = json.loads(run("compare", here / "old", write(here / "moved.csv", 3, 1), "--json").stdout)
    assert moved["changed"]
    assert sorted(group["state"] for group in moved["groups"]) == ["moved", "stayed"]


def test_replay_takes_the_settings_of_the_report_and_says_what_changed(here):
    result = run("explore", "--replay", here / "old" / "report.html", write(here / "new.csv", 3, 2), "-o", here / "new")
    assert result.exit_code == 0
    tree = json.loads((here / "new" / "findings.json").read_text("utf-8"))
    assert tree["settings"] == {"seed": 4, "max_k": 3, "drop": ["drop me"]}
    assert "1 group moved" in result.stdout.split("Since ")[1]
    other = run("explore", "--replay", here / "old" / "report.html", here / "new.csv", "--json", "--seed", 0, "--k", 2)
    assert json.loads(other.stdout)["settings"] == {"seed": 0, "max_k": 3, "k": 2, "drop": ["drop me"]}


def test_a_report_without_its_folder_replays_but_does_not_compare(here, tmp_path):
    (tmp_path / "mailed.html").write_bytes((here / "old" / "report.html").read_bytes())
    result = run("explore", "--replay", tmp_path / "mailed.html", here / "old.csv", "-o", tmp_path / "out")
    assert "No comparison" in result.stdout


def test_settings_are_data_of_a_stranger(tmp_path):
    page = tmp_path / "report.html"
    tree = {"settings": {"seed": 1, "k": 2, "progress": "print", "command": "rm"}}
    page.write_text(f'<script type="application/json" id="findings">{json.dumps(tree)}</script>')
    assert settings_of(str(page)) == {"seed": 1, "k": 2}
    for text in (
        "nothing",
        '<script type="application/json">{broken</script>',
        '<script type="application/json">[]</script>',
    ):
        page.write_text(text)
        with pytest.raises(TableError, match="holds no settings"):
            settings_of(str(page))
    with pytest.raises(TableError, match="cannot be read"):
        settings_of(str(tmp_path / "none.html"))


def test_what_the_user_can_mend_is_one_sentence(here):
    result = run("compare", here, here / "old.csv")
    assert result.exit_code == 2
    assert "holds no encoding.unmix" in result.stderr
