"""The formats that come with the package."""

from __future__ import annotations

from unmix.io.base.registry import register
from unmix.io.readers.arrays import open_npy, open_npz, read_npy, read_npz, scan_npy
from unmix.io.readers.columns import (
    open_arrow,
    open_parquet,
    read_arrow,
    read_excel,
    read_json_lines,
    read_parquet,
    scan_arrow,
    scan_parquet,
)
from unmix.io.readers.image import read_pillow
from unmix.io.readers.wave import read_wave
from unmix.io.text.text_file import open_text, read_text
from unmix.io.text.text_scan import head_of_text, scan_text

register("text", (".csv", ".tsv", ".tab", ".txt", ".dat"), read_text, open=open_text, scan=scan_text, head=head_of_text)
register(
    "Parquet", (".parquet", ".pq"), read_parquet,
    open=open_parquet, signature=b"PAR1", scan=scan_parquet,
)  # fmt: skip
register("Arrow", (".arrow", ".feather", ".ipc"), read_arrow, open=open_arrow, scan=scan_arrow)
register("npy", ".npy", read_npy, open=open_npy, signature=b"\x93NUMPY", scan=scan_npy)
register("npz", ".npz", read_npz, open=open_npz)
register("JSON lines", (".jsonl", ".ndjson"), read_json_lines)
register("Excel", (".xlsx", ".xls", ".xlsb", ".ods"), read_excel)
register("wav", (".wav", ".wave"), read_wave)
register("image", (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".webp"), read_pillow, kind="image")
