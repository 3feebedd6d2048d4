"""Answers averaged over the later iterations: what converges where single answers jump.

    x̄ = Σ_k step_k x_k / Σ_k step_k     over a window that is always the last half or more of the run

Larsson, Patriksson & Strömberg, Mathematical Programming 86, 1999.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Window(NamedTuple):
    """Two running sums: the older one is read, and gives way to the younger when that is as long as all before."""

    older: np.ndarray
    younger: np.ndarray
    total: int
    since: int

    @staticmethod
    def empty(d: int) -> Window:
        return Window(np.zeros(d + 2), np.zeros(d + 2), 0, 0)


def add_to(window: Window, x: np.ndarray, value: float, weight: float) -> Window:
    """The window with one more answer; a sum holds weight, weight × value and weight × x.

    An answer without a weight has the mean of those before it: a step of length 0 says that the answer is good.
    """
    if not weight > 0:
        weight = float(window.older[0] / (window.total - window.since // 2)) if window.older[0] > 0 else 1.0
    entry = weight * np.concatenate([[1.0, value], x])
    older, younger, total = window.older + entry, window.younger + entry, window.total + 1
    if total >= 2 * max(window.since, 1):
        return Window(younger, np.zeros_like(younger), total, total)
    return Window(older, younger, total, window.since)


def mean_of(window: Window) -> tuple[np.ndarray, float]:
    weight = window.older[0]
    return window.older[2:] / weight, float(window.older[1] / weight)
