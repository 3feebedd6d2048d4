"""The errors a reader raises: one sentence that says what was given, what was expected and what to do."""

from __future__ import annotations


class TableError(ValueError):
    """What was given cannot be read; the message is one sentence for the person who gave it."""


class NoSuchFileError(TableError, FileNotFoundError):
    """There is no file of that name."""

    def __str__(self) -> str:
        return str(self.args[0])
