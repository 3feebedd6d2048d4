"""The ledger in a sentence or two that never say more than the errors allow: differences are paired over rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

BEYOND = 2.0  # standard errors that a difference has to exceed
SIMPLEST_FIRST = ("factors", "groups", "both", "parts", "sources")
NAMES = {
    "factors": "linear factors",
    "groups": "groups",
    "both": "groups with factors inside",
    "parts": "parts that rows have or lack",
    "sources": "independent sources",
}


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


def saving(bits: dict[str, np.ndarray], kind: str, other: str = "independent") -> Saving:
    gain = bits[other] - bits[kind]
    return Saving(float(gain.mean()), float(gain.std(ddof=1) / np.sqrt(len(gain))))


def leading(bits: dict[str, np.ndarray]) -> str:
    """The simplest of the kinds that save something and that the cheapest does not surely beat."""
    paying = [kind for kind in SIMPLEST_FIRST if kind in bits and saving(bits, kind).is_sure]
    if not paying:
        return "independent"
    cheapest = min(paying, key=lambda kind: float(bits[kind].mean()))
    return next(kind for kind in paying if not saving(bits, cheapest, kind).is_sure)


def in_words(bits: dict[str, np.ndarray]) -> str:
    lead, n = leading(bits), len(bits["independent"])
    if lead == "independent":
        return f"No kind of structure saves bits on {n:,} held-out rows beyond its standard errors."
    whole = float(bits["independent"].mean())
    saved = f"{_capital(NAMES[lead])} save {saving(bits, lead)} of the {whole:.1f} bits"
    return " ".join([f"{saved} a row costs with independent columns.", *_beside(bits, lead)])


def _beside(bits: dict[str, np.ndarray], lead: str) -> list[str]:
    """What the kinds beside the leader add, or that they cannot be told from it."""
    first = [_shares(bits)] if lead == "both" else []
    known = {lead, "both"} if lead in ("factors", "groups") else {lead}  # both hold either alone
    even = [k for k in SIMPLEST_FIRST if k in bits and k not in known and _is_even(bits, k, lead)]
    if not even:
        return first
    names = " and ".join(NAMES[kind] for kind in even)
    return [*first, f"{_capital(names)} cannot be told from them by these rows."]


def _is_even(bits: dict[str, np.ndarray], kind: str, lead: str) -> bool:
    return (
        saving(bits, kind).is_sure
        and not saving(bits, lead, kind).is_sure
        and not np.array_equal(bits[kind], bits[lead])
    )


def _shares(bits: dict[str, np.ndarray]) -> str:
    """What the better of factors and groups explains alone, and what the other adds to it."""
    alone, added = sorted(("factors", "groups"), key=lambda kind: float(bits[kind].mean()))
    total, part, more = saving(bits, "both"), saving(bits, alone), saving(bits, "both", alone)
    return f"{_capital(alone)} explain {part.bits:.1f} of {total.bits:.1f} bits, {added} add {more}."


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
