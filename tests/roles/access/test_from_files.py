"""Grants in a folder of files: what is read part by part is what one table of all rows gives."""

import numpy as np
import polars as pl
import pytest

from unmix.roles import read

ROWS = 600


def tables(rng):
    users = [None if rng.random() < 0.01 else f"u{i}" for i in rng.integers(40, size=ROWS)]
    held = [" " if rng.random() < 0.01 else f"p{i}" for i in rng.integers(30, size=ROWS)]
    codes = rng.integers(9, size=ROWS)
    binary = (rng.random((ROWS, 3)) < 0.3).astype(int)
    return {
        "pairs": pl.DataFrame({"a": users, "b": held}),
        "with others": pl.DataFrame({"when": codes, "login": users, "group": held, "x": codes}),
        "triples": pl.DataFrame({"user": users, "object": held, "operation": [f"o{i % 3}" for i in codes]}),
        "numbers": pl.DataFrame({"user": codes, "role": codes[::-1].copy()}),
        "yes and no": pl.DataFrame({"user": np.arange(ROWS), **{f"right {j}": binary[:, j] for j in range(3)}}),
        "one mark more": pl.DataFrame({"user": users, "right": ["1"] * (ROWS - 1) + ["mail"], "x": codes}),
        "no words": pl.DataFrame({"u": np.arange(ROWS), **{f"c{j}": binary[:, j] for j in range(3)}}),
    }


TABLES = tables(np.random.default_rng(0))


@pytest.mark.parametrize("name", list(TABLES))
def test_the_access_of_all_rows(tmp_path, monkeypatch, name):
    table = TABLES[name]
    for i in range(5):
        table[120 * i : 120 * (i + 1)].write_parquet(tmp_path / f"part-{i}.parquet")
    monkeypatch.setattr("unmix.io.data_set.over_files.TASK_ROWS", 240)  # two files a task
    monkeypatch.setattr("unmix.io.data_set.over_files.FRAME_ROWS", 50)
    found, expected = read(tmp_path), read(table)
    assert found.users == expected.users and found.permissions == expected.permissions
    assert (found.matrix != expected.matrix).sum() == 0
    assert found.problems == expected.problems and (found.problems or name in ("no words", "yes and no"))


def test_all_rows_are_not_brought_together(tmp_path, monkeypatch):
    for i in range(2):
        (tmp_path / f"system={i}").mkdir()
        TABLES["with others"][300 * i : 300 * (i + 1)].write_parquet(tmp_path / f"system={i}" / "part.parquet")
    monkeypatch.setattr("unmix.roles.access.read.rows_of", None)
    assert read(tmp_path).problems[0].sentence.endswith("not used: when, x, system.")


def test_nothing_but_blank_cells_is_refused(tmp_path):
    pl.DataFrame({"user": [None, " "], "right": ["a", "b"]}).write_parquet(tmp_path / "one.parquet")
    with pytest.raises(ValueError, match="Every row of the access data has a blank cell"):
        read(tmp_path)
    pl.DataFrame(schema={"user": pl.String, "right": pl.String}).write_parquet(tmp_path / "one.parquet")
    with pytest.raises(ValueError, match="hold no rows"):
        read(tmp_path)
