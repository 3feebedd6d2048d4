"""A file that memory cannot hold is read in batches, or refused before it is read."""

import io

import numpy as np
import polars as pl
import pytest

import unmix
from unmix.core import memory
from unmix.io import TableError, read_table
from unmix.io.base import room
from unmix.io.text.text_scan import IN_BATCHES


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    group = rng.integers(0, 2, 3000)
    frame = pl.DataFrame(
        {"a": rng.normal(9.0 * group), "b": rng.normal(-9.0 * group), "kind": np.where(group, "x", "y")}
    )
    frame.write_csv(tmp_path / "x.csv")
    frame.write_parquet(tmp_path / "x.parquet")
    return tmp_path / "x.csv"


def little(monkeypatch, n):
    monkeypatch.setattr(room, "free_bytes", lambda: n)


def test_explore_goes_through_a_large_text_in_batches(table, monkeypatch):
    whole = unmix.explore(table, sample=500, max_k=3)
    little(monkeypatch, 1000)
    found = unmix.explore(table, sample=500, max_k=3)
    assert IN_BATCHES in found.warnings and IN_BATCHES not in whole.warnings
    assert np.array_equal(found.labels, whole.labels) and found.selection.chosen_k == 2


@pytest.mark.parametrize("name", ["x.csv", "x.parquet"])
def test_what_has_to_be_read_whole_is_refused_with_both_figures(table, name, monkeypatch):
    little(monkeypatch, 1000)
    with pytest.raises(TableError, match=r"takes about \d+ kB of memory, where 1 kB are free"):
        read_table(table.with_name(name))


def test_standard_input_beyond_memory_is_refused(monkeypatch):
    little(monkeypatch, 80)
    stream = type("Stream", (), {"buffer": io.BytesIO(b"a,b\n" + b"1,2\n" * 50)})
    monkeypatch.setattr("sys.stdin", stream)
    with pytest.raises(TableError, match="Standard input holds more"):
        read_table("-")


def test_limits_of_the_process_and_of_its_group_count(tmp_path, monkeypatch):
    free = memory.free_bytes()
    assert 0 < free <= memory.memory_bytes()
    for name, text in {"memory.max": "5000", "memory.current": "2000"}.items():
        (tmp_path / name).write_text(text)
    assert list(memory._left_in(tmp_path)) == [3000]
    (tmp_path / "memory.max").write_text("max")
    assert list(memory._left_in(tmp_path)) == []
    import resource

    before = resource.getrlimit(resource.RLIMIT_DATA)
    data = 1024 * memory._number_after("VmData:", memory.Path("/proc/self/status"))
    resource.setrlimit(resource.RLIMIT_DATA, (data + 2**28, before[1]))
    try:
        assert 0 < memory.free_bytes() <= 2**28
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)
