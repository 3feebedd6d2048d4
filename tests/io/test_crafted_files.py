"""Files that say of themselves what is not so: refused in one sentence, before memory or compiled loops follow."""

import gzip
import os
import threading

import numpy as np
import polars as pl
import pytest
from scipy import sparse

from tests.faults.odd_tables import hostile_arrays, hostile_sparse
from unmix.core.canonical import canonical
from unmix.io import TableError, open_source, read_table
from unmix.io.base import room
from unmix.io.base.registry import reading
from unmix.io.readers.image import read_image, write_image


@pytest.mark.parametrize("case, name, data", [pytest.param(*case, id=case[0]) for case in hostile_sparse()])
def test_a_sparse_matrix_with_places_outside_it_is_refused(tmp_path, case, name, data):
    (tmp_path / name).write_bytes(data)
    for read in (read_table, open_source):
        with pytest.raises(TableError, match=r"x\.npz"):
            read(tmp_path / name)


def test_a_sparse_matrix_in_memory_is_looked_at_before_it_is_converted():
    for kind in (sparse.csc_array, sparse.bsr_array):
        given = kind(np.eye(4))
        given.indices = np.full_like(given.indices, 10**8)
        with pytest.raises(ValueError, match="ind"):
            canonical(given)


def test_an_image_of_an_npy_file_is_as_large_as_the_file(tmp_path):
    data = {case: data for case, _, data in hostile_arrays()}["npy of shape (99999999, 99999999)"]
    (tmp_path / "x.npy").write_bytes(data)
    with pytest.raises(TableError, match="only 64 bytes follow"):
        read_image(tmp_path / "x.npy")


def test_a_pipe_gives_no_more_than_memory_holds(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "x.csv")
    monkeypatch.setattr(room, "free_bytes", lambda: 800)

    def write():
        with (tmp_path / "x.csv").open("wb") as pipe:
            pipe.write(b"a,b\n" + b"1,2\n" * 50)

    writer = threading.Thread(target=write)
    writer.start()
    with pytest.raises(TableError, match=r"x.csv holds more than can be read whole"):
        read_table(tmp_path / "x.csv")
    writer.join()


def test_packed_text_unpacks_to_no_more_than_memory_holds(tmp_path, monkeypatch):
    (tmp_path / "x.csv.gz").write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 50_000))
    monkeypatch.setattr(room, "free_bytes", lambda: 100_000)
    with pytest.raises(TableError, match=r"x.csv.gz holds more than can be read whole"):
        read_table(tmp_path / "x.csv.gz")


@pytest.mark.parametrize("write", ["write_parquet", "write_ipc"])
def test_fewer_rows_than_a_file_says_are_refused(tmp_path, write):
    path = tmp_path / f"x.{'parquet' if write == 'write_parquet' else 'arrow'}"
    getattr(pl.DataFrame({"a": np.arange(9.0)}), write)(path)
    source = open_source(path)
    assert source.read(0, 9)[:, 0].tolist() == list(range(9))
    source = open_source(path)
    source.shape = (10, 1)
    with pytest.raises(TableError, match="holds 9 rows where it says 10"):
        source.read(0, 10)


def test_a_panic_of_a_reader_is_a_sentence_and_an_interrupt_is_not(tmp_path):
    with pytest.raises(TableError, match=r"x.arrow cannot be read \(a None value\)"), reading(tmp_path / "x.arrow"):
        raise type("PanicException", (BaseException,), {})("a None value")
    with pytest.raises(KeyboardInterrupt), reading(tmp_path / "x.arrow"):
        raise KeyboardInterrupt


def test_an_image_is_written_where_a_link_leads(tmp_path):
    (tmp_path / "link.npy").symlink_to("image.npy")
    write_image(tmp_path / "link.npy", np.zeros((2, 2)))
    assert (tmp_path / "link.npy").is_symlink() and np.load(tmp_path / "image.npy").shape == (2, 2)
