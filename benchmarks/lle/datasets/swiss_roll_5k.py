"""swiss roll, 5k × 3, 12 neighbours, 2 components."""

import numpy as np


def load(quick: bool) -> dict:
    rng = np.random.default_rng(0)
    n = 1_000 if quick else 5_000
    along, across = 1.5 * np.pi * (1 + 2 * rng.uniform(size=n)), 21 * rng.uniform(size=n)
    X = np.column_stack([along * np.cos(along), across, along * np.sin(along)])
    return {"X": X, "n_neighbors": 12, "n_components": 2}
