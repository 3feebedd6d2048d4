"""Cells a spreadsheet would run as a formula get an apostrophe on the way out and lose it on the way in.

A name that itself starts with apostrophes before such a character gets one more, so that every name comes back as it
was.
"""

from __future__ import annotations

import re

FORMULA = re.compile(r"'*[=+\-@\t\r]")
GUARDED_FORMULA = re.compile(r"'+[=+\-@\t\r]")


def guard(cell: object) -> str:
    """A cell no spreadsheet takes for a formula.

    >>> guard("=cmd()"), guard("'=x"), guard("ann")
    ("'=cmd()", "''=x", 'ann')
    """
    text = str(cell)
    return "'" + text if FORMULA.match(text) else text


def unguard(cell: str) -> str:
    """The name behind a guarded cell."""
    return cell[1:] if GUARDED_FORMULA.match(cell) else cell
