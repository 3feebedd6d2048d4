"""Relations, gaps, odd rows and the ledger as a few lines, for the plain text and the terminal alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unmix.exploration.findings.records import Association, Findings

MOST_LINES = 5
RELATION_DIGITS = 2  # of bits that pairs of columns share: most are below one
MOST_WRONG = 0.75  # of the share of other rows in the table, among the rows that a rule holds for


def relation_blocks(findings: Findings) -> list[tuple[str, list[str]]]:
    """Titles with what stands under them; nothing for what was not looked at, or not there."""
    found = findings.associations
    if found is None:
        return []
    room = MOST_LINES - 1 - bool(found.redundant) - bool(found.described)
    relations = [found.sentence, *map(association_line, found.pairs[:room])]
    relations += [association_line(item) for item in found.described[:1]] + found.redundant[:1]
    on_cards = {row.row for cluster in findings.clusters for row in cluster.odd_rows} if is_divided(findings) else set()
    odd = [f"row {row.row}: {row.reason}" for row in found.odd_rows if row.row not in on_cards]
    blocks = [("Relations", relations), ("Gaps", found.gaps), ("Odd rows", odd)]
    return [(title, lines) for title, lines in blocks if lines]


def is_divided(findings: Findings) -> bool:
    """Whether there are clusters, each with a card of its own."""
    return findings.selection.chosen_k > 1


def structure_lines(findings: Findings) -> list[str]:
    """The kind of structure that leads; what every kind that saves bits saves on held-out rows; notes."""
    if findings.ledger is None:
        return []
    whole, *kinds = findings.ledger.kinds
    saving = [kind for kind in kinds if kind.saved > 0 and findings.ledger.leader != whole.kind]
    saved = ", ".join(f"{kind.kind} {with_error(kind.saved, kind.saved_error)}" for kind in saving)
    said = [f"Bits saved, of {whole.bits:.1f} a row of independent columns: {saved}."] if saved else []
    return [findings.ledger.sentence, *said, *findings.ledger.notes]


def association_line(item: Association) -> str:
    return f"{item.sentence} ({with_error(item.bits, item.error, RELATION_DIGITS)} bits)"


def tells(precision: float, fraction: float) -> bool:
    """Whether a rule parts a cluster from the others: of the rows that meet it, clearly fewer are wrong than of all."""
    return 1 - precision <= MOST_WRONG * (1 - fraction)


def with_error(bits: float, error: float | None, digits: int | None = None) -> str:
    """`3.50 ± 0.07`, `12.3 ± 0.6`: both to the same decimals, one of them where the error needs no more."""
    if not error:
        return f"{bits:.2f}"
    digits = digits or (2 if error < 0.095 else 1)
    return f"{bits:.{digits}f} ± {max(error, 0.01):.{digits}f}"
