"""Where everything is kept: a folder of tables and runs, and an index of them in SQLite.

tables/ID/NAME   the file as it came          runs/ID/   what the command writes, all of it or nothing
index.sqlite     tables, runs, groups, steps  audit.log  refusals
sounds/ID/       what was made to be heard, and can be made again
checkpoints/ID/  what a run that is not over has finished

A run is finished when its folder is there. What was queued or running when the last server ended is interrupted, and
goes on from its checkpoints when it is asked to.
"""

from __future__ import annotations

import json
import secrets
import shutil
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from unmix.io.base.errors import TableError
from unmix.studio.store.kinds import KINDS

Record = dict[str, Any]
OPEN_STATES = ("queued", "running")
PARTS = ("tables", "runs", "sounds", "checkpoints")
_schema = """
CREATE TABLE IF NOT EXISTS tables (id TEXT PRIMARY KEY, file TEXT, bytes INTEGER, created TEXT);
CREATE TABLE IF NOT EXISTS runs (
    id TEXT PRIMARY KEY, of TEXT REFERENCES tables(id), query TEXT, state TEXT, error TEXT, verdict TEXT, k INTEGER,
    created TEXT, ended TEXT);
CREATE TABLE IF NOT EXISTS groups (
    id TEXT PRIMARY KEY, run TEXT REFERENCES runs(id), name TEXT, note TEXT, rows TEXT, created TEXT);
CREATE TABLE IF NOT EXISTS steps (
    id TEXT PRIMARY KEY, run TEXT REFERENCES runs(id), step TEXT, cost TEXT, who TEXT, note TEXT, created TEXT);
"""
_kind = "ALTER TABLE runs ADD COLUMN kind TEXT NOT NULL DEFAULT 'explore'"  # that of workspaces before there were three


class Workspace:
    """One folder, one index; identifiers are made here and never taken from outside without being looked up."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # tables are nobody else's business
        for part in PARTS:
            (self.folder / part).mkdir(exist_ok=True)
        self.lock = only_user(self.folder / "lock")
        try:
            self.index = opened(self.folder / "index.sqlite")
        except sqlite3.Error as error:
            self.lock.close()
            words = "cannot be opened as the index of a workspace"
            remedy = "give another folder with --workspace, or move it away"
            raise TableError(f"{self.folder / 'index.sqlite'} {words} ({error}); {remedy}.") from None

    def recover(self) -> None:
        """After an end without goodbye: what was written whole is finished, what was open is interrupted."""
        for run in self.select("runs", "state IN ('queued', 'running')"):
            whole = (self.run_folder(run["id"]) / KINDS[run["kind"]].result).is_file()
            self.finish(run["id"]) if whole else self.update("runs", run["id"], state="interrupted", ended=now())
        for scratch in (path for part in PARTS for path in (self.folder / part).iterdir()):
            kind = "tables" if scratch.parent.name == "tables" else "runs"
            if self.get(kind, scratch.name) is None:  # half an upload, half a result
                shutil.rmtree(scratch, ignore_errors=True)

    def close(self) -> None:
        self.index.close()
        self.lock.close()

    def table_path(self, table: Record) -> Path:
        return self.folder / "tables" / str(table["id"]) / str(table["file"])

    def run_folder(self, run: str) -> Path:
        return self.folder / "runs" / run

    def select(self, kind: str, where: str = "1", *values: Any) -> list[Record]:
        found = self.index.execute(f"SELECT * FROM {kind} WHERE {where} ORDER BY created DESC, rowid DESC", values)
        return [dict(row) for row in found]

    def get(self, kind: str, key: str) -> Record | None:
        found = self.select(kind, "id = ?", key)
        return found[0] if found else None

    def insert(self, kind: str, /, **record: Any) -> str:
        record = {"id": record.pop("id", None) or new_id(), "created": now()} | record
        names, places = ", ".join(record), ", ".join("?" * len(record))
        self.index.execute(f"INSERT INTO {kind} ({names}) VALUES ({places})", list(record.values()))
        return str(record["id"])

    def update(self, kind: str, key: str, /, **changes: Any) -> None:
        names = ", ".join(f"{name} = ?" for name in changes)
        self.index.execute(f"UPDATE {kind} SET {names} WHERE id = ?", [*changes.values(), key])

    def delete(self, kind: str, key: str) -> None:
        self.index.execute(f"DELETE FROM {kind} WHERE id = ?", [key])

    def finish(self, run: str) -> None:
        """A run whose folder is there, with what a list of runs shows of it."""
        record = self.get("runs", run)
        if record is None:  # deleted while it ended
            return
        verdict, k = KINDS[record["kind"]].summary(self.result(record))
        self.update("runs", run, state="done", verdict=verdict, k=k, ended=now(), error=None)
        self.forget(run)

    def findings(self, run: str) -> Record:
        return self.result({"id": run, "kind": "explore"})

    def result(self, run: Record) -> Record:
        """Everything that a run found, as its command writes it."""
        path = self.run_folder(run["id"]) / KINDS[run["kind"]].result
        found: Record = json.loads(path.read_text(encoding="utf-8"))
        return found

    def checkpoints(self, run: str) -> Path:
        return self.folder / "checkpoints" / run

    def forget(self, run: str) -> None:
        """What was kept to go on from is of no use any more."""
        shutil.rmtree(self.checkpoints(run), ignore_errors=True)

    def sounds(self, run: str) -> Path:
        return self.folder / "sounds" / run


def opened(path: Path) -> sqlite3.Connection:
    index = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    index.row_factory = sqlite3.Row
    index.execute("PRAGMA journal_mode = WAL")
    index.executescript(_schema)
    if "kind" not in {row["name"] for row in index.execute("PRAGMA table_info(runs)")}:
        index.execute(_kind)
    return index


def only_user(path: Path) -> BinaryIO:
    """An open file that says the folder is in use, to be kept open: two studios would end each other's runs."""
    file = path.open("ab")
    try:
        import fcntl
    except ImportError:  # systems that have other locks
        return file
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        words = "is in use by another studio; end that one, or give another folder with --workspace."
        raise TableError(f"The workspace {path.parent} {words}") from None
    return file


def new_id() -> str:
    return secrets.token_hex(6)


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
