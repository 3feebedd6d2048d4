"""The ledger in a sentence or two that never say more than the errors allow: differences are paired over rows.

What a kind foretells is measured on rows held out; this decides which kind leads. What the structure itself saves is
more by what it costs to learn it: a model of p parameters learned from m rows costs p / 2m nats more than the law on
rows held out, and p / 2m less on the rows it was learned from, so that the mean of both is the law's (Akaike 1973).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

FOLDS = 4  # parts of the rows, each held out once; in brief, two of them are
BEYOND = 2.0  # standard errors that a difference has to exceed
SIMPLEST_FIRST = ("factors", "groups", "both", "parts", "sources")
NAMES = {
    "factors": "linear factors",
    "groups": "groups",
    "both": "groups with factors inside",
    "parts": "parts that rows have or lack",
    "sources": "independent sources",
}


class Bits(NamedTuple):
    """Of every kind: bits of rows held out (n,), of the same rows where they were known, and of all known in each fold.

    The last are means, one a fold.
    """

    held: dict[str, np.ndarray]
    known: dict[str, np.ndarray]
    folds: dict[str, np.ndarray]


class Saving(NamedTuple):
    """Bits a row, and their standard error."""

    bits: float
    error: float

    @property
    def is_sure(self) -> bool:
        return self.bits > BEYOND * self.error

    def __str__(self) -> str:
        digits = 2 if self.error < 0.095 else 1
        return f"{self.bits:.{digits}f} ± {self.error:.{digits}f}"


def foretold(bits: Bits, kind: str, other: str = "independent") -> Saving:
    """What a kind saves on rows held out, learned from so many rows."""
    gain = bits.held[other] - bits.held[kind]
    return Saving(float(gain.mean()), float(gain.std(ddof=1) / np.sqrt(len(gain))))


def explained(bits: Bits, kind: str, other: str = "independent") -> Saving:
    """What the structure itself saves; what it costs to learn it, and how far folds differ, are part of the error."""
    held, known, folds = (part[other] - part[kind] for part in bits)
    return _of_the_law(held, known, folds)


def cost(bits: Bits, kind: str) -> Saving:
    """Bits of a row under the structure itself."""
    return _of_the_law(bits.held[kind], bits.known[kind], bits.folds[kind])


def _of_the_law(held: np.ndarray, known: np.ndarray, folds: np.ndarray) -> Saving:
    rows = (held + known) / 2
    learning = float(known.mean() - held.mean()) / 2
    # Folds differ by the rows they lack, and beyond that where other sizes were chosen.
    chance = rows.var(ddof=1) / (len(rows) / len(folds)) / (FOLDS - 1) ** 2
    choice = max(float(folds.var(ddof=1) - chance), 0.0)
    return Saving(float(rows.mean()), float(np.sqrt(rows.var(ddof=1) / len(rows) + learning**2 + choice)))


def leading(bits: Bits) -> str:
    """The simplest of the kinds that save something and that the cheapest does not surely beat."""
    paying = [kind for kind in SIMPLEST_FIRST if kind in bits.held and foretold(bits, kind).is_sure]
    if not paying:
        return "independent"
    cheapest = min(paying, key=lambda kind: float(bits.held[kind].mean()))
    return next(kind for kind in paying if not foretold(bits, cheapest, kind).is_sure)


def in_words(bits: Bits) -> str:
    lead, n = leading(bits), len(bits.held["independent"])
    if lead == "independent":
        return f"No kind of structure saves bits on {n:,} held-out rows beyond its standard errors."
    whole = cost(bits, "independent").bits
    saved = f"{_capital(NAMES[lead])} save {explained(bits, lead)} of the {whole:.1f} bits"
    return " ".join([f"{saved} a row costs with independent columns.", *_beside(bits, lead)])


def _beside(bits: Bits, lead: str) -> list[str]:
    """What the kinds beside the leader add, or that they cannot be told from it."""
    first = [_shares(bits)] if lead == "both" else []
    known = {lead, "both"} if lead in ("factors", "groups") else {lead}  # both hold either alone
    even = [k for k in SIMPLEST_FIRST if k in bits.held and k not in known and _is_even(bits, k, lead)]
    if not even:
        return first
    names = " and ".join(NAMES[kind] for kind in even)
    return [*first, f"{_capital(names)} cannot be told from them by these rows."]


def _is_even(bits: Bits, kind: str, lead: str) -> bool:
    return (
        foretold(bits, kind).is_sure
        and not foretold(bits, lead, kind).is_sure
        and not np.array_equal(bits.held[kind], bits.held[lead])
    )


def alone_and_added(bits: Bits) -> tuple[str, str]:
    """The better of factors and groups, and the other."""
    alone, added = sorted(("factors", "groups"), key=lambda kind: float(bits.held[kind].mean()))
    return alone, added


def _shares(bits: Bits) -> str:
    """What the better of factors and groups explains alone, and what the other adds to it."""
    alone, added = alone_and_added(bits)
    total, part, more = explained(bits, "both"), explained(bits, alone), explained(bits, "both", alone)
    return f"{_capital(alone)} explain {part.bits:.1f} of {total.bits:.1f} bits, {added} add {more}."


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
