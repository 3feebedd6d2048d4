import gzip

import pytest

from unmix.io.base.errors import TableError
from unmix.io.text.encoding import decode

text = "name,größe\nÄnne,1\nJosé,2\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_text_survives_every_encoding(encoding):
    assert decode(text.encode(encoding), "t.csv").text == text


def test_gzip_is_unpacked():
    assert decode(gzip.compress(text.encode()), "t.csv.gz").text == text


def test_guessed_encoding_is_said_aloud_with_the_line():
    warning = decode(text.encode("latin-1"), "t.csv").warning
    assert "not valid UTF-8" in warning
    assert "line 1" in warning
    assert decode(text.encode(), "t.csv").warning is None


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (bytes(range(256)) * 20, "binary"),
        (b"\x01\x02\x03\x04\x05" * 100, "binary"),
        (b"PK\x03\x04" + b"x" * 50, "Excel"),
        (b"\x1f\x8b" + b"broken", "gzip"),
        (b"\xff\xfea\x00b", "UTF-16"),
        (b"\xef\xbb\xbfa\xff", "UTF-8"),
        (b"%PDF-1.7", "PDF"),
    ],
)
def test_what_is_no_text_is_refused(data, words):
    with pytest.raises(TableError, match=words):
        decode(data, "t.csv")
