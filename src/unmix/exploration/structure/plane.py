"""The map: rows in the plane of the first two principal components, a random sample where there are many."""

from __future__ import annotations

import numpy as np

from unmix.core.random import spawn
from unmix.exploration.findings.records import Map, Spectrum

most_points = 4000


def make_map(
    scores: np.ndarray, spectrum: Spectrum, labels: np.ndarray, confidence: np.ndarray, rows: np.ndarray, seed: int
) -> Map:
    n = len(scores)
    shown = np.arange(n) if n <= most_points else np.sort(spawn(seed, 6).choice(n, most_points, replace=False))
    if scores.shape[1] > 1:
        y, y_label = scores[shown, 1], axis_label(spectrum, 1)
    else:
        y, y_label = (
            spawn(seed, 7).uniform(-1, 1, len(shown)),
            "spread at random, to keep points apart",
        )
    return Map(
        _rounded(scores[shown, 0]), _rounded(y), labels[shown].tolist(), rows[shown].tolist(),
        np.round(confidence[shown], 3).tolist(), axis_label(spectrum, 0), y_label, len(shown), n,
    )  # fmt: skip


def axis_label(spectrum: Spectrum, j: int) -> str:
    """The component's number, its share of the variance and the two columns that weigh most in it."""
    if len(spectrum.explained_variance_ratio) == 1:
        return f"{spectrum.loadings[0][0]['column']}, standardised"
    heaviest = ", ".join(str(item["column"]) for item in spectrum.loadings[j][:2])
    return f"component {j + 1} ({100 * spectrum.explained_variance_ratio[j]:.0f} % of the variance): mostly {heaviest}"


def _rounded(values: np.ndarray) -> list[float]:
    return np.round(values, 3).tolist()
