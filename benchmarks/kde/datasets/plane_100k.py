"""four clusters and a wide background, 100k × 2, 10k queries, width by Scott's rule of a cluster."""

import numpy as np


def load(quick: bool) -> dict:
    rng = np.random.default_rng(0)
    n, m = (10_000, 1_000) if quick else (100_000, 10_000)
    centers = np.array([[0.0, 0.0], [4.0, 1.0], [-3.0, 4.0], [1.0, -5.0]])

    def draw(rows: int) -> np.ndarray:
        points = centers[rng.integers(0, 4, rows)] + rng.normal(size=(rows, 2)) * 0.7
        points[rng.random(rows) < 0.05] *= 2
        return points

    return {"X": draw(n), "queries": draw(m), "bandwidth": 0.7 * (n / 4) ** (-1 / 6)}
