"""What comes in as a file: only a name, only so much, only what a table can be."""

import gzip
import io
import zipfile

import pytest

from unmix.io.errors import TableError
from unmix.roles.review.decisions import Decisions
from unmix.roles.review.file import write_decisions
from unmix.studio.store.upload import MOST_UNPACKED, copy_table, keep_table, safe_name, unpacked_bytes


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


def test_a_workbook_says_what_it_unpacks_to(tmp_path):
    inside = io.BytesIO()
    with zipfile.ZipFile(inside, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("sheet1.xml", b"0" * 10**6)
    path = tmp_path / "book.xlsx"
    path.write_bytes(inside.getvalue())
    assert unpacked_bytes(path, MOST_UNPACKED) == 10**6


@pytest.mark.parametrize(
    "content",
    [b"\x1f\x8b", b"\x1f\x8b" + b"x" * 50, gzip.compress(b"a,b\n" * 100, mtime=0)[:-9]],
    ids=["mark alone", "no deflate", "cut off"],
)
def test_what_cannot_be_unpacked_is_refused(client, content):
    assert "cannot be unpacked" in client.post("/api/tables?name=a.csv.gz", content=content).json()["error"]


def test_a_file_of_the_command_line_is_copied(workspace, tmp_path):
    path = tmp_path / "own.csv"
    path.write_bytes(b"a,b\n1,2\n")
    assert workspace.table_path(workspace.get("tables", copy_table(workspace, path))).read_bytes() == b"a,b\n1,2\n"
    assert copy_table(workspace, path) == copy_table(workspace, path)  # the same file is there once
    assert len(workspace.select("tables")) == 1
    with pytest.raises(TableError, match="There is no file"):
        copy_table(workspace, tmp_path / "none.csv")
