"""The answer to "how many clusters" in words that say how sure it is."""

from __future__ import annotations

from unmix.exploration.findings import Selection


def verdict(selection: Selection, stability: list[float | None]) -> str:
    if len(selection.k) == 1:
        return "Only one cluster was considered." if selection.k else "No cluster was sought."
    if selection.chosen_k == 1:
        return (
            "No cluster structure beyond chance: cutting the rows into groups makes them no tighter than "
            "it would in a table with the same scales and correlations but without clusters."
        )
    known = [value for value in stability if value is not None]
    worst = min(known) if known else 0.0
    strength, remark = _strength(worst)
    top = " (the most that was allowed; there may be more)" if selection.chosen_k == max(selection.k) else ""
    return (
        f"{selection.chosen_k} {strength} clusters{top}: {remark} "
        f"(overlap with the clusters of resampled rows {worst:.2f} to {max(known, default=0.0):.2f}, 1 = the same)."
    )


def _strength(worst: float) -> tuple[str, str]:
    if worst >= 0.85:
        return "clear", "each is found again when the rows are drawn anew"
    if worst >= 0.6:
        return "fair", "the groups are found again when the rows are drawn anew, their borders move a little"
    return "weak", "there is more structure than chance, but borders move when the rows are drawn anew"
