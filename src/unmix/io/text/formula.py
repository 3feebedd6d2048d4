"""Cells a spreadsheet would run as a formula get an apostrophe on the way out and lose it on the way in.

A name that itself starts with apostrophes before such a character gets one more, so that every name comes back as it
was.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # polars takes a while to load, and `roles` needs single cells only
    import polars as pl

SIGNS = r"[=+\-@\t\r\n＝＋－＠]"  # the wide ones are taken for the others where they are typed (Japanese Excel)
FORMULA = re.compile(rf"'*{SIGNS}")
NUMBER = r"^[+\-]?[0-9.,]+([eE][+\-]?[0-9]+)?$"
GUARDED_FORMULA = re.compile(rf"'+{SIGNS}")


def guard(cell: object) -> str:
    """A cell no spreadsheet takes for a formula.

    >>> guard("=cmd()"), guard("'=x"), guard("ann")
    ("'=cmd()", "''=x", 'ann')
    """
    text = str(cell)
    return "'" + text if FORMULA.match(text) else text


def guard_frame(frame: pl.DataFrame) -> pl.DataFrame:
    """A frame with names and texts that no spreadsheet takes for formulas; text that is a number stays as it is."""
    import polars as pl

    words = [name for name, kind in frame.schema.items() if kind in (pl.String, pl.Categorical, pl.Enum)]
    frame = frame.with_columns(_guarded(pl.col(name).cast(pl.String)).alias(name) for name in words)
    return frame.rename({name: guard(name) for name in frame.columns})


def _guarded(cells: pl.Expr) -> pl.Expr:
    import polars as pl

    risky = cells.str.contains(f"^{FORMULA.pattern}") & ~cells.str.contains(NUMBER)
    return pl.when(risky).then(pl.lit("'") + cells).otherwise(cells)


def unguard(cell: str) -> str:
    """The name behind a guarded cell."""
    return cell[1:] if GUARDED_FORMULA.match(cell) else cell
