"""Draws docs/assets/annealing.png: one data set from one cluster down through its splits."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from unmix.cluster import SoftKMeans

CENTRES = np.array([[-6.0, -2.0], [-4.0, 2.0], [1.0, 0.0], [5.0, 2.5], [6.5, -2.0], [8.0, 1.0]])


def nested_groups() -> np.ndarray:
    """Six groups of a hundred rows, in two halves."""
    rng = np.random.default_rng(0)
    return np.repeat(CENTRES, 100, axis=0) + 0.7 * rng.normal(size=(600, 2))


def figures() -> dict[str, Figure]:
    X = nested_groups()
    full = SoftKMeans(6, refine="lloyd").fit(X)
    path = full.temperature_path_
    figure, axes = plt.subplots(3, 1, figsize=(7, 8), sharex=True, height_ratios=[2, 1, 1])
    for T in np.geomspace(1.3 * full.critical_temperatures_[0], 0.1, 90):
        centres = SoftKMeans(6, temperature=float(T)).fit(X).cluster_centers_
        axes[0].plot(np.full(len(centres), T), centres[:, 0], ".", color="#3b4ba3", markersize=4)
    axes[0].set_ylabel("first coordinate of the centres")
    axes[1].plot(path["temperature"], path["free_energy"], color="#3b4ba3", label="free energy")
    axes[1].plot(path["temperature"], path["cost"], "--", color="#888888", label="expected cost")
    axes[1].set_ylabel("a row")
    axes[1].legend(frameon=False)
    axes[2].plot(path["temperature"], path["specific_heat"], color="#b3472f")
    axes[2].set_ylabel("specific heat dE/dT")
    axes[2].set_xlabel("temperature (falls to the right)")
    for axis in axes:
        axis.set_xscale("log")
        axis.spines[["top", "right"]].set_visible(False)
        for T in full.critical_temperatures_:
            axis.axvline(T, color="#bbbbbb", linewidth=0.8, linestyle=":", zorder=0)
    axes[0].set_xlim(1.3 * full.critical_temperatures_[0], 0.1)
    return {"annealing": figure}
