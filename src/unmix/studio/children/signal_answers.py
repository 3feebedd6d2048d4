"""Questions about signals: channels before they are separated, sources of a run, and a remix of some of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from unmix.io.readers.wave import wave_bytes
from unmix.io.text.formula import guard

MOST_TRACKS = 64


@lru_cache(maxsize=1)
def read_files(paths: tuple[str, ...], rate: float | None) -> Any:
    from unmix.separation.recording.read_signals import read_signals

    return read_signals(list(paths), rate)


def channels(paths: list[str], rate: float | None, gaps: bool) -> dict[str, Any]:
    """The channels with their pictures, and why they could not be separated, if so."""
    from unmix.separation.recording.describe import describe
    from unmix.separation.recording.signals import check

    signals, refused = read_files(tuple(paths), rate), None
    try:
        check(signals, gaps=gaps)
    except ValueError as error:
        refused = str(error)
    usable = [(name, v) for name, v in zip(signals.names, signals.values.T) if np.isfinite(v).any()]
    shown = [{"name": name, **describe(values, signals.rate)} for name, values in usable[:MOST_TRACKS]]
    n, d = signals.values.shape
    return {"refused": refused, "n_samples": n, "n_channels": d, "rate": signals.rate, "audio": signals.audio,
            "notes": list(signals.notes), "channels": shown}  # fmt: skip


@lru_cache(maxsize=1)
def separated(folder: str, paths: tuple[str, ...], rate: float | None) -> tuple[Any, Any, np.ndarray]:
    """Model, signals and sources of a run: the model is loaded, the sources follow from it."""
    import unmix

    model: Any = unmix.load(Path(folder) / "model.unmix")
    signals = read_files(paths, rate)
    return model, signals, model.transform(signals.values)


def remixed(folder: str, paths: tuple[str, ...], rate: float | None, keep: list[int]) -> np.ndarray:
    """The channels with these sources alone (counted from 1): mean + Σ over those kept of weight × source."""
    model, _, sources = separated(folder, paths, rate)
    silent = np.ones(sources.shape[1], bool)
    silent[np.array(keep, int) - 1] = False
    kept: np.ndarray = model.inverse_transform(np.where(silent, 0.0, sources))
    return kept


def tracks(folder: str, paths: list[str], rate: float | None, keep: list[int]) -> dict[str, Any]:
    """Envelopes of channels and sources as the report has them, and the remix with its share of each channel."""
    from unmix.separation.recording.describe import describe

    _, signals, sources = separated(folder, tuple(paths), rate)
    mixed = remixed(folder, tuple(paths), rate, keep)
    remix = []
    for name, now, was in zip(signals.names, mixed.T, signals.values.T):
        left, whole = float(np.nanvar(now)), float(np.nanvar(was))
        remix.append({"name": name, **describe(now, signals.rate), "share": left / whole if whole > 0 else None})
    return {
        "channels": [describe(values, signals.rate)["trace"] for values in signals.values.T],
        "sources": [describe(values, signals.rate)["trace"] for values in sources.T],
        "remix": remix,
    }


def sound(folder: str, paths: list[str], rate: float | None, track: str, number: int, keep: list[int], to: str) -> bool:
    """A channel or a remixed channel (counted from 1), written as a wav file; False where there is none."""
    _, signals, _ = separated(folder, tuple(paths), rate)
    if not signals.audio or not 1 <= number <= signals.values.shape[1]:
        return False
    values = signals.values if track == "channel" else remixed(folder, tuple(paths), rate, keep)
    signal = values[:, number - 1]
    Path(to).parent.mkdir(exist_ok=True)
    scratch = Path(f"{to}.part")
    scratch.write_bytes(wave_bytes(signal - signal.mean(), signals.rate))
    scratch.replace(to)
    return True


def remix_table(folder: str, paths: list[str], rate: float | None, keep: list[int], to: str) -> bool:
    """The remixed channels as a table, after the time if there was one."""
    import csv

    _, signals, _ = separated(folder, tuple(paths), rate)
    mixed = remixed(folder, tuple(paths), rate, keep)
    names, columns = [guard(name) for name in signals.names], [mixed]
    if signals.time is not None:
        names, columns = [guard(signals.time[0]), *names], [signals.time[1][:, None], mixed]
    Path(to).parent.mkdir(exist_ok=True)
    scratch = Path(f"{to}.part")
    with scratch.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerow(names)
        np.savetxt(file, np.column_stack(columns), fmt="%.9g", delimiter=",")
    scratch.replace(to)
    return True


ANSWERS: dict[str, Callable[..., Any]] = {
    "channels": channels,
    "tracks": tracks,
    "sound": sound,
    "remix_table": remix_table,
}
