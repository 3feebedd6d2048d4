"""How a child speaks with the server: JSON lines in on standard input, JSON lines out on what was standard output.

Whatever else is printed goes to standard error, so that no library can break a line. When the server ends, however it
ends, standard input closes, and so does the child.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from typing import Any, TextIO


class Pipe:
    """The server's end of the talk, as the child sees it."""

    def __init__(self) -> None:
        self.out: TextIO = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        self.lock = threading.Lock()

    def say(self, **words: Any) -> None:
        with self.lock:
            self.out.write(json.dumps(words, allow_nan=False) + "\n")
            self.out.flush()

    def hear(self) -> dict[str, Any] | None:
        """The next thing that is asked; None when the server is gone."""
        line = sys.stdin.readline()
        asked: dict[str, Any] | None = json.loads(line) if line else None
        return asked

    def end_with_server(self) -> None:
        """From now on nothing more is asked: end when the server does."""

        def wait() -> None:
            sys.stdin.read()
            os._exit(1)

        threading.Thread(target=wait, daemon=True).start()
