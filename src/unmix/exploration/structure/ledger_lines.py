"""What kind of structure it is, in bits: the ledger of the columns that were used, and a first line that names it.

The ledger speaks of held-out rows, components and clusters of what is beyond chance. Where one sees what the other does
not, the line says how both can be: groups may overlap without a gap between them, and what is beyond chance may still
be too weak to foretell a row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import polars as pl

from unmix.core.beside import later
from unmix.core.random import derive, spawn
from unmix.exploration.columns.preparation import Prepared
from unmix.exploration.findings.records import KindOfStructure, LedgerRecord, Selection, Spectrum
from unmix.exploration.structure.evaluation_set import Rows
from unmix.exploration.structure.single_rows import single_rows
from unmix.validation.bits.ledger import ledger_of
from unmix.validation.bits.result import Ledger
from unmix.validation.bits.table import LEAST_ROWS, LedgerTable, ledger_columns
from unmix.validation.bits.verdict import NAMES, Bits, alone_and_added, explained, foretold, leading
from unmix.validation.selection.sureness import SURE

MOST_ROWS = 600
MOST_COLUMNS = 20
FEWEST_BLOCKS = 12  # of rows that depend on each other
_stream = 22
_forms = {"category": "category", "boolean": "boolean"}


class Pending(NamedTuple):
    """A ledger that is being made, perhaps beside this process."""

    ledger: Callable[[], Ledger]
    more_columns: int  # that were used, and are not in the ledger


def begin_ledger(prepared: Prepared, looked_at: Rows, seed: int) -> Pending | None:
    """None where rows or columns are too few to hold some out."""
    looked_at = single_rows(looked_at)
    blocks = None if looked_at.order is None else looked_at.order.blocks
    table = _table(prepared, looked_at.numbers if blocks is None else _first(looked_at.numbers, MOST_ROWS), seed)
    if len(table.names) < 2 or len(table.X) < LEAST_ROWS:
        return None
    if blocks is not None:
        blocks = blocks[table.rows]
        if len(np.unique(blocks)) < FEWEST_BLOCKS:
            return None
        table.notes.append("Rows depend on each other: blocks of them were held out, and errors are those of blocks.")
    ledger = later(_brief, table, derive(seed, _stream, 1), blocks)
    return Pending(ledger, sum(column.used for column in prepared.columns) - MOST_COLUMNS)


def _brief(table: LedgerTable, seed: int, blocks: np.ndarray | None) -> Ledger:
    return ledger_of(table, seed, brief=True, blocks=blocks)


def ledger_record(pending: Pending | None, selection: Selection, spectrum: Spectrum) -> LedgerRecord | None:
    """The ledger for the reader, in the words of what else was found."""
    if pending is None:
        return None
    found = pending.ledger()
    kinds = [KindOfStructure(**line) for line in found.table]
    words = sentence(found.measured, selection.chosen_k, spectrum.n_suggested, selection.probability)
    return LedgerRecord(found.leader, words, kinds, len(found.rows), _notes(found, pending.more_columns))


def _first(rows: np.ndarray, most: int) -> np.ndarray:
    """A series is cut off: rows drawn at random would no longer follow each other."""
    return rows[:most]


def _table(prepared: Prepared, rows: np.ndarray, seed: int) -> LedgerTable:
    """The best filled of the columns used, with their gaps, and categories as numbers of their levels."""
    used = [j for j, column in enumerate(prepared.columns) if column.used]
    used = sorted(sorted(used, key=lambda j: prepared.columns[j].n_missing)[:MOST_COLUMNS])
    columns = [prepared.kinds[j].values.gather(rows) for j in used]
    kinds = [_forms.get(prepared.columns[j].form, "number") for j in used]
    array = np.column_stack([_numbers(column, kind) for column, kind in zip(columns, kinds)])
    return ledger_columns(array, [column.name for column in columns], kinds, MOST_ROWS, spawn(seed, _stream, 0))


def _numbers(column: pl.Series, kind: str) -> np.ndarray:
    if kind != "number":
        column = column.cast(pl.String).rank("dense")
    return column.cast(pl.Float64).fill_null(np.nan).to_numpy().astype(float)


def _notes(found: Ledger, more: int) -> list[str]:
    return [*found.notes, *([f"{more} columns more were used, and are not in the ledger."] if more > 0 else [])]


def sentence(bits: Bits, n_clusters: int, n_directions: int, probability: float | None = None) -> str:
    """The kind that leads and what others add to it, in the words of components and clusters.

    `probability` is that of clusters, None where none were looked for.
    """
    lead = leading(bits)
    if lead == "independent":
        return _none(n_clusters, n_directions)
    if lead == "both":
        alone, added = alone_and_added(bits)
        part, more, whole = explained(bits, alone), explained(bits, "both", alone), explained(bits, "both")
        first = f"Mostly {NAMES[alone]} ({part} bits a row of {whole.bits:.1f}), {_added(added)} {more}."
    else:
        alone, first = lead, f"Mostly {NAMES[lead]}: they save {explained(bits, lead)} bits a row{_beside(bits, lead)}."
    return " ".join([first, *_reconciled({lead, alone}, n_clusters, n_directions, probability)])


def _added(kind: str) -> str:
    return "groups add" if kind == "groups" else "linear factors inside them add"


def _beside(bits: Bits, lead: str) -> str:
    """What the better known of the other kinds saves by itself."""
    other = {"factors": "groups", "groups": "factors"}.get(lead, "factors")
    sure = foretold(bits, other).is_sure
    return f"; {NAMES[other]} alone save {explained(bits, other)}" if sure else ""


def _none(n_clusters: int, n_directions: int) -> str:
    seen = [
        *(["clusters"] if n_clusters > 1 else []),
        *([f"component{'s' * (n_directions > 1)}"] if n_directions else []),
    ]
    if not seen:
        return "None that foretells rows: columns taken one by one do as well on rows held out."
    what, partitions_of = " and ".join(seen), "tells" if seen == ["component"] else "tell"
    return (
        f"None that foretells rows held out better than single columns do: what the {what} {partitions_of} of a row "
        "is little, or follows shapes that factors and groups of this kind do not."
    )


def _reconciled(kinds: set[str], n_clusters: int, n_directions: int, probability: float | None) -> list[str]:
    said = []
    if kinds & {"groups", "both"} and probability is not None and probability < 0.5:
        no = "no" if 1 - probability >= SURE else "probably no"
        said.append(f"These groups overlap or differ in spread: {no} gap parts them into clusters.")
    if kinds == {"factors"} and n_clusters > 1:
        said.append("The clusters are places along these factors.")
    if "factors" in kinds and n_directions == 0:
        said.append("They are spread over columns: no component by itself stands out.")
    return said
