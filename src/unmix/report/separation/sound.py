"""Sound inside the page: signals as wav files in data addresses, thinned or shortened where they would be too large."""

from __future__ import annotations

import base64
from typing import Any, NamedTuple

import numpy as np

from unmix.io.readers.wave import wave_bytes

MOST_BYTES = 3_300_000  # of sound in a page, before base64 makes it a third larger
PICTURES = 25_000  # that the pictures and numbers of a signal take away from its sound
LOWEST_RATE = 8000  # speech stays clear
SHORTEST_SECONDS = 2.0  # seconds; where even these do not fit, only the sources are there


class Sounds(NamedTuple):
    """An address for each channel and each source, None without sound, and what was done to make them fit."""

    channels: list[str | None]
    sources: list[str | None]
    seconds: float | None
    note: str | None


def sounds(signals: Any, sources: np.ndarray) -> Sounds:
    """All signals as sound, in as good a quality as the page has room for."""
    channels, found = list(signals.values.T), list(sources.T)
    if not signals.audio:
        return Sounds([None] * len(channels), [None] * len(found), None, None)
    length, rate = len(sources) / signals.rate, signals.rate
    both = len(channels) + len(found)
    alone = room(both, both, LOWEST_RATE) < min(SHORTEST_SECONDS, length)
    tracks = found[: most_tracks(both, min(SHORTEST_SECONDS, length))] if alone else channels + found
    step = coarser(rate, length, room(len(tracks), both, rate))
    seconds = min(length, room(len(tracks), both, rate / step))
    played = [address(track[: int(seconds * rate)], rate, step) for track in tracks]
    note = listener_note(length, seconds, rate, step, alone)
    if alone:
        return Sounds([None] * len(channels), played + [None] * (len(found) - len(played)), seconds, note)
    return Sounds(played[: len(channels)], played[len(channels) :], seconds, note)


def room(n: int, both: int, rate: float) -> float:
    """Seconds that fit of n signals of 16 bits, in a page with pictures of ``both`` channels and sources."""
    return max(MOST_BYTES / 4, MOST_BYTES - PICTURES * both) / (2 * rate * n)


def most_tracks(both: int, seconds: float) -> int:
    """How many signals can be heard for so long, at least one."""
    return max(1, int(room(1, both, LOWEST_RATE) / seconds))


def coarser(rate: float, length: float, fits: float) -> int:
    """The least whole number to divide the rate by so that all of it fits, as long as the rate stays clear."""
    needed = int(np.ceil(length / fits))
    return max(1, min(needed, int(rate // LOWEST_RATE)))


def address(signal: np.ndarray, rate: float, step: int) -> str:
    quieter = signal - signal.mean()
    if step > 1:
        from scipy.signal import (
            resample_poly,  # where sound is quieter: it takes longer to load than tables to separate
        )

        quieter = resample_poly(quieter, 1, step)
    return "data:audio/wav;base64," + base64.b64encode(wave_bytes(quieter, rate / step)).decode()


def listener_note(length: float, seconds: float, rate: float, step: int, alone: bool) -> str | None:
    """What a listener of the page should know; the files beside it are whole."""
    parts = [f"the first {seconds:.3g} of {length:,.4g} s" if seconds < length else ""]
    parts += [f"{rate / step:,.6g} instead of {rate:,.6g} Hz" if step > 1 else "", "sources only" if alone else ""]
    kept = ", ".join(filter(None, parts))
    return f"To keep this page small it plays {kept}. The wav files beside it are whole." if kept else None
