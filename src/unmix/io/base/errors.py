"""The errors a reader raises: one sentence that says what was given, what was expected and what to do."""

from __future__ import annotations


class TableError(ValueError):
    """What was given cannot be read; the message is one sentence for the person who gave it."""


class NoRowsError(TableError):
    """A header line and nothing below it; among many files that is one of no rows."""

    def __init__(self, message: str, names: list[str]) -> None:
        super().__init__(message)
        self.names = names

    def __reduce__(self) -> tuple[type[NoRowsError], tuple[str, list[str]]]:
        return NoRowsError, (str(self), self.names)


class NoSuchFileError(TableError, FileNotFoundError):
    """There is no file of that name."""

    def __str__(self) -> str:
        return str(self.args[0])
