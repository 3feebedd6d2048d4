"""One table of names and 0/1 cells in 80 files, read by `fit(path)`, `explore`, `select` and `roles`: what they hold.

Without a header `roles` takes the first column for names, as the other three cannot; those 16 files are for the three.
"""

import gzip
from itertools import product

import numpy as np
import pytest

from unmix.cluster import KMeans
from unmix.exploration.columns.preparation import kinds_of
from unmix.io import read_table
from unmix.io.dispatch import as_blocks
from unmix.roles import read as read_access
from unmix.validation.fits.table import read_table as read_for_select

NAMES = ["read", "write", "größe"]
USERS = [f"user {i}" for i in range(9)]
NUMBERS = np.random.default_rng(0).integers(2, size=(9, 3)).astype(float)
DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
ENCODINGS = {"UTF-8": "utf-8", "UTF-8 with mark": "utf-8-sig", "UTF-16": "utf-16", "Latin-1": "latin-1"}
STYLES = ["whole numbers", "decimals, CRLF", "quotes", "decimal commas", "gzip", "no header"]


def written(delimiter: str, encoding: str, style: str) -> bytes:
    cells = [[f"{value:.2f}" if "decimal" in style else f"{value:.0f}" for value in row] for row in NUMBERS]
    lines = [["", *NAMES], *([user, *row] for user, row in zip(USERS, cells))]
    if style == "no header":
        lines = [[f"{cell}.5" for cell in row] for row in cells]
    if style == "decimal commas":
        lines = [[cell.replace(".", ",") for cell in line] for line in lines]
    quote = '"' if style == "quotes" or (style, delimiter) == ("decimal commas", ",") else ""
    end = "\r\n" if "CRLF" in style else "\n"
    data = "".join(delimiter.join(quote + cell + quote for cell in line) + end for line in lines).encode(encoding)
    return gzip.compress(data) if style == "gzip" else data


@pytest.mark.parametrize(("delimiter", "encoding", "style"), list(product(DELIMITERS, ENCODINGS, STYLES)))
def test_four_readers_see_one_table(tmp_path, delimiter, encoding, style):
    path = tmp_path / ("x.csv.gz" if style == "gzip" else "x.csv")
    path.write_bytes(written(DELIMITERS[delimiter], ENCODINGS[encoding], style))
    bare = style == "no header"
    names = ["column 1", "column 2", "column 3"] if bare else NAMES
    expected = NUMBERS + 0.5 if bare else NUMBERS
    blocks = as_blocks(path)
    assert blocks.names == names and np.array_equal(blocks.gather(), expected)
    assert np.array_equal(read_for_select(KMeans(), path), expected)
    table = read_table(path)  # what `explore` starts from
    kinds = dict(zip(table.frame.columns, kinds_of(table.frame, table.row_names)))
    assert [name for name in kinds if name != table.row_names] == names
    assert bare or kinds[table.row_names].kind == "id"
    assert {kinds[name].kind for name in names} == {"numeric" if bare else "boolean"}
    found = [[float(str(cell).replace(",", ".")) for cell in kinds[name].values] for name in names]
    assert np.array_equal(np.transpose(found), expected)
    if not bare:
        access = read_access(path)
        assert (list(access.users), list(access.permissions), access.problems) == (USERS, NAMES, ())
        assert np.array_equal(access.matrix.toarray(), expected)
