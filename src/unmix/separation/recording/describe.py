"""A signal in the numbers a picture of it needs: envelope, spectrum, histogram, kurtosis.

    kurtosis = E[(x - m)⁴] / σ⁴ - 3:   0 for Gaussian signals, above for peaky, below for flat ones
    spectrum = Welch's average of periodograms, in decibels below its peak

Welch, The use of fast Fourier transform for the estimation of power spectra, IEEE Trans. Audio 15, 1967.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.core.linalg import power_of_two

PIXELS = 600  # of an overview
LINES = 200  # of a spectrum
BINS = 41  # of a histogram, odd: one bin around the mean
HISTOGRAM_RANGE = 4.0  # standard deviations a histogram shows
FLOOR = -80.0  # decibels, below which a spectrum is not drawn
POWER = 0.999  # of the power lies below the highest frequency drawn


def describe(values: np.ndarray, rate: float | None) -> dict[str, Any]:
    """Numbers for one signal; missing values count as its mean, in the envelope as gaps."""
    unit = power_of_two(float(np.nanmax(np.abs(values), initial=0.0)))  # so that no square over- or underflows
    values = values * unit
    mean, spread = float(np.nanmean(values)), float(np.nanstd(values))
    standard = (np.nan_to_num(values, nan=mean) - mean) / (spread if spread > 0 else 1.0)
    seen = standard[~np.isnan(values)]
    return {
        "mean": mean / unit,
        "deviation": spread / unit,
        "kurtosis": float(np.mean(seen**4) - 3) if spread > 0 else None,
        "trace": envelope((values - mean) / (spread if spread > 0 else 1.0)),
        "spectrum": spectrum(standard, rate) if spread > 0 and len(values) >= 16 else None,
        "histogram": histogram(seen),
    }


def envelope(values: np.ndarray, pixels: int = PIXELS) -> dict[str, list[float | None]]:
    """The least and the largest value behind each pixel, so that no peak of a long signal is lost.

    >>> import numpy as np
    >>> envelope(np.array([0.0, 5.0, 1.0, -2.0]), pixels=2)
    {'low': [0.0, -2.0], 'high': [5.0, 1.0]}
    """
    edges = np.linspace(0, len(values), min(pixels, len(values)) + 1).astype(int)
    low = np.fmin.reduceat(values, edges[:-1])
    high = np.fmax.reduceat(values, edges[:-1])
    return {"low": rounded(low), "high": rounded(high)}


def rounded(values: np.ndarray) -> list[float | None]:
    """Four digits are finer than a pixel; a gap is None."""
    return [None if np.isnan(value) else float(f"{value:.4g}") for value in values.tolist()]


def welch(values: np.ndarray, length: int) -> np.ndarray:
    """Mean squares of the Fourier transforms of half-overlapping segments, each less its mean, in a Hann window.

    As `scipy.signal.welch` up to a factor; loading that takes longer than all signals of a recording.
    """
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(length) / length)
    starts = range(0, len(values) - length + 1, length - length // 2)
    power = np.zeros(length // 2 + 1)
    for start in starts:
        segment = values[start : start + length]
        power += np.abs(np.fft.rfft(window * (segment - segment.mean()))) ** 2
    power[1 : (length + 1) // 2] *= 2  # of both signs of the frequency; zero and the highest have one
    return power / len(starts)


def spectrum(standard: np.ndarray, rate: float | None) -> dict[str, Any] | None:
    """Where the power of a signal lies, up to the frequency below which nearly all of it does.

    Frequencies are in Hz, or in cycles per row where no rate is known.
    """
    length = min(len(standard), max(256, 2 ** int(np.log2(max(2, len(standard) / 4)))), 4096)
    # without the mean, which is no oscillation
    frequencies, power = np.fft.rfftfreq(length, 1 / (rate or 1.0))[1:], welch(standard, length)[1:]
    total = power.sum()
    if not total > 0:
        return None
    last = max(8, int(np.searchsorted(np.cumsum(power), POWER * total)) + 1)
    frequencies, power = frequencies[: 2 * last], power[: 2 * last]
    strongest = peak(frequencies, power)
    decibels = np.maximum(10 * np.log10(np.maximum(power / power.max(), 1e-300)), FLOOR)
    # the largest of each group of lines: a sharp peak must not be averaged away
    starts = np.linspace(0, len(power), min(LINES, len(power)) + 1).astype(int)[:-1]
    return {
        "frequency": rounded(frequencies[starts]),
        "decibels": rounded(np.maximum.reduceat(decibels, starts)),
        "strongest": float(f"{strongest:.5g}"),
    }


def peak(frequencies: np.ndarray, power: np.ndarray) -> float:
    """Frequency of the largest power: the top of a parabola through the logarithms of its line and the two beside."""
    j = int(np.argmax(power))
    if not 0 < j < len(power) - 1 or not power[j - 1 : j + 2].min() > 0:
        return float(frequencies[j])
    below, at, above = np.log(power[j - 1 : j + 2])
    shift = 0.5 * (below - above) / min(below - 2 * at + above, -1e-12)
    return float(frequencies[j] + np.clip(shift, -0.5, 0.5) * (frequencies[1] - frequencies[0]))


def histogram(standard: np.ndarray) -> dict[str, Any]:
    """Density of the standardised values between -4 and 4, and the share beyond (0.006 % of a Gaussian)."""
    edges = np.linspace(-HISTOGRAM_RANGE, HISTOGRAM_RANGE, BINS + 1)
    counts, _ = np.histogram(standard, edges)
    width = edges[1] - edges[0]
    return {
        "low": -HISTOGRAM_RANGE,
        "high": HISTOGRAM_RANGE,
        "density": rounded(counts / max(1, len(standard)) / width),
        "beyond": float(1 - counts.sum() / max(1, len(standard))),
    }
