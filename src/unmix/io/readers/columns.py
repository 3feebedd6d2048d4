"""Files of typed columns: Parquet and Arrow in blocks; JSON lines and Excel workbooks as a whole."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from unmix.io.base.errors import TableError
from unmix.io.sources.scan_source import ScanSource, all_numbers

STREAM = b"\xff\xff\xff\xff"  # how an Arrow stream begins, which has no index of its parts


def scan_parquet(path: Path) -> pl.LazyFrame:
    return pl.scan_parquet(path, glob=False)


def scan_arrow(path: Path) -> pl.LazyFrame:
    with path.open("rb") as file:
        stream = file.read(4) == STREAM
    return pl.read_ipc_stream(path).lazy() if stream else pl.scan_ipc(path, glob=False)


def _read(path: Path, scan: Any) -> pl.DataFrame:
    return scan(path).collect()  # type: ignore[no-any-return]


def _open(path: Path, dtype: Any = None, *, scan: Any) -> ScanSource | None:
    """Columns of numbers in place; a table with others is looked at as a whole, as its text may be numbers."""
    return ScanSource(path, dtype, scan) if all_numbers(scan(path).collect_schema()) else None


read_parquet, open_parquet = partial(_read, scan=scan_parquet), partial(_open, scan=scan_parquet)
read_arrow, open_arrow = partial(_read, scan=scan_arrow), partial(_open, scan=scan_arrow)


def read_json_lines(path: Path) -> pl.DataFrame:
    return pl.read_ndjson(path.read_bytes(), infer_schema_length=None)  # by path, a name would be a pattern


def read_excel(path: Path) -> pl.DataFrame:
    """The first sheet of a workbook."""
    try:
        import fastexcel  # noqa: F401
    except ImportError:
        raise TableError(
            f"{path.name} is an Excel workbook, and what reads it is not installed: pip install 'unmix[excel]', "
            "or save the sheet as CSV."
        ) from None
    return pl.read_excel(path)
