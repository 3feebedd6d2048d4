"""A large text read in place has the cells, names and warnings of the same text read whole, or is read whole."""

import numpy as np
import pytest

import unmix
from unmix.io.long_table import read_rows
from unmix.io.read import read_table
from unmix.io.text import text_file, text_scan

ROWS = [[f"{i}", f"{i * 0.37:.2f}", "NA" if i % 7 == 0 else f"name {i % 5}", "" if i % 11 == 0 else f"{i % 3}"]
        for i in range(900)]  # fmt: skip
NAMES = ["id", "size", "kind", "level"]


def plain(delimiter=",", end="\n", names=NAMES, rows=ROWS):
    return "".join(delimiter.join(line) + end for line in [*([names] if names else []), *rows])


def quoted():
    rows = [[a, b, f'"a, ""{c}""\nand more"', d or '""'] for a, b, c, d in ROWS]
    return plain(rows=rows, names=[f'"{name}"' for name in NAMES])


TAKEN = {
    "commas": plain(),
    "tabs": plain("\t"),
    "semicolons": plain(";"),
    "windows": plain(end="\r\n"),
    "no header": plain(names=None),
    "no end": plain().rstrip("\n"),
    "blank at the end": plain() + "\n\n",
    "comments on top": "# made by a machine\n# in May\n" + plain(),
    "index of pandas": plain(names=["", *NAMES[1:]]),
    "row names of R": plain(names=NAMES[1:]),
    "repeated names": plain(names=["a", "b", "a", "b"]),
    "quotation marks": quoted(),
    "letters": plain().replace("name", "naïve €"),
}
WHOLE = {
    "a blank line inside": plain(rows=[*ROWS[:800], [""], *ROWS[800:]]),
    "a comment inside": plain(rows=[*ROWS[:800], ["# here"], *ROWS[800:]]),
    "a delimiter at the end of lines": plain().replace("\n", ",\n"),
    "spaces": plain(" ", rows=[[a, b, "1", "2"] for a, b, *_ in ROWS]),
    "latin letters": (plain() + "900,1.0,naïve,1\n").encode("latin-1"),
    "other line ends": plain() + "900,1.0,a,1\r901,1.0,b,2\n",
}
UNEVEN = {
    "a short line": plain(rows=[*ROWS[:800], ["1", "2", "3"], *ROWS[800:]]),
    "a long line": plain(rows=[*ROWS[:800], ["1", "2", "3", "4", "5"], *ROWS[800:]]),
    "one short, one long": plain(rows=[*ROWS[:800], ["1", "2", "3"], ["1", "2", "3", "4", "5"], *ROWS[800:]]),
}


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.setattr(text_scan, "LEAST_BYTES", 0)
    monkeypatch.setattr(text_file, "HEAD_BYTES", 512)  # the first lines end before what is odd

    def written(text, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return written


def compare(path, most=300):
    whole, found = read_table(path), read_rows(path, most, np.random.default_rng(0))
    assert (found.height, len(found.rows)) == (whole.frame.height, most)
    assert found.sample.frame.equals(whole.frame[found.rows])
    assert sum(batch.height for batch in found.batches()) == found.height
    assert found.sample._replace(frame=None) == whole._replace(frame=None)


@pytest.mark.parametrize("text", TAKEN.values(), ids=TAKEN)
def test_rows_taken_in_place_are_those_of_the_whole(write, text):
    path = write(text)
    assert text_scan.scan_text(path) is not None
    compare(path)


@pytest.mark.parametrize("text", WHOLE.values(), ids=WHOLE)
def test_what_does_not_go_on_as_it_begins_is_read_whole(write, text):
    path = write(text, "table.txt")
    assert text_scan.scan_text(path) is None
    compare(path)


@pytest.mark.parametrize("text", UNEVEN.values(), ids=UNEVEN)
def test_uneven_lines_are_refused_by_their_number(write, text):
    with pytest.raises(ValueError, match=r"line 802"):
        read_rows(write(text), 300, np.random.default_rng(0))


def test_quotation_marks_across_two_chunks(write, monkeypatch):
    monkeypatch.setattr(text_scan, "CHUNK", 7)
    compare(write(quoted().replace("\n", "\r\n")))


def test_exploring_a_sample_is_the_same_in_place(write, monkeypatch):
    rng = np.random.default_rng(3)
    rows = [
        [f"{a:.3f}", f"{b:.3f}", "x" if a > 3 else "y"]
        for a, b in rng.normal(size=(600, 2)) + 6 * rng.integers(0, 2, (600, 1))
    ]
    path = write(plain(names=["a", "b", "c"], rows=rows))
    in_place = unmix.explore(path, sample=200)
    monkeypatch.setattr(text_scan, "LEAST_BYTES", 10**9)
    whole = unmix.explore(path, sample=200)
    assert np.array_equal(in_place.labels, whole.labels)
    assert str(in_place) == str(whole)
