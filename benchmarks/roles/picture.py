"""Draws the sweep over noise: python -m benchmarks.roles.picture docs/assets/role-noise.png (some minutes)."""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from benchmarks.roles.noise import NOISE, sweep

COLOURS = {
    "multi-assignment clustering": "#b5452c",
    "single-assignment clustering": "#3b4ba0",
    "discrete basis, refitted": "#2e8b74",
    "discrete basis, as published": "#8fbf6a",
    "FastMiner, cover": "#c79a2b",
    "Hamming K-means": "#8b5ba5",
    "rounded SVD": "#888888",
    "SVD denoising": "#444444",
}
PANELS = ((0, "distance to the true roles"), (2, "error on hidden permissions of new users"))
NEAREST = ("multi-assignment clustering", "discrete basis, refitted")


def draw(results: dict[str, np.ndarray], path: Path) -> None:
    """Means with standard errors; the last panel is the second best minus the best, table by table."""
    figure, axes = plt.subplots(1, 3, figsize=(14, 3.9), width_ratios=(1, 1, 0.9))
    noise = 100 * np.array(NOISE)
    for axis, (index, title) in zip(axes, PANELS):
        for name, values in results.items():
            part = values[:, :, index]
            if not np.isnan(part).all():
                best = name == NEAREST[0]
                axis.errorbar(
                    noise, *mean_and_error(part), color=COLOURS[name], lw=3 if best else 1.4, capsize=3, label=name
                )
        axis.set(title=title, ylim=(0, None))
    gap = results[NEAREST[1]] - results[NEAREST[0]]
    for index, title, style in ((0, "true roles", "-"), (2, "new users", "--")):
        axes[2].errorbar(noise, *mean_and_error(gap[:, :, index]), color="#2e8b74", ls=style, capsize=3, label=title)
    axes[2].axhline(0, color="#b5452c", lw=2)
    axes[2].set(title="refitted discrete basis, worse by")
    axes[2].legend(frameon=False, fontsize=8)
    for axis in axes:
        axis.set(xlabel="entries replaced by a fair coin, %", xticks=noise)
        axis.spines[["top", "right"]].set_visible(False)
    handles, labels = axes[1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside center right", frameon=False, fontsize=8)
    figure.tight_layout(rect=(0, 0, 0.83, 1))
    figure.savefig(path, dpi=80)


def mean_and_error(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.nanmean(values, axis=1), np.nanstd(values, axis=1, ddof=1) / values.shape[1] ** 0.5


if __name__ == "__main__":
    draw(sweep(20), Path(sys.argv[1]))
