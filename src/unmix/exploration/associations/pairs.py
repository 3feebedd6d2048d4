"""The strongest relations between columns, as records: bits, error, share, p-value and a sentence."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.exploration.associations.coding import Coded
from unmix.exploration.associations.compare import Compared, compare
from unmix.exploration.associations.null import Null
from unmix.exploration.associations.refined import Refined, refine, share_of
from unmix.exploration.associations.words import in_words
from unmix.exploration.findings.records import Association

MOST_RECORDED = 40


class Evidence(NamedTuple):
    """How chance is drawn for these rows, and for how many independent ones each of them counts, at most 1."""

    null: Null
    worth: float


def strongest(
    coded: Coded, evidence: Evidence, rng: np.random.Generator, asked: np.ndarray
) -> tuple[list[Association], int]:
    """Pairs of columns beyond chance, those that tell most first, at most forty; and how many there are."""
    found = compare(coded, None, evidence.null, rng, asked)
    return records(coded, coded, found, evidence), len(found.beyond_chance())


def records(left: Coded, right: Coded, found: Compared, evidence: Evidence) -> list[Association]:
    made = [record(left, i, right, j, found, evidence) for i, j in found.beyond_chance()[:MOST_RECORDED]]
    return sorted(made, key=lambda item: -item.bits)


def record(left: Coded, i: int, right: Coded, j: int, found: Compared, evidence: Evidence) -> Association:
    bits, spread = float(found.bits[i, j]), float(found.spread[i, j])
    seen = _plain(bits, refine(left, i, right, j, bits, spread), evidence)
    error = float(np.sqrt(max(seen.error**2 - spread**2, 0.0) / evidence.worth + spread**2))
    sentence = in_words(left, i, right, j, seen.bits, seen.linear, seen.correlation)
    share = share_of(left, i, right, j, bits)
    names, p = [left.names[i], right.names[j]], float(found.p_value[i, j])
    return Association(names, seen.bits, error, share, p, int(found.rows[i, j]), sentence)


def _plain(bits: float, seen: Refined, evidence: Evidence) -> Refined:
    """Where rows depend, only what levels have beyond chance is theirs: a line through two walks is not."""
    return seen if evidence.worth == 1.0 else seen._replace(bits=bits)
