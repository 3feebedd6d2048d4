"""Draws docs/assets/role-noise.png: methods against noise, by the stored sweep of benchmarks/roles.

`python docs/pictures/role_noise.py` measures it anew, a minute and a half; tests repeat the first two tables of it.
"""

import json
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from benchmarks.roles.noise import NOISE, sweep

STORED = Path(__file__).parents[2] / "benchmarks" / "stored" / "role_noise.json"
PAGE = "methods/multi_assignment_clustering.md"
TABLES, AGAIN = 20, 2
ON_THE_PAGE = ("multi-assignment clustering", "discrete basis, refitted", "discrete basis, as published")
COLOURS = ["#b3472f", "#3b4ba3", "#2e8b74", "#8fbf6a", "#c79a2b", "#8a5fa8", "#888888", "#444444"]
TITLES = {"distance to the true roles": 0, "error on hidden permissions of new users": 2}


def rounded(results: dict[str, np.ndarray]) -> dict[str, list]:
    """To the digits that are kept; None where a method found more roles than there are."""
    return {
        name: [[[None if np.isnan(x) else round(float(x), 6) for x in one] for one in row] for row in values]
        for name, values in results.items()
    }


def stored() -> dict[str, np.ndarray]:
    kept = json.loads(STORED.read_text(encoding="utf-8"))
    return {name: np.array(values, dtype=float) for name, values in kept.items()}


def summary(part: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Means over tables, and their standard errors."""
    return np.nanmean(part, axis=1), np.nanstd(part, axis=1, ddof=1) / part.shape[1] ** 0.5


def shown() -> dict:
    lines = []
    for column in TITLES.values():
        for name in ON_THE_PAGE:
            cells = [f"{mean:.4f} ± {error:.4f}" for mean, error in zip(*summary(stored()[name][:, :, column]))]
            lines.append(f"| {name} | " + " | ".join(cells) + " |")
    kept = rounded({name: values[:, :AGAIN] for name, values in stored().items()})
    return {"on the page": lines, "the first tables give what is stored": rounded(sweep(AGAIN)) == kept}


def figures() -> dict[str, Figure]:
    figure, axes = plt.subplots(1, 2, figsize=(10, 4.2))
    for axis, (title, column) in zip(axes, TITLES.items()):
        for colour, (name, values) in zip(COLOURS, stored().items()):
            if not np.isnan(values[:, :, column]).all():
                width = 2.5 if name.startswith("multi") else 1.3
                mean, error = summary(values[:, :, column])
                axis.errorbar(100 * np.array(NOISE), mean, error, color=colour, linewidth=width, capsize=2, label=name)
        axis.set_xlabel("entries replaced by a fair coin, %")
        axis.set_title(title)
        axis.set_ylim(bottom=0)
    figure.legend(*axes[1].get_legend_handles_labels(), loc="outside right center", fontsize=8)
    return {"role-noise": figure}


if __name__ == "__main__":
    STORED.write_text(json.dumps(rounded(sweep(TABLES))) + "\n", encoding="utf-8")
