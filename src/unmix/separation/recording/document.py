"""Everything found in a separation as plain values: what the summary, the JSON file and the report tell."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from unmix.separation.recording.describe import describe


def document(
    model: Any, signals: Any, sources: np.ndarray, recurrence: np.ndarray, messages: list[str], **about: Any
) -> dict[str, Any]:
    """The tree of a separation; ``about`` holds method, seed, version, command and the like."""
    shares = channel_shares(model.mixing_ * sources.std(axis=0))
    distances = getattr(model, "non_gaussianity_", None)
    found = []
    for j, values in enumerate(sources.T):
        top = int(np.argmax(shares[:, j]))
        found.append(
            {
                "name": f"source {j + 1}",
                "stability": None if np.isnan(recurrence[j]) else float(recurrence[j]),
                "non_gaussianity": None if distances is None else float(distances[j]),
                "strongest_channel": signals.names[top],
                "share_of_channel": float(shares[top, j]),
                "share": float(shares[:, j].mean()),
                **describe(values, signals.rate),
            }
        )
    n, d = signals.values.shape
    return {
        **about,
        "model": type(model).__name__,
        "n_samples": n,
        "n_channels": d,
        "n_sources": len(found),
        "rate": signals.rate,
        "audio": signals.audio,
        "notes": [*signals.notes, *constant_channels(signals)],
        "warnings": warnings_in_words(distances, messages),
        "sources": found,
        "channels": [
            {"name": name, **describe(column, signals.rate)} for name, column in zip(signals.names, signals.values.T)
        ],
        "mixing": model.mixing_.astype(float).tolist(),
        "components": model.components_.astype(float).tolist(),
    }


def channel_shares(mixing: np.ndarray) -> np.ndarray:
    """Share of each channel's variance that each source makes; ``mixing`` is that of sources of variance 1."""
    largest = np.abs(mixing).max(axis=1, keepdims=True)
    squares = np.square(np.divide(mixing, largest, out=np.zeros(mixing.shape), where=largest > 0))
    return squares / np.maximum(squares.sum(axis=1, keepdims=True), 1e-300)


def constant_channels(signals: Any) -> list[str]:
    """A channel that never moves holds no source."""
    still = [name for name, column in zip(signals.names, signals.values.T) if np.nanmin(column) == np.nanmax(column)]
    if not still:
        return []
    one = len(still) == 1
    return [f"{listed(still)} {'is' if one else 'are'} constant, so {'it tells' if one else 'they tell'} nothing."]


def warnings_in_words(distances: np.ndarray | None, messages: list[str]) -> list[str]:
    """What to know before relying on the sources: which may be Gaussian, and what the method said."""
    words = []
    gaussian = [] if distances is None else [str(j + 1) for j in np.flatnonzero(np.asarray(distances) <= 1)]
    if len(gaussian) > 1:
        words.append(
            f"Sources {listed(gaussian)} cannot be distinguished from Gaussian noise, so they are known only up to a "
            "rotation. Give a longer recording or ask for fewer components; signals with different autocorrelations "
            "may be separated by --method second_order."
        )
    return words + [from_one(sentence) for sentence in messages]


def from_one(sentence: str) -> str:
    """The words of an estimator, which counts sources from 0, for readers who count from 1.

    >>> from_one("sources 0 and 2 have autocorrelations that 100 rows cannot tell apart")
    'Sources 1 and 3 have autocorrelations that 100 rows cannot tell apart.'
    """
    counted = re.sub(r"\b(\d+) and (\d+)\b", lambda pair: f"{int(pair[1]) + 1} and {int(pair[2]) + 1}", sentence)
    return counted[:1].upper() + counted[1:].rstrip(".") + "."


def listed(names: list[str], most: int = 8) -> str:
    """`1, 2 and 3`."""
    shown = names[:most]
    if len(names) > most:
        return ", ".join(shown) + f" and {len(names) - most} more"
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
