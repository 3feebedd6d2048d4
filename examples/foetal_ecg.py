"""The heartbeat of an unborn child, found in five recordings from its mother's abdomen: picture and heart rates.

    python examples/foetal_ecg.py foetal_ecg.npz picture.png

The file holds X (2500 moments, 8 channels: five abdominal, three thoracic) at 250 Hz: the foetal ECG of the DaISy
database (De Moor et al., KU Leuven). The picture needs matplotlib.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.signal import find_peaks

from unmix.separation import FastICA

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RATE = 250
SLOWEST, FASTEST = 45, 200  # beats a minute


class Heart(NamedTuple):
    """Beats a minute by two ways that know nothing of each other, and how unequal the intervals between beats are."""

    by_peaks: float
    by_autocorrelation: float
    irregularity: float
    beats: np.ndarray

    @property
    def is_one(self) -> bool:
        """A heart beats regularly, and both ways see the same rate."""
        return self.irregularity < 0.1 and abs(self.by_peaks / self.by_autocorrelation - 1) < 0.05


def listen(signal: np.ndarray, rate: float = RATE) -> Heart:
    """Look for a heartbeat in a signal."""
    size = np.abs(signal - np.median(signal))
    beats, _ = find_peaks(size, height=0.5 * np.sort(size)[-25], distance=round(rate * 60 / FASTEST))
    intervals = np.diff(beats) / rate
    energy = np.convolve(size, np.ones(round(0.04 * rate)), "same")
    energy -= energy.mean()
    repeats = np.correlate(energy, energy, "full")[len(energy) - 1 :]
    shortest, longest = round(rate * 60 / FASTEST), round(rate * 60 / SLOWEST)
    period = shortest + int(np.argmax(repeats[shortest:longest]))
    return Heart(60 / np.median(intervals), 60 * rate / period, intervals.std() / intervals.mean(), beats)


def separate(X: np.ndarray, seed: int = 0) -> tuple[np.ndarray, list[Heart]]:
    """Sources of the abdominal channels, peaks upwards, and what is heard in each."""
    sources = FastICA(random_state=seed).fit_transform(X[:, :5])
    sources *= np.sign((sources**3).mean(axis=0))
    return sources, [listen(source) for source in sources.T]


def draw(X: np.ndarray, sources: np.ndarray, hearts: list[Heart]) -> Figure:
    """Channels on the left, sources on the right, beats of the two hearts marked."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(5, 2, figsize=(11, 6.5), sharex=True, layout="constrained")
    t = np.arange(len(X)) / RATE
    for j, (left, right) in enumerate(axes):
        left.plot(t, X[:, j], color="0.45", linewidth=0.7)
        left.set_ylabel(f"abdomen {j + 1}", fontsize=8)
        heart = hearts[j]
        foetal = heart.is_one and heart.by_peaks > 110
        colour, who = ("C3", "child") if foetal else ("C0", "mother") if heart.is_one else ("0.45", None)
        right.plot(t, sources[:, j], color=colour, linewidth=0.7)
        if who:
            right.plot(t[heart.beats], np.full(len(heart.beats), sources[:, j].max() * 1.15), "v", color=colour, ms=4)
        title = f"source {j + 1}: {who}, {heart.by_peaks:.0f} beats a minute" if who else f"source {j + 1}"
        right.set_title(title, fontsize=9, color=colour, loc="left")
        for axis in (left, right):
            axis.set_yticks([])
            axis.spines[["top", "right", "left"]].set_visible(False)
            axis.tick_params(labelsize=8)
    for axis in axes[-1]:
        axis.set_xlabel("seconds", fontsize=8)
    return figure


def main(data: str, path: str | None = None) -> None:
    X = np.load(data)["X"]
    sources, hearts = separate(X)
    for j, heart in enumerate(hearts):
        rates = f"{heart.by_peaks:.0f} by peaks, {heart.by_autocorrelation:.0f} by autocorrelation"
        found = "a heart" if heart.is_one else "no heart"
        print(f"source {j + 1}: {found}, {rates}, intervals vary by {100 * heart.irregularity:.0f} %")
    if path:
        draw(X, sources, hearts).savefig(path, dpi=90)


if __name__ == "__main__":
    main(*sys.argv[1:])
