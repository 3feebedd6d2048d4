"""What comes in as a file: only a name, only so much, only what a table can be."""

import gzip
import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from unmix.io.base.errors import TableError
from unmix.roles.review.decisions import Decisions
from unmix.roles.review.file import write_decisions
from unmix.studio.store.upload import MOST_UNPACKED, MOST_UPLOAD, copy_table, keep_table, safe_name, unpacked_bytes


@pytest.mark.parametrize(
    "given, name",
    [
        ("table.csv", "table.csv"),
        ("../../etc/passwd.csv", "passwd.csv"),
        ("..\\..\\boot.csv", "boot.csv"),
        ("/absolute/path.tsv", "path.tsv"),
        (".hidden.csv", "hidden.csv"),
        ("a\x00b\nc.csv", "a_b_c.csv"),
        ("--option.csv", "option.csv"),
        ("Füße und <b>.csv.gz", "Füße und _b_.csv.gz"),
        ("x" * 300 + ".parquet", "x" * 113 + ".parquet"),
        ("right\u202eto left.csv", "right_to left.csv"),
    ],
)
def test_a_name_is_only_a_name(given, name):
    assert safe_name(given) == name


@pytest.mark.parametrize(
    "given", ["", "..", "../..", ".csv", "table", "table.exe", "table.pkl", "a.csv/", "picture.png"]
)
def test_what_is_no_table_is_refused_by_its_name(client, workspace, given):
    answer = client.post("/api/tables", params={"name": given}, content=b"a,b\n1,2\n")
    assert answer.status_code == 422 and "no table that unmix reads" in answer.json()["error"]
    assert list((workspace.folder / "tables").iterdir()) == []


def test_a_file_lies_in_the_workspace_as_it_came(upload, workspace):
    table = workspace.get("tables", upload(b"a,b\n1,2\n3,4\n", "../../up.csv"))
    path = workspace.table_path(table)
    assert path.read_bytes() == b"a,b\n1,2\n3,4\n"
    assert path.is_relative_to(workspace.folder / "tables")


def test_an_empty_file_is_none(client):
    assert "is empty" in client.post("/api/tables?name=a.csv", content=b"").json()["error"]


def test_json_is_taken_for_decisions_alone(client, workspace, tmp_path):
    answer = client.post("/api/tables?name=films.json", content=b'[{"title": "Metropolis", "year": 1927}]')
    assert answer.status_code == 422 and "as JSON lines (.jsonl)" in answer.json()["error"]
    assert list((workspace.folder / "tables").iterdir()) == []
    content = write_decisions(Decisions(), tmp_path / "decisions.json").read_bytes()
    answer = client.post("/api/tables?name=decisions.json", content=content)
    page = client.get(f"/tables/{answer.json()['table']}")
    assert page.status_code == 200 and "It holds decisions of a review" in page.text


def test_a_small_file_that_unpacks_to_much_is_refused(workspace, tmp_path):
    bomb = tmp_path / "bomb.csv.gz"
    bomb.write_bytes(gzip.compress(b"0," * 500_000))
    assert bomb.stat().st_size < 5000
    assert unpacked_bytes(bomb, MOST_UNPACKED) == 10**6
    folder = workspace.folder / "tables" / "0"
    folder.mkdir()
    (folder / "bomb.csv.gz").write_bytes(bomb.read_bytes())
    with pytest.raises(TableError, match="unpack to more than"):
        keep_table(workspace, "0", "bomb.csv.gz", most=10**5)
    assert keep_table(workspace, "0", "bomb.csv.gz", most=10**6) == "0"


def test_counting_ends_where_it_is_too_much(tmp_path):
    bomb = tmp_path / "bomb.csv.gz"
    bomb.write_bytes(gzip.compress(b"0," * 4_000_000))
    assert 10**5 < unpacked_bytes(bomb, 10**5) < 2 * 10**6


def test_the_limits_are_those_that_are_promised():
    promised = (Path(__file__).parents[2] / "SECURITY.md").read_text(encoding="utf-8")
    assert f"at most {MOST_UPLOAD / 1e9:.3g} GB" in promised and f"more than {MOST_UNPACKED / 1e9:.3g} GB" in promised


@pytest.mark.parametrize("name", ["book.xlsx", "book.xlsb", "book.ods", "arrays.npz"])
def test_an_archive_says_what_it_unpacks_to(tmp_path, name):
    inside = io.BytesIO()
    with zipfile.ZipFile(inside, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("sheet1.xml", b"0" * 10**6)
    path = tmp_path / name
    path.write_bytes(inside.getvalue())
    assert unpacked_bytes(path, MOST_UNPACKED) == 10**6


@pytest.mark.parametrize(
    "content",
    [b"\x1f\x8b", b"\x1f\x8b" + b"x" * 50, gzip.compress(b"a,b\n" * 100, mtime=0)[:-9]],
    ids=["mark alone", "no deflate", "cut off"],
)
def test_what_cannot_be_unpacked_is_refused(client, content):
    assert "cannot be unpacked" in client.post("/api/tables?name=a.csv.gz", content=content).json()["error"]


class Opens:
    """An object that opens a file when its pickle is read."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)

    def __reduce__(self):
        return open, (self.path, "w")


@pytest.mark.parametrize("name, save", [("a.npy", np.save), ("a.npz", np.savez)], ids=["npy", "npz"])
def test_nothing_is_unpickled(client, upload, workspace, tmp_path, name, save):
    """Objects in arrays are refused on every page that reads the file, and by its runs; each page leaves a line."""
    opened, content = tmp_path / "opened", io.BytesIO()
    save(content, np.array([Opens(opened)] * 3, dtype=object))
    table = upload(content.getvalue(), name)
    for page in ("", "/roles", "/signals"):
        answer = client.get(f"/tables/{table}{page}", headers={"accept": "text/html"})
        assert "This cannot be explored" in answer.text or "Not with these settings" in answer.text
    assert not opened.exists()
    lines = (workspace.folder / "audit.log").read_text().splitlines()
    assert [json.loads(line)["asked"] for line in lines] == [
        f"GET /tables/{table}{page}" for page in ("", "/roles", "/signals")
    ]


def test_a_file_of_the_command_line_is_copied(workspace, tmp_path):
    path = tmp_path / "own.csv"
    path.write_bytes(b"a,b\n1,2\n")
    assert workspace.table_path(workspace.get("tables", copy_table(workspace, path))).read_bytes() == b"a,b\n1,2\n"
    assert copy_table(workspace, path) == copy_table(workspace, path)  # the same file is there once
    assert len(workspace.select("tables")) == 1
    with pytest.raises(TableError, match="There is no file"):
        copy_table(workspace, tmp_path / "none.csv")
