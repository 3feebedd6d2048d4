"""KDEpy.FFTKDE on a grid of 512 × 512, read at the queries by linear interpolation; one and two dimensions only."""

import numpy as np

requires = ["KDEpy"]


def unable(X: np.ndarray, **data: object) -> str:
    return "a grid in so many dimensions does not fit" if X.shape[1] > 2 else ""


def solve(X: np.ndarray, queries: np.ndarray, bandwidth: float, seed: int, threads: int) -> np.ndarray:
    from KDEpy import FFTKDE
    from scipy.interpolate import RegularGridInterpolator

    points, values = FFTKDE(kernel="gaussian", bw=bandwidth).fit(X).evaluate((512, 512))
    axes = np.unique(points[:, 0]), np.unique(points[:, 1])
    read = RegularGridInterpolator(axes, values.reshape(512, 512), bounds_error=False, fill_value=0.0)
    return np.log(np.maximum(read(queries), 1e-300))
