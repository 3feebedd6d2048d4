"""Every refusal leaves a line: when, what was asked, why it was refused. Nothing a stranger sent can forge a line."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

LONGEST = 200  # characters of what was asked
MOST_BYTES = 2**20  # then the file becomes audit.log.1, and a new one begins


class Audit:
    """A file of JSON lines."""

    def __init__(self, path: Path) -> None:
        self.path, self.lock = path, threading.Lock()

    def refuse(self, why: str, asked: str) -> None:
        moment = datetime.now(UTC).isoformat(timespec="seconds")
        line = json.dumps({"time": moment, "refused": why, "asked": asked[:LONGEST]}) + "\n"
        with self.lock, suppress(OSError):  # a full disk must not turn a refusal into an error
            if self.path.exists() and self.path.stat().st_size > MOST_BYTES:
                self.path.replace(self.path.with_suffix(".log.1"))
            with self.path.open("a", encoding="utf-8") as file:
                file.write(line)
