"""Some three hundred files that nobody would call tables, or only just: made by rules from few lines."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Iterator

import numpy as np
import polars as pl
from scipy import sparse

from tests.io.odd_files import FILES

# Texts that are tables of some kind, or nearly, or not at all.
BODIES: dict[str, str] = {
    "nothing": "",
    "a blank": " ",
    "line ends": "\n\n\n",
    "empty quotes": '""\n""\n""\n',
    "delimiters alone": ",,,\n,,,\n",
    "one cell": "x",
    "one number": "7",
    "header alone": "a,b,c\n",
    "a name twice": "a,a,a\n1,2,3\n4,5,6\n",
    "names of blanks": " ,  ,\t\n1,2,3\n4,5,6\n",
    "ragged": "a,b\n1,2\n3\n4,5,6\n",
    "one long row": ",".join("1" * 3000) + "\n",
    "one wide table": ",".join(f"c{j}" for j in range(1500)) + "\n" + ",".join("12" * 750) + "\n",
    "an open quote": 'a,b\n"1,2\n3,4\n',
    "a stray quote": 'a,b\n1"2,3\n4,"5"6\n',
    "quoted line ends": '"a\nb",c\n"1\n2",3\n"4",5\n',
    "a cell of 100,000 letters": "a,b\n" + "x" * 100_000 + ",1\ny,2\n",
    "NUL bytes": "a,b\n1,\x002\n3,4\n",
    "control letters": "a,b\n\x01\x02,\x1b[31m\n3,4\n",
    "formulas": "a,b\n=1+1,@SUM(A1)\n+cmd|' /C calc'!A0,-2\n",
    "markup": "a,<script>alert(1)</script>\n<img src=x onerror=alert(1)>,2\n3,4\n",
    "right to left": "\u202ea\u202c,b\n\u05d0,1\n\u05d1,2\n",
    "joined letters": "e\u0301,é\n1,2\n3,4\n",
    "emoji": "🐧,b\n1,🐧\n3,4\n",
    "not numbers": "a,b\nnan,inf\n-inf,1e999\nNaN,-1e999\n",
    "huge numbers": "a,b\n1e308,1e309\n-1e308,123456789012345678901234567890\n",
    "tiny numbers": "a,b\n1e-320,5e-324\n1e-400,0\n",
    "hexadecimal": "a,b\n0x1p3,0xff\n1_000,2\n",
    "other digits": "a,b\n١,٢\n٣,٤\n",
    "dates of no calendar": "a,b\n2023-02-30,25:61\n0000-00-00,99:99\n",
    "truths": "a,b\ntrue,yes\nFALSE,no\n",
    "one column of one value": "a\n" + "1\n" * 50,
    "all missing": "a,b\nNA,NA\n?,null\n",
    "mixed delimiters": "a,b;c\td\n1,2;3\t4\n5;6,7\t8\n",
    "comments": "# a\n# b\n#,c\n1,2\n# d\n3,4\n",
    "sep line": "sep=|\na|b\n1|2\n",
    "a web page": "<!DOCTYPE html><html><body><table><tr><td>1</td></tr></table></body></html>",
    "XML": '<?xml version="1.0"?><a><b>1</b></a>',
    "a JSON document": json.dumps({"a": [1, 2], "b": [3, 4]}),
    "a JSON list": json.dumps([{"a": 1}, {"a": 2}]),
    "deep JSON": "[" * 20_000,
    "JSON lines": '{"a": 1, "b": "x"}\n{"a": 2}\n{"c": [1, 2]}\n',
    "a program": "#!/bin/sh\nrm -rf /\n",
    "prose": "It was the best of times, it was the worst of times,\nit was the age of wisdom.\n",
    "a number grid": "\n".join(" ".join(f"{i * j:.2f}" for j in range(4)) for i in range(30)),
    "late text": "a,b\n" + "1,2\n" * 800 + "x,y\n",
    "late width": "a,b\n" + "1,2\n" * 800 + "1,2,3\n",
    "late quote": "a,b\n" + "1,2\n" * 800 + '"1,2\n',
}
DRESSES = {
    "csv": ("x.csv", lambda text: text.encode()),
    "tsv of tabs": ("x.tsv", lambda text: text.replace(",", "\t").encode()),
    "CR": ("x.txt", lambda text: text.replace("\n", "\r").encode()),
    "UTF-16": ("x.csv", lambda text: text.encode("utf-16")),
    "cut UTF-16": ("x.csv", lambda text: text.encode("utf-16")[:-1]),
    "other bytes": ("x.dat", lambda text: text.encode() + b"\xff\xfe\x80\n"),
    "gzip": ("x.csv.gz", lambda text: gzip.compress(text.encode(), mtime=0)),
    "cut gzip": ("x.csv.gz", lambda text: gzip.compress(text.encode(), mtime=0)[:-9]),
}
WRONG_NAMES = ("x.parquet", "x.npy", "x.npz", "x.arrow", "x.jsonl", "x.xlsx", "x.wav", "x.png", "x.bin", "x")


def binaries() -> dict[str, bytes]:
    """Whole files of each binary format, by name."""
    frame = pl.DataFrame({"a": [1.5, 2.5, 4.0], "b": ["x", "y", None]})
    out: dict[str, bytes] = {}
    numbers = pl.DataFrame({"a": np.arange(50) + 0.5, "c": np.arange(50)})
    for name, write in {
        "x.parquet": frame.write_parquet, "x.arrow": frame.write_ipc, "n.parquet": numbers.write_parquet,
        "n.arrow": numbers.write_ipc, "s.arrow": numbers.write_ipc_stream,
    }.items():  # fmt: skip
        buffer = io.BytesIO()
        write(buffer)
        out[name] = buffer.getvalue()
    for name, save in {"x.npy": np.save, "x.npz": np.savez}.items():
        buffer = io.BytesIO()
        save(buffer, np.arange(12.0).reshape(4, 3))
        out[name] = buffer.getvalue()
    return out


def hostile_arrays() -> Iterator[tuple[str, str, bytes]]:
    """Arrays whose headers promise what is not there, and archives that grow."""

    def npy(header: str) -> bytes:
        text = header.encode() + b" " * (63 - (len(header) + 10) % 64) + b"\n"
        return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + b"\0" * 64

    for shape in ("(4611686018427387904,)", "(-1, 3)", "(3, 2, 2)", "()", "(99999999, 99999999)", "(8, 1.5)"):
        yield f"npy of shape {shape}", "x.npy", npy(f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}")
    for kind in ("|O", "<c16", "<M8[s]", "<U4", "|V8", "nonsense", "[('a', '<f8')]"):
        descr = kind if kind.startswith("[") else repr(kind)
        yield f"npy of {kind}", "x.npy", npy(f"{{'descr': {descr}, 'fortran_order': False, 'shape': (8,), }}")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2000000,), }") + bytes(2**24))
    yield "npz that grows", "x.npz", buffer.getvalue()


def hostile_sparse() -> Iterator[tuple[str, str, bytes]]:
    """Sparse matrices whose places lie outside them, or whose shape is beyond memory."""
    A = sparse.random(50, 8, 0.3, format="csr", random_state=0)
    far = np.full_like(A.indices, 10**8)
    bumped = np.where(np.arange(51) == 5, 10**9, A.indptr)
    parts = {"format": b"csr", "shape": A.shape, "data": A.data, "indices": A.indices, "indptr": A.indptr}
    for what, other in {
        "columns far out": {"indices": far},
        "columns below": {"indices": -far},
        "rows far out, by columns": {"format": b"csc", "shape": (8, 50), "indices": far},
        "a pointer far out": {"indptr": bumped},
        "pointers backwards": {"indptr": A.indptr[::-1]},
        "more rows": {"shape": (2**40, 8)},
        "more columns": {"shape": (50, 2**40)},
        "fewer columns than none": {"shape": (50, -3)},
        "fewer entries": {"data": A.data[:3]},
        "another format": {"format": b"xyz"},
    }.items():
        buffer = io.BytesIO()
        np.savez(buffer, **(parts | other))
        yield f"a sparse matrix, {what}", "x.npz", buffer.getvalue()


def damaged(name: str, data: bytes) -> Iterator[tuple[str, str, bytes]]:
    middle = len(data) // 2
    yield f"{name} cut in half", name, data[:middle]
    yield f"{name} without its end", name, data[:-3]
    yield f"{name} with zeros within", name, data[: middle - 8] + bytes(16) + data[middle + 8 :]
    yield f"{name} twice", name, data + data
    yield f"{name} backwards", name, data[::-1]
    yield f"{name} named .csv", "x.csv", data
    for place in range(0, len(data), max(len(data) // 8, 1)):
        yield f"{name}, byte {place}", name, data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :]


def corpus() -> Iterator[tuple[str, str, bytes]]:
    """What each file is, its name and its bytes."""
    for body, text in BODIES.items():
        for dress, (name, write) in DRESSES.items():
            yield f"{body}, {dress}", name, write(text)
    for file in WRONG_NAMES:
        yield f"text named {file}", file, b"a,b\n1,2\n3,4\n"
        yield f"zeros named {file}", file, bytes(4096)
    for name, data in binaries().items():
        yield from damaged(name, data)
    yield from hostile_arrays()
    yield from hostile_sparse()
    for name, odd in FILES.items():
        yield f"{name}, as it is", odd.name, odd.data
