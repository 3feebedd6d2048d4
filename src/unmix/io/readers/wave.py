"""Sound from and to wav files: channels between -1 and 1, one source a file of 16 bits at its peak."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from unmix.core.warning_filters import without_warnings
from unmix.io.in_memory.table import Table

PEAK = 0.98  # of full scale, so that no player's filter clips


def read_wave(path: Path) -> Table:
    """All channels of a wav file as columns; what is no sound in it (titles, markers) is passed over."""
    from scipy.io import wavfile  # slow to load, and tables need none of it

    with without_warnings(wavfile.WavFileWarning):
        rate, samples = wavfile.read(path)
    notes = [f"{path.name} ends before its header says; what is there was read."] if ends_early(path) else []
    values = scaled(samples)
    values = values[:, None] if values.ndim == 1 else values
    names = [path.stem] if values.shape[1] == 1 else [f"{path.stem} {j + 1}" for j in range(values.shape[1])]
    return Table(pl.DataFrame(values, schema=names), path.name, how="wav", warnings=notes, rate=float(rate))


def ends_early(path: Path) -> bool:
    """Whether the file is shorter than the size in its header, which is that of all that follows its first 8 bytes."""
    with path.open("rb") as file:
        head = file.read(8)
    order: Any = {b"RIFF": "little", b"RIFX": "big"}.get(head[:4])
    return order is not None and int.from_bytes(head[4:], order) + 8 > path.stat().st_size


def scaled(samples: np.ndarray) -> np.ndarray:
    """Samples of any format between -1 and 1."""
    if samples.dtype.kind == "f":
        return samples.astype(np.float64)
    if samples.dtype == np.uint8:
        return (samples.astype(np.float64) - 128) / 128
    return samples.astype(np.float64) / -float(np.iinfo(samples.dtype).min)


def wave_bytes(signal: np.ndarray, rate: float) -> bytes:
    """A signal as the bytes of a 16-bit wav file, its largest value near full scale.

    >>> import numpy as np
    >>> from scipy.io import wavfile
    >>> data = wave_bytes(np.array([0.0, 3.0, -1.5]), 8000)
    >>> wavfile.read(io.BytesIO(data))[1].tolist()
    [0, 32112, -16056]
    """
    from scipy.io import wavfile

    largest = float(np.abs(signal).max(initial=0.0))
    loud = signal * (PEAK * 32767 / largest) if largest > 0 else np.zeros(len(signal))
    buffer = io.BytesIO()
    wavfile.write(buffer, round(rate), np.round(loud).astype(np.int16))
    return buffer.getvalue()
