"""That rows depend on each other, and what was done about it, in one sentence."""

from __future__ import annotations

from unmix.validation.dependence.order import OrderDependence

COMPARED = "so the evidence was compared with tables without clusters whose rows depend in the same way"


def dependence_in_words(found: OrderDependence, order: str = "in the order of the table", done: str = COMPARED) -> str:
    apart = "neighbouring rows" if found.lag == 1 else f"rows {found.lag} apart"
    return (
        f"Rows depend on each other: {apart} {order} go together (correlation {found.correlation:.2f}), and all rows "
        f"count as about {max(round(found.n_effective), 1):,} independent ones; {done}."
    )
