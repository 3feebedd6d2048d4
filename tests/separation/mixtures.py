"""Known mixtures: sources inside and outside of what each method assumes."""

import numpy as np


def mixture(kind="laplace", n=4000, k=4, seed=0):
    """(rows, true sources, mixing)."""
    rng = np.random.default_rng(seed)
    draw = {
        "laplace": lambda: rng.laplace(size=(n, k)),
        "uniform": lambda: rng.uniform(-1, 1, size=(n, k)),
        "gaussian": lambda: rng.normal(size=(n, k)),
    }
    if kind == "mixed":
        sources = np.where(np.arange(k) % 2, rng.uniform(-2, 2, size=(n, k)), rng.laplace(size=(n, k)))
    else:
        sources = draw[kind]()
    mixing = rng.normal(size=(k, k))
    return sources @ mixing.T + rng.normal(size=k), sources, mixing
