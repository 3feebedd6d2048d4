"""What is said of missing cells that were planted."""

import numpy as np
import polars as pl

from tests.exploration.associations.made import SHUFFLED
from unmix.exploration.associations.coding import coded_columns
from unmix.exploration.associations.gaps import gaps
from unmix.exploration.columns.preparation import prepare


def said(frame, seed=0):
    prepared = prepare(frame, 0)
    rows = np.arange(len(prepared.X))
    return gaps(prepared, rows, coded_columns(prepared, rows).coded, SHUFFLED, np.random.default_rng(seed))


def table(seed, n=300):
    rng = np.random.default_rng(seed)
    columns = {name: rng.normal(size=n) for name in ("height", "weight", "age")}
    return pl.DataFrame({**columns, "sex": rng.choice(["f", "m"], n)}), rng


def without(frame, name, rows):
    return frame.with_columns(pl.when(pl.Series(rows)).then(None).otherwise(pl.col(name)).alias(name))


def test_nothing_is_said_where_nothing_is_missing():
    assert said(table(0)[0]) == []


def test_cells_missing_by_chance_depend_on_nothing():
    claims = 0
    for seed in range(15):
        frame, rng = table(seed)
        for name in ("height", "weight"):
            frame = without(frame, name, rng.random(300) < 0.2)
        claims += not any("depends on no other column, as far as 300 rows tell" in words for words in said(frame, seed))
    assert claims <= 3


def test_cells_missing_where_another_column_says_so_are_told():
    frame, rng = table(1)
    high = frame["age"].to_numpy() > 0.8
    words = said(without(frame, "weight", high & (rng.random(300) < 0.7)))
    assert len(words) == 1 and words[0].startswith("weight is missing more often where age is high: ")


def test_levels_that_lack_a_column_are_named():
    frame, rng = table(2)
    male = (frame["sex"] == "m").to_numpy()
    gone = male & (rng.random(300) < 0.4)
    (words,) = said(without(frame, "height", gone))
    assert words == f"height is missing more often where sex is m: {100 * gone[male].mean():.0f} % against 0 %."


def test_columns_missing_together_are_one():
    frame, rng = table(3)
    gone = rng.random(300) < 0.15
    words = said(without(without(frame, "height", gone), "weight", gone))
    assert words[0] == f"height and weight are missing together, in {gone.sum()} rows."
    assert words[1].startswith("Which cells are missing depends on no other column") and len(words) == 2


def test_gaps_that_often_come_together_are_said():
    frame, rng = table(4)
    gone = rng.random(300) < 0.2
    one, other = (gone & (rng.random(300) < 0.8) for _ in range(2))
    words = said(without(without(frame, "height", one), "weight", other))
    expected = f"in {(one & other).sum()} rows, where chance would give {one.mean() * other.mean() * 300:.1f}."
    assert words[0].endswith(f" is missing, weight is so more often than by chance: {expected}") or words[0].endswith(
        f" is missing, height is so more often than by chance: {expected}"
    )
    assert len(words) == 2


def test_rows_without_any_value_are_counted():
    frame = pl.DataFrame({"a": [None, None, *range(50)], "b": [None, None, *np.random.default_rng(0).normal(size=50)]})
    assert said(frame)[0] == "2 rows have no value in any column that was used."
