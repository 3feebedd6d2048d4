"""Files that together are one table."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from unmix.core.execution import current_execution
from unmix.core.sources import Source, block_dtype
from unmix.io.base.errors import TableError
from unmix.io.data_set.facts import Facts, facts_of_all, in_parallel, naming, scanned_columns
from unmix.io.data_set.listing import Listing, list_files
from unmix.io.data_set.opened import forget
from unmix.io.data_set.partition import PartitionColumn, partition_columns
from unmix.io.data_set.record import make_record, new_files, read_record, write_record
from unmix.io.data_set.source import FilesSource
from unmix.io.matrix import refuse_text

FRAME_ROWS = 2**18  # of a large file at a time
NUMERIC = ("Int", "UInt", "Float", "Boolean", "Null", "Decimal")  # how names of types begin that are numbers


class DataSet:
    """A folder, a pattern or a list of paths as one table, to be given wherever a path can be given.

    Files are taken in natural order (part-2 before part-10), those of a list in its order. Names of folders such as
    ``country=CH`` give the column `country`. Files of different columns or types are refused.

    Parameters
    ----------
    source : path of a folder, pattern such as "sales/**/*.parquet", or list of paths
        Of Parquet, Arrow, text or any other format of tables that `unmix.io` reads; one format for all files.
    columns : list of str, optional
        These columns alone, in this order; the others are not read.

    Examples
    --------
    >>> import polars, tempfile, unmix.io
    >>> folder = tempfile.mkdtemp()
    >>> for i in (2, 10):
    ...     polars.DataFrame({"x": [i, i]}).write_parquet(f"{folder}/part-{i}.parquet")
    >>> data = unmix.io.DataSet(folder)
    >>> data.shape, data.columns
    ((4, 1), ['x'])
    """

    is_data_set = True

    def __init__(self, source: Any, columns: Sequence[str] | None = None) -> None:
        listing = source.listing if isinstance(source, DataSet) else list_files(source)
        self.source: Any = source.source if isinstance(source, DataSet) else source
        self.listing: Listing = listing
        self.chosen = None if columns is None else list(columns)
        self.client = current_execution().executor  # whose workers read, where there is one

    @property
    def name(self) -> str:
        return self.listing.name

    @property
    def paths(self) -> list[Path]:
        """The files, in order."""
        return list(self.listing.paths)

    @property
    def shape(self) -> tuple[int, int]:
        return sum(file.n_rows for file in self.files), len(self.columns)

    @property
    def columns(self) -> list[str]:
        """Names of the columns, those that folders give last."""
        return self._checked([*self.files[0].names, *(column.name for column in self.partitions)])

    @cached_property
    def files(self) -> list[Facts]:
        """What is known of each file, asked once."""
        return facts_of_all([path.absolute() for path in self.listing.paths], False, self.client)

    @cached_property
    def partitions(self) -> list[PartitionColumn]:
        return partition_columns(self.listing.partitions, self.files[0].names)

    @property
    def row_names(self) -> str | None:
        """The column that only names or counts the rows of every file."""
        found = {file.row_names for file in self.files if file.n_rows}
        return found.pop() if len(found) == 1 else None

    @property
    def bytes(self) -> int:
        return sum(file.stamp[0] for file in self.files)

    def how(self) -> str:
        """In words, for a report."""
        from unmix.io.base.registry import format_of

        by = f", partitioned by {', '.join(column.name for column in self.partitions)}" if self.partitions else ""
        return f"{len(self.paths)} {format_of(self.paths[0]).name} file{'s' * (len(self.paths) != 1)}{by}"

    def open(self, dtype: Any = None) -> Source | None:
        """The rows as numbers, in blocks; None where text has to be looked at, as it may be numbers."""
        with naming(self.paths[0]):
            scanned = scanned_columns(self.paths[0].absolute())
        if scanned is None:
            paths = [path.absolute() for path in self.listing.paths]
            return self._opened(facts_of_all(paths, True, current_execution().executor, self.chosen), dtype)
        return None if self.text_columns() else self._opened(self.files, dtype)

    def text_columns(self) -> list[str]:
        """Those that are no numbers by their type."""
        kinds = dict(zip(self.files[0].names, self.files[0].kinds)) | {c.name: c.kind for c in self.partitions}
        return [name for name in self.columns if not kinds[name].startswith(NUMERIC)]

    def batches(self, size: int | None = None) -> Iterator[Any]:
        """The rows as they are, in frames of polars: of ``size`` rows each, or as it suits the files."""
        from unmix.io.data_set.frames import rebatched

        return self._frames() if size is None else rebatched(self._frames(), size)

    def _frames(self) -> Iterator[Any]:
        from unmix.io.data_set.frames import frame_of

        for place, file in enumerate(self.files):
            for start in range(0, max(file.n_rows, 1), FRAME_ROWS):
                yield frame_of(file, place, self.columns, self.partitions, start, min(start + FRAME_ROWS, file.n_rows))

    def take(self, rows: np.ndarray) -> Any:
        """The rows of these numbers, in rising order, each file read on a worker where there is a cluster."""
        import polars as pl

        from unmix.io.data_set.frames import taken_of

        firsts = np.concatenate([[0], np.cumsum([file.n_rows for file in self.files])])
        cut = np.searchsorted(rows, firsts)
        calls = [
            (file, place, self.columns, self.partitions, rows[cut[place] : cut[place + 1]] - firsts[place])
            for place, file in enumerate(self.files)
            if cut[place] < cut[place + 1]
        ]
        return pl.concat(in_parallel(taken_of, calls, self.client), how="vertical_relaxed")

    def save_record(self, path: str | Path) -> None:
        """Write down which files these are, for `since`: size, time, rows and a digest of each."""
        write_record(make_record(self.files, self.listing.root, self.client), path)

    def since(self, record: str | Path) -> DataSet:
        """The files that came after a record was saved; where one of the others was changed or is gone, a refusal.

        Only these are read, so that ``model.partial_fit(data.since(record))`` goes on where an earlier fit ended.
        """
        places = new_files(self.listing.paths, self.listing.root, read_record(record))
        if not places:
            raise TableError(f"{self.name} has no file that {record} does not name; there is nothing new to read.")
        made = DataSet(self, self.chosen)
        paths, partitions = self.listing.paths, self.listing.partitions
        made.listing = self.listing._replace(
            paths=[paths[place] for place in places], partitions=[partitions[place] for place in places]
        )
        return made

    def _opened(self, files: list[Facts], dtype: Any) -> FilesSource:
        if not files[0].names:  # an array has no names of columns
            self._checked([])
            single = all(file.kinds[:1] == ("Float32",) for file in files)
            return FilesSource(
                files, [], None, files[0].width, block_dtype(np.float32 if single else np.float64, dtype)
            )
        partitions = partition_columns(self.listing.partitions, files[0].names)
        names = self._checked([*files[0].names, *(column.name for column in partitions)])
        kinds = dict(zip(files[0].names, files[0].kinds)) | {column.name: column.kind for column in partitions}
        refuse_text([column.name for column in partitions if column.name in names and not column.is_number], self.name)
        single = all(kinds[name] == "Float32" for name in names)
        kind = block_dtype(np.float32 if single else np.float64, dtype)
        source = FilesSource(files, partitions, names, len(names), kind)
        weakref.finalize(source, forget, [file.path for file in files])
        return source

    def _checked(self, found: list[str]) -> list[str]:
        """The columns asked for, which must be there."""
        if self.chosen is None:
            return found
        for name in self.chosen:
            if name not in found:
                raise TableError(
                    f"{self.name} has no column {name!r}; it has {', '.join(map(repr, found[:10])) or 'no names'}."
                )
        return self.chosen

    def __repr__(self) -> str:
        return f"DataSet({str(self.source)!r}, {len(self.paths)} files)"


def as_data_set(source: Any) -> DataSet:
    return source if isinstance(source, DataSet) else DataSet(source)
