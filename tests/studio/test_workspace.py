"""A folder that two studios cannot share, that others cannot read, and that tells what an earlier one left."""

import pytest

from unmix.io.errors import TableError
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
