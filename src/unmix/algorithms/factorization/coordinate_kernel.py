"""Compiled coordinate descent on quadratic functions whose every entry is limited and pays for itself."""

from __future__ import annotations

import numpy as np

from unmix.core.compiled.kernel import kernel


@kernel
def descend(
    gram: np.ndarray, own: int, cross: np.ndarray, V: np.ndarray, l1: np.ndarray, l2: np.ndarray, low: np.ndarray,
    high: np.ndarray, most: int, share: float, slope: np.ndarray,
) -> None:  # fmt: skip
    """Improve every row of V in place: up to ``most`` sweeps, fewer when one gains less than ``share`` of the first.

    ``own`` is 1 where every row has a matrix of its own, 0 where they share the first.
    """
    n, k = V.shape
    for i in range(n):
        at = i * own
        for c in range(k):
            slope[c] = cross[i, c]
            for other in range(k):
                slope[c] -= gram[at, c, other] * V[i, other]
        enough = 0.0
        for repeat in range(most):
            gain = 0.0
            for c in range(k):
                curvature = gram[at, c, c] + l2[c]
                if curvature <= 0.0:
                    continue  # nothing depends on it
                old = V[i, c]
                pull = slope[c] + gram[at, c, c] * old
                new = max(pull - l1[c], 0.0) + min(pull + l1[c], 0.0)
                new = min(max(new / curvature, low[c]), high[c])
                step = new - old
                if step != 0.0:
                    V[i, c] = new
                    gain += step * step * curvature
                    for other in range(k):
                        slope[other] -= step * gram[at, c, other]
            if repeat == 0:
                enough = gain * share
            if gain <= enough:
                break
