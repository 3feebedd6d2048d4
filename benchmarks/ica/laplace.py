"""Peaked sources and a mixing drawn at random."""

from typing import Any

import numpy as np


def mixed_laplace(n: int, k: int, dtype: Any) -> dict[str, Any]:
    rng = np.random.default_rng(0)
    mixing = rng.normal(size=(k, k))
    return {"X": (rng.laplace(size=(n, k)) @ mixing.T).astype(dtype), "mixing": mixing}
