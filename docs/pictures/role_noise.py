"""Draws docs/assets/role_noise.png: methods against noise, the sweep of benchmarks/roles (needs matplotlib)."""

from pathlib import Path

import matplotlib
import numpy as np

from benchmarks.roles.noise import NOISE, sweep

matplotlib.use("Agg")
import matplotlib.pyplot as plt

root = Path(__file__).parents[2]
COLOURS = ["#b3472f", "#3b4ba3", "#2e8b74", "#8fbf6a", "#c79a2b", "#8a5fa8", "#888888", "#444444"]
TITLES = ("distance to the true roles", "error on hidden permissions of new users")


def main() -> None:
    results = sweep(20)
    figure, axes = plt.subplots(1, 2, figsize=(10, 4.2))
    for axis, column, title in zip(axes, (0, 2), TITLES):
        for colour, (name, values) in zip(COLOURS, results.items()):
            part = values[:, :, column]
            if not np.isnan(part).all():
                mean, error = np.nanmean(part, axis=1), np.nanstd(part, axis=1) / part.shape[1] ** 0.5
                width = 2.5 if name.startswith("multi") else 1.3
                axis.errorbar(100 * np.array(NOISE), mean, error, color=colour, linewidth=width, capsize=2, label=name)
        axis.set_xlabel("entries replaced by a fair coin, %")
        axis.set_title(title, fontsize=10)
        axis.set_ylim(bottom=0)
        axis.spines[["top", "right"]].set_visible(False)
    handles, names = axes[1].get_legend_handles_labels()
    figure.legend(handles, names, loc="center right", frameon=False, fontsize=8)
    figure.tight_layout(rect=(0, 0, 0.78, 1))
    figure.savefig(root / "docs" / "assets" / "role_noise.png", dpi=90)


if __name__ == "__main__":
    main()
