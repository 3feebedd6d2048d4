"""Arrays of a stored data set, with its file closed behind them."""

from pathlib import Path

import numpy as np


def stored(path: Path) -> dict[str, np.ndarray]:
    with np.load(path) as file:
        return dict(file)
