"""The probabilities of the numbers of clusters as a line of text, most probable first."""

from __future__ import annotations

from collections.abc import Sequence

from unmix.core.percent import whole_percent

LEAST_NAMED = 0.02  # probability of a number that is listed


def numbers_in_words(k: Sequence[int], probabilities: Sequence[float | None]) -> str:
    """As "3 clusters 80 %, 4 clusters 15 %, no clusters 3 %."; what is missing to 1 is another number."""
    known = [(share, number) for number, share in zip(k, probabilities) if share is not None]
    if not known:
        return ""
    worth = sorted((one for one in known if one[0] >= LEAST_NAMED), key=lambda one: (-one[0], one[1]))
    words = [f"{_clusters(number)} {whole_percent(share)}" for share, number in worth]
    other = 1 - sum(share for share, _ in known)
    words += [f"another number {whole_percent(other)}"] if other >= LEAST_NAMED else []
    return f"{', '.join(words)}."


def _clusters(number: int) -> str:
    return "no clusters" if number == 1 else f"{number} clusters"
