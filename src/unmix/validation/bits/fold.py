"""One fold of the ledger: every kind of structure learned from some rows, and the bits of the others under each."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.core.random import derive, spawn
from unmix.validation.bits.choice import Choice, Lesson, independent
from unmix.validation.bits.kinds import both, factors, groups, pieces
from unmix.validation.bits.parts import parts
from unmix.validation.bits.scales import raw_scale, scales_of
from unmix.validation.bits.sources import sources
from unmix.validation.bits.table import LedgerTable

KINDS = ("independent", "factors", "groups", "both", "parts", "sources")
JUDGING = 0.25  # share of the rows known on which sizes are judged


class Fold(NamedTuple):
    """Rows held out and rows known; nats of all rows under every kind (kinds, n); the size each kind was given."""

    held: np.ndarray
    known: np.ndarray
    nats: np.ndarray
    sizes: dict[str, tuple[int, ...]]


def measure(
    table: LedgerTable, gaps: np.ndarray, known: np.ndarray, held: np.ndarray, seed: int, brief: bool = False
) -> Fold:
    places = spawn(seed, 0).random(table.X.shape)
    scales = scales_of(table.X, table.levelled, table.unordered, gaps, places, known)
    order = spawn(seed, 1).permutation(known)
    judging = int(JUDGING * len(known))
    lesson = Lesson(scales, np.sort(order[judging:]), np.sort(order[:judging]), known, derive(seed, 2), brief)
    chosen = _choices(table, lesson)
    nats = np.stack([-choice.log_density(known) for choice in chosen.values()])
    return Fold(held, known, nats, {kind: choice.size for kind, choice in chosen.items()})


def kinds_of(table: LedgerTable) -> list[str]:
    """Sources are of numbers, and need whole rows: a row with a gap is a mixture of all of them."""
    measured = not table.levelled.all() and bool(np.isfinite(table.X).all())
    return [kind for kind in KINDS if kind != "sources" or measured]


def _choices(table: LedgerTable, lesson: Lesson) -> dict[str, Choice]:
    linear, grouped = factors(lesson), groups(lesson)
    joined = both(lesson, linear, grouped)
    curved = pieces(lesson, joined)
    if curved is not joined:
        grouped = joined = curved
    raw = raw_scale(table.X, lesson.known) if table.non_negative else None
    chosen = {
        "independent": independent(lesson),
        "factors": linear,
        "groups": grouped,
        "both": joined,
        "parts": parts(lesson, raw),
    }
    return chosen | {"sources": sources(lesson)} if "sources" in kinds_of(table) else chosen
