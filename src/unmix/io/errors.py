"""The one error a reader of tables raises: a sentence that says what was given, what was expected and what to do."""

from __future__ import annotations


class TableError(ValueError):
    """The table cannot be explored; the message is one sentence for the person who gave it."""
