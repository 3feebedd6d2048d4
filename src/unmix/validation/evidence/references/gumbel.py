"""The law of a maximum: P(max ≤ x) = exp(-exp(-(x - location) / scale))  (Gumbel 1935)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

FEWEST = 5  # values that tell a spread


class Gumbel(NamedTuple):
    """Fitted by moments: sd = π scale / √6, mean = location + γ scale.

    A zero says that there was nothing to take the maximum of, not how large it would have been; the law is that of the
    other values, if they are enough to tell it.

    >>> law = Gumbel(0.0, 1.0)
    >>> round(law.tail(law.quantile(0.95)), 12)
    0.05
    """

    location: float
    scale: float

    @classmethod
    def of(cls, sample: np.ndarray) -> Gumbel:
        some = sample[sample > 0]
        sample = some if len(some) >= FEWEST else sample
        scale = max(float(np.std(sample, ddof=1)) * np.sqrt(6) / np.pi, 1e-12)
        return cls(float(sample.mean()) - np.euler_gamma * scale, scale)

    def quantile(self, p: float) -> float:
        return float(self.location - self.scale * np.log(-np.log(p)))

    def tail(self, x: float) -> float:
        """P(max > x)."""
        return float(-np.expm1(-np.exp(-(x - self.location) / self.scale)))
