"""A folder that two studios cannot share, that others cannot read, and that tells what an earlier one left."""

import asyncio
import sqlite3

import pytest

from tests.faults.broken_disk import no_file_beyond
from unmix.io.base.errors import TableError
from unmix.studio.runs import process
from unmix.studio.store.workspace import Workspace


def test_a_workspace_has_one_user(workspace):
    pytest.importorskip("fcntl", reason="this system has other locks")
    with pytest.raises(TableError, match="in use by another studio"):
        Workspace(workspace.folder)


def test_nobody_else_can_read_it(workspace):
    assert workspace.folder.stat().st_mode & 0o077 == 0


def test_what_was_open_is_interrupted_and_what_was_written_whole_is_done(workspace):
    table = workspace.insert("tables", file="t.csv", bytes=1)
    (workspace.folder / "tables" / table).mkdir()
    (workspace.folder / "tables" / "half").mkdir()
    queued, running, whole = (
        workspace.insert("runs", of=table, query="", state=state) for state in ("queued", "running", "running")
    )
    for run in (running, whole):
        workspace.run_folder(run).mkdir()
    text = '{"selection": {"verdict": "Two.", "chosen_k": 2}}'
    (workspace.run_folder(whole) / "findings.json").write_text(text)
    workspace.recover()
    assert [workspace.get("runs", run)["state"] for run in (queued, running, whole)] == [
        "interrupted",
        "interrupted",
        "done",
    ]
    assert workspace.get("runs", whole)["k"] == 2
    assert [path.name for path in (workspace.folder / "tables").iterdir()] == [table]


@pytest.mark.parametrize("content", [b"no database" * 200, None])
def test_an_index_that_is_none_is_refused_and_the_lock_is_free_again(tmp_path, content):
    (tmp_path / "index.sqlite").mkdir() if content is None else (tmp_path / "index.sqlite").write_bytes(content)
    with pytest.raises(TableError, match=r"cannot be opened as the index .* give another folder"):
        Workspace(tmp_path)
    (tmp_path / "index.sqlite").rmdir() if content is None else (tmp_path / "index.sqlite").unlink()
    Workspace(tmp_path).close()


def test_a_full_disk_is_a_sentence_and_leaves_nothing_behind(client, workspace):
    before = list((workspace.folder / "tables").iterdir())
    with no_file_beyond(1000):
        answer = client.post("/api/tables?name=a.csv", content=b"a,b\n" + b"1,2\n" * 2000)
        missing = client.get("/nothing")  # its line in the audit may not fit either
    assert answer.status_code == 507 and "make room" in answer.json()["error"]
    assert missing.status_code == 404
    assert list((workspace.folder / "tables").iterdir()) == before
    assert client.get("/").status_code == 200


def test_an_index_of_before_there_were_kinds_holds_runs_of_explore(tmp_path):
    with sqlite3.connect(tmp_path / "index.sqlite") as old:
        columns = "id TEXT PRIMARY KEY, of TEXT, query TEXT, state TEXT, error TEXT, verdict TEXT, k INTEGER"
        old.execute(f"CREATE TABLE runs ({columns}, created TEXT, ended TEXT)")
        old.execute("INSERT INTO runs (id, of, query, state, created) VALUES ('0', 't', '', 'done', '2026')")
    old.close()
    for _ in range(2):  # the second time there is nothing to change
        workspace = Workspace(tmp_path)
        assert workspace.get("runs", "0")["kind"] == "explore"
        workspace.close()


def test_a_file_beside_a_table_is_not_taken_for_a_module(tmp_path):
    (tmp_path / "polars.py").write_text("raise SystemExit")
    (tmp_path / "labels.csv").write_text("row,cluster\n1,0\n2,1\n3,0\n")

    async def ask() -> list[int]:
        reader = process.Reader(tmp_path)
        try:
            return await reader.ask("cluster_rows", folder=str(tmp_path), cluster=0)
        finally:
            await reader.end()

    assert asyncio.run(ask()) == [1, 3]


def test_an_answer_too_long_for_a_page_is_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "LONGEST_LINE", 20)

    async def ask() -> None:
        reader = process.Reader(tmp_path)
        try:
            with pytest.raises(ValueError, match="more than a page can show"):
                await reader.ask("cluster_rows", folder=str(tmp_path), cluster=0)
        finally:
            await reader.end()

    (tmp_path / "labels.csv").write_text("row,cluster\n" + "".join(f"{i},0\n" for i in range(100)))
    asyncio.run(ask())
