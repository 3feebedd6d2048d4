"""Grants in a folder of files: what is read part by part is what one table of all rows gives."""

import numpy as np
import polars as pl
import pytest

from unmix.io import TableError
from unmix.roles import read
from unmix.roles.access import from_files
from unmix.roles.access.from_rows import all_grants, grants_of

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


def test_what_is_kept_grows_with_the_grants_and_not_with_the_rows():
    """A list of uses: repeats are counted, and the first different ones are those that brute force finds."""
    rng = np.random.default_rng(1)
    rows = [(n, [f"u{u}", f"p{p}"]) for n, (u, p) in enumerate(rng.integers(6, size=(500, 2)))]
    rows[70:75] = [(n, ["u0", ""]) for n in range(70, 75)]
    rows[400] = (400, [" ", "p1"])
    total = all_grants(grants_of(rows[start : start + 37]) for start in range(0, 500, 37))
    pairs = [(n, tuple(row)) for n, row in rows if row[0].strip() and row[1]]
    first = {pair: n for n, pair in reversed(pairs)}
    again = [(n, pair) for n, pair in pairs if first[pair] != n]
    assert total.pairs == sorted((n, pair) for pair, n in first.items())
    assert (total.n_again, total.n_empty, total.empty) == (len(again), 6, [70, 71, 72, 73, 74])
    assert [pair for _, pair in total.again] == list(dict.fromkeys(pair for _, pair in again))[:5]


def test_grants_that_do_not_fit_are_refused_before_they_come(monkeypatch):
    monkeypatch.setattr(from_files, "free_bytes", lambda: 3 * 10**9)
    with pytest.raises(TableError, match=r"10,000,000 grants .* take about 5\.0 GB, and 3\.0 GB are free"):
        from_files.ask_for_grants(10**7)
    with pytest.warns(UserWarning, match=r"4,000,000 grants .* take about 2\.0 GB"):
        from_files.ask_for_grants(4 * 10**6)
    from_files.ask_for_grants(10**6)  # of few nothing is said
