"""Pages: kinds and reasons are those of a run, whatever a table holds stays text, and nothing is there that is not."""

import csv
import io
from html import escape
from urllib.parse import unquote

import pytest

from tests.report.seen import Seen
from tests.studio.conftest import two_groups
from unmix.exploration.question import ask
from unmix.studio.children.reader import preview
from unmix.studio.pages.compare import changes_section
from unmix.studio.pages.home import settings_line
from unmix.studio.pages.review import on_page

HOSTILE = "<script>alert(1)</script>\"'&"


def page(client, address: str) -> str:
    answer = client.get(address, headers={"accept": "text/html"})
    assert answer.status_code == 200, answer.text
    return answer.text


def test_an_empty_workspace_says_what_to_do(client):
    text = page(client, "/")
    assert "No tables yet" in text and "Choose a table" in text
    assert 'aria-label="Sections"' not in text  # one section needs no way to it


def test_the_preview_has_the_kinds_and_reasons_of_a_run(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(two_groups())
    for given in ({}, {"drop": ["width"]}, {"use": ["height"]}, {"type": {"width": "category"}}, {"id": "name"}):
        seen = preview(str(path), {"seed": 0, **given})
        options = dict.fromkeys(("use", "drop", "describe", "type", "target", "id", "group", "order")) | given
        columns = ask(path, lambda words: None, options=options).prepared.columns
        assert [(c["kind"], c["reason"], c["used"], c["what"]) for c in seen["columns"]] == [
            (c.kind, c.reason, c.used, c.what) for c in columns
        ]


def test_settings_that_cannot_be_run_are_said_beside_the_columns(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(two_groups())
    seen = preview(str(path), {"seed": 0, "use": ["nothing"]})
    assert "there is no column 'nothing'" in seen["refused"]
    assert [column["name"] for column in seen["columns"]] == ["height", "width", "kind", "name"]


def test_a_table_page_offers_every_column_and_keeps_text_text(client, upload):
    table = upload(f"a{HOSTILE.replace(chr(34), '')},b\n".encode() + b"1,<b>x</b>\n2,<b>y</b>\n3,<b>x</b>\n" * 9)
    text = page(client, f"/tables/{table}?drop=b")
    seen = Seen(text)
    assert escape("<b>x</b>") in text and "<b>x" not in text and "<script>alert" not in text
    assert seen.tags.count("select") == 2 * 2 + 2
    assert "--drop b" in seen.content and "drop=['b']" in seen.content
    assert not [name for name in seen.attributes if name.startswith("on") or name == "style"]


def test_a_file_that_is_no_table_is_told_so_and_the_next_one_is_read(client, upload):
    broken = upload(b"PAR1 but nothing else", "broken.parquet")
    answer = client.get(f"/tables/{broken}", headers={"accept": "text/html"})
    assert answer.status_code == 422 and "cannot be read" in answer.text
    assert f'data-delete="/api/tables/{broken}"' in answer.text and f"/tables/{broken}/roles" in answer.text
    assert "cannot be read" in (client.app.state.workspace.folder / "audit.log").read_text()
    assert "The columns" in page(client, f"/tables/{upload()}")


def test_a_group_has_its_address_under_its_own_run_and_any_name(client, upload, workspace):
    table = upload()
    own, other = (workspace.insert("runs", of=table, query="", state="done") for _ in range(2))
    name = 'ä"; x=1\r\nX-Own: no'
    group = workspace.insert("groups", run=own, name=name, note="", rows="[2, 3]")
    assert client.get(f"/runs/{other}/groups/{group}.csv").status_code == 404
    answer = client.get(f"/runs/{own}/groups/{group}.csv")
    assert answer.status_code == 200 and "x-own" not in answer.headers
    said = answer.headers["content-disposition"].partition("filename*=utf-8''")[2]
    assert unquote(said) == f"{name}.csv" and said.isascii() and not set(said) & set('";\r\n ')
    assert [row[0] for row in csv.reader(io.StringIO(answer.text))] == ["row", "2", "3"]


@pytest.mark.parametrize(
    "address", ["/tables/x", "/tables/../../etc", "/runs/zzzzzzzzzzzz", "/compare?old=1&new=2", "/compare"]
)
def test_what_is_not_there_is_not_found(client, address):
    answer = client.get(address, headers={"accept": "text/html"})
    assert answer.status_code == 404 and "There is nothing at this address" in answer.text


def test_a_line_of_settings_keeps_pairs_together():
    query = "attributes=0123456789ab&forbid=a&forbid=b&forbid=c&forbid=d&n_roles=3"
    words = "attributes given, forbid a with b, forbid c with d, n roles 3"
    assert settings_line({"kind": "roles", "query": query}) == words
    assert settings_line({"kind": "explore", "query": "drop=a&as_=counts"}) == "drop a, as counts"
    assert settings_line({"kind": "explore", "query": ""}) == "default settings"


def test_options_of_the_command_are_said_in_the_words_of_the_page():
    said = on_page("6 roles describe them. --problem infer finds them.")
    assert said == "6 roles describe them. “roles behind data that hold errors” in the settings finds them."


def test_where_groups_moved_is_shown_where_one_did():
    stayed = {"name": "a", "state": "stayed", "sentence": "half of the rows", "moved": []}
    moved = stayed | {"moved": [{"sentence": "height is larger"}]}
    for groups, there in (([stayed, stayed], False), ([stayed, moved], True)):
        section = changes_section({"groups": groups, "notes": [], "sentence": "No change."})
        assert ("Where it moved" in section, "height is larger" in section) == (there, there)
