"""Relations, gaps, odd rows and the ledger as a few lines, for the plain text and the terminal alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unmix.exploration.findings.records import Association, Findings

MOST_LINES = 5


def relation_blocks(findings: Findings) -> list[tuple[str, list[str]]]:
    """Titles with what stands under them; nothing for what was not looked at, or not there."""
    found = findings.associations
    if found is None:
        return []
    room = MOST_LINES - 1 - bool(found.redundant) - bool(found.described)
    relations = [found.sentence, *map(association_line, found.pairs[:room])]
    relations += [association_line(item) for item in found.described[:1]] + found.redundant[:1]
    odd = [f"row {row.row}: {row.reason}" for row in found.odd_rows]
    blocks = [("Relations", relations), ("Gaps", found.gaps), ("Odd rows", odd)]
    blocks += [("Structure in bits", structure_lines(findings)[1:])]
    return [(title, lines) for title, lines in blocks if lines]


def structure_lines(findings: Findings) -> list[str]:
    """The kind of structure that leads; what every kind saves on held-out rows; notes."""
    if findings.ledger is None:
        return []
    saved = [f"{kind.kind} {kind.saved:.1f} ± {kind.saved_error:.1f}" for kind in findings.ledger.kinds[1:]]
    whole = f"Of {findings.ledger.kinds[0].bits:.1f} bits a row with independent columns are saved by"
    return [findings.ledger.sentence, f"{whole} {', '.join(saved)}.", *findings.ledger.notes]


def association_line(item: Association) -> str:
    error = "" if item.error is None else f" ± {item.error:.2f}"
    return f"{item.sentence} ({item.bits:.2f}{error} bits)"
