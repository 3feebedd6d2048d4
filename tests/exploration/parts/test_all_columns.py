"""What all rows say of columns and pairs, beside NumPy on the whole table, in any parts."""

from functools import reduce
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from unmix.exploration.associations.associate import associate
from unmix.exploration.associations.tables import entropy
from unmix.exploration.findings.records import Associations
from unmix.exploration.parts.all_columns import Tally, tally, tell_of_all
from unmix.exploration.parts.column_sums import ColumnSums
from unmix.exploration.question import ask
from unmix.exploration.structure.evaluation_set import look_at_rows
from unmix.exploration.structure.spectrum import principal_components
from unmix.io import DataSet

N, SAMPLE = 60_000, 3000
R = 0.6


def table(n=N):
    rng = np.random.default_rng(0)
    x, colour = rng.normal(size=n), rng.integers(0, 3, n)
    y = R * x + np.sqrt(1 - R**2) * rng.normal(size=n)
    frame = {
        "x": x, "y": y, "curve": x**2 + 0.3 * rng.normal(size=n), "tail": rng.standard_cauchy(n) + 1e6,
        "few": rng.poisson(2 + colour), "steps": np.round(2 * (x + 0.5 * rng.normal(size=n))),
        "colour": np.array(["red", "green", "blue"])[colour],
        "flag": rng.random(n) < 0.2 + 0.3 * (colour == 1),
    }  # fmt: skip
    gaps = pl.Series(rng.random(n) < 0.1)
    return pl.DataFrame(frame).with_columns(y=pl.when(~gaps).then(pl.col("y")))


def told(source):
    data, prepared, *_ = ask(source, lambda words: None, sample=SAMPLE, options={})
    looked_at = look_at_rows(prepared, 0)
    components = principal_components(prepared.X, prepared.owner, prepared.features, 0, prepared.holes)
    clustering = SimpleNamespace(labels=np.zeros(len(prepared.X), int))
    found = associate(prepared, looked_at, components, clustering, 0)
    return prepared, found, tell_of_all(data, prepared, looked_at, found)


@pytest.fixture(scope="module")
def frame():
    return table()


@pytest.fixture(scope="module")
def here(frame):
    return told(frame.lazy())


def test_numbers_are_those_of_numpy(frame, here):
    columns = {column.name: column for column in here[0].columns}
    for name in ("x", "y", "curve", "tail", "few"):
        values, summary = frame[name].drop_nulls().to_numpy().astype(float), columns[name].summary
        d = values - np.median(values)
        assert summary["mean"] == pytest.approx(values.mean(), rel=1e-13)
        assert summary["std"] == pytest.approx(d.std(), rel=1e-12)
        assert summary["skewness"] == pytest.approx(((d - d.mean()) ** 3).mean() / d.std() ** 3, rel=1e-6, abs=1e-9)
        assert (summary["min"], summary["max"]) == (values.min(), values.max())
        edges = summary["histogram"]["edges"]
        assert summary["histogram"]["counts"] == np.histogram(np.clip(values, edges[0], edges[-1]), edges)[0].tolist()
        ranks = [[(values < summary[q]).mean(), (values <= summary[q]).mean()] for q in ("q25", "median", "q75")]
        off = summary["quartile_error"] + 1 / N
        assert all(low - off <= q <= high + off for (low, high), q in zip(ranks, (0.25, 0.5, 0.75)))
        assert columns[name].n_missing == frame[name].null_count() and columns[name].n_rows == N
    few = frame["few"].to_numpy()
    exact = [columns["few"].summary[q] for q in ("q25", "median", "q75")]
    assert exact == np.quantile(few, [0.25, 0.5, 0.75]).tolist() and columns["few"].summary["quartile_error"] == 0
    assert 0 < columns["x"].summary["quartile_error"] < 0.005


def test_levels_are_counted(frame, here):
    for column in here[0].columns:
        if column.form in ("category", "boolean"):
            counts = dict(frame[column.name].cast(pl.String).value_counts().iter_rows())
            assert {level["value"]: level["count"] for level in column.summary["levels"]} == counts


def test_relations_are_those_of_all_rows(frame, here):
    """Of normal laws the closed form; of levels the joint counts of the table, of which the sample lies apart."""
    _, found, all_rows = here
    assert sorted(tuple(p.columns) for p in all_rows.pairs) == sorted(tuple(p.columns) for p in found.pairs)
    assert [p.bits for p in all_rows.pairs] == sorted((p.bits for p in all_rows.pairs), reverse=True)
    pairs = {frozenset(pair.columns): pair for pair in all_rows.pairs}
    for pair in found.pairs:  # a sample of which is known how far it may be off
        assert pairs[frozenset(pair.columns)].bits == pytest.approx(pair.bits, abs=4 * pair.error), pair.columns
    normal = pairs[frozenset("xy")]
    assert normal.bits == pytest.approx(-0.5 * np.log2(1 - R**2), abs=3 * normal.error)
    assert normal.n_rows == N - frame["y"].null_count() and normal.error < 0.005
    levels = pairs[frozenset(("colour", "flag"))]
    counts = (
        frame.group_by("colour", "flag").len().pivot("flag", index="colour", values="len").drop("colour").to_numpy()
    )
    bits = entropy(counts.sum(axis=0)) + entropy(counts.sum(axis=1)) - entropy(counts)
    assert levels.bits == pytest.approx(bits - 2 / (2 * np.log(2) * N), rel=1e-12)
    sample = next(pair for pair in found.pairs if set(pair.columns) == {"colour", "flag"})
    assert levels.bits != sample.bits and levels.error == pytest.approx(sample.error * np.sqrt(sample.n_rows / N))


def test_a_curve_has_the_bits_of_its_cells(frame, here):
    """A relation without a line: bits lie between those of coarse cells and of fine ones, found with NumPy alone."""
    pair = next(p for p in here[2].pairs if set(p.columns) == {"x", "curve"})
    x, y = (frame[name].to_numpy().argsort().argsort() / N for name in ("x", "curve"))
    coarse, fine = (np.histogram2d(x, y, bins=bins)[0] for bins in (8, 64))
    low, high = (entropy(c.sum(axis=0)) + entropy(c.sum(axis=1)) - entropy(c) for c in (coarse, fine))
    assert low - 0.02 < pair.bits < high + 0.02


def test_parts_and_places_do_not_matter(frame, here, tmp_path):
    for i, start in enumerate(range(0, N, 7001)):
        frame[start : start + 7001].write_parquet(tmp_path / f"part-{i}.parquet")
    prepared, _, all_rows = told(DataSet(tmp_path))
    assert all_rows == here[2] and prepared.columns == here[0].columns


def test_new_levels_and_rows_without_cells(frame):
    """Levels that nobody saw are levels; a part without a value adds nothing."""
    data, prepared, *_ = ask(frame.lazy(), lambda words: None, sample=SAMPLE, options={})
    looked_at, none = look_at_rows(prepared, 0), Associations("")
    later = frame[:100].with_columns(colour=pl.lit("violet"), x=pl.lit(None, pl.Float64))
    more = data._replace(height=N + 100, batches=lambda: iter([frame, later]))
    tell_of_all(more, prepared, looked_at, none)
    columns = {column.name: column for column in prepared.columns}
    assert {"value": "violet", "count": 100} in columns["colour"].summary["levels"]
    assert (columns["x"].n_missing, columns["x"].n_rows) == (100, N + 100)
    assert reduce(Tally.merge, [Tally([ColumnSums()])] * 3) == Tally([ColumnSums()])
    assert tally([], SimpleNamespace(grids=[None])).columns == [ColumnSums()]
