"""Who has what, from files in odd dress: as pairs and as a matrix, the same in `roles` and in `fit(path)`."""

import gzip

import numpy as np
import pytest

from unmix.io.dispatch import as_blocks
from unmix.roles import read

PAIRS = [("ann", "read"), ("ann", "write"), ("bob", "read"), ("jürg", "write")]
LIST = "user,permission\nann,read\nann,write\nbob,read\njürg,write\n"
MATRIX = "user,read,write\nann,1,1\nbob,1,0\njürg,0,1\n"

DRESSES = {
    "plain": lambda text: text.encode(),
    "semicolon": lambda text: text.replace(",", ";").encode(),
    "tab": lambda text: text.replace(",", "\t").encode(),
    "pipe": lambda text: text.replace(",", "|").encode(),
    "space": lambda text: text.replace(",", " ").encode(),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "CR": lambda text: text.replace("\n", "\r").encode(),
    "UTF-8 with mark": lambda text: text.encode("utf-8-sig"),
    "UTF-16": lambda text: text.encode("utf-16"),
    "UTF-16 LE": lambda text: text.encode("utf-16-le"),
    "UTF-16 BE": lambda text: text.encode("utf-16-be"),
    "Latin-1": lambda text: text.encode("latin-1"),
    "gzip": lambda text: gzip.compress(text.encode()),
    "comments": lambda text: ("# exported\n" + text).encode(),
    "blank lines": lambda text: ("\n" + text.replace("\n", "\n\n")).encode(),
    "trailing delimiter": lambda text: text.replace("\n", ",\n").encode(),
    "quotes": lambda text: "".join(
        ",".join(f'"{cell}"' for cell in line.split(",")) + "\n" for line in text.splitlines()
    ).encode(),
}


@pytest.mark.parametrize("dress", DRESSES)
@pytest.mark.parametrize("text", [LIST, MATRIX], ids=["list", "matrix"])
def test_access_is_read_in_every_dress(tmp_path, dress, text):
    path = tmp_path / ("access.csv.gz" if dress == "gzip" else "access.csv")
    path.write_bytes(DRESSES[dress](text))
    access = read(path)
    assert access.pairs() == PAIRS and not access.problems


@pytest.mark.parametrize("dress", DRESSES)
def test_the_matrix_without_titles_of_rows_is_the_one_that_fit_reads(tmp_path, dress):
    path = tmp_path / ("x.csv.gz" if dress == "gzip" else "x.csv")
    path.write_bytes(DRESSES[dress](MATRIX.replace("user", "")))
    expected = np.array([[1, 1], [1, 0], [0, 1]])
    assert np.array_equal(read(path).matrix.toarray(), expected)
    blocks = as_blocks(path)
    assert blocks.names == ["read", "write"] and np.array_equal(blocks.gather(), expected)


@pytest.mark.parametrize(
    "yes, no", [("1", ""), ("x", "-"), ("1,0", "0,0"), ("TRUE", "FALSE"), ("yes", "NA"), ("1.00", "?")]
)
def test_words_for_yes_and_no(tmp_path, yes, no):
    lines = ["user;read;write", f"ann;{yes};{yes}", f"bob;{yes};{no}", f"jürg;{no};{yes}"]
    (tmp_path / "access.csv").write_text("\n".join(lines), encoding="utf-8")
    assert read(tmp_path / "access.csv").pairs() == PAIRS


def test_names_stay_as_they_stand(tmp_path):
    (tmp_path / "access.csv").write_text("user,permission\nann, read\nNA,-\n007,1.50\n")
    assert read(tmp_path / "access.csv").pairs() == [("ann", " read"), ("NA", "-"), ("007", "1.50")]
