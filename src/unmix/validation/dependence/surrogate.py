"""Tables without groups whose rows depend on each other as those of a given table do, in its order.

Principal scores of the rows are turned into waves, and every wave gets a random phase, the same in all columns:

    S*(t) = irfft(rfft(S) e^{iθ}),   θ uniform                        (Theiler et al. 1992; Prichard & Theiler 1994)

which keeps all correlations between columns at all lags, and nothing else. Waves come back to where they began, which
a walk does not: so scores are followed by themselves backwards, and the first half of the waves is taken. Where only
neighbours depend, scores are S*_i = φ S*_{i-1} + sqrt(1 - φ²) ε_i instead. Every second time they go through
√3 (2 Φ(s) - 1), which makes them flat, as in `uniform_reference`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from unmix.validation.evidence.references.reference import Reference, reference_like


@dataclass(frozen=True)
class DependentReference:
    """Makes references for some or all rows of `ordered`, which stand in the order along which they depend.

    `coefficient` is φ where only neighbours depend on each other, else None.
    """

    ordered: np.ndarray
    coefficient: float | None = None

    def __call__(self, X: np.ndarray) -> Reference:
        n = len(self.ordered)
        scores = np.linalg.svd(_unit(self.ordered), full_matrices=False)[0] * np.sqrt(n)

        def dependent(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
            drawn = other_phases(scores, rng) if self.coefficient is None else following(n, d, self.coefficient, rng)
            return flattened(drawn, rng)

        draw = reference_like(self.ordered, dependent)

        def table(rng: np.random.Generator) -> np.ndarray:
            rows = draw(rng).astype(X.dtype, copy=False)
            return rows if len(X) == n else rows[np.sort(rng.choice(n, len(X), replace=len(X) > n))]

        return table


def other_phases(scores: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Columns of the same spectra and cross-spectra as those of the scores there and back again."""
    n = len(scores)
    waves = np.fft.rfft(np.vstack([scores, scores[::-1]]), axis=0)
    turned = np.exp(2j * np.pi * rng.random(len(waves)))
    turned[[0, -1]] = 1.0  # the mean, and the wave of period two, have no phase
    return np.fft.irfft(waves * turned[:, None], 2 * n, axis=0)[:n]


def following(n: int, d: int, coefficient: float, rng: np.random.Generator) -> np.ndarray:
    """Rows of unit variance that follow the row before them."""
    from scipy.signal import lfilter  # loads much, and few tables need it

    noise = rng.standard_normal((n, d))
    noise[1:] *= np.sqrt(1 - coefficient**2)
    return lfilter([1.0], [1.0, -coefficient], noise, axis=0)


def flattened(scores: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.sqrt(3) * (2 * ndtr(scores) - 1) if rng.random() < 0.5 else scores


def _unit(X: np.ndarray) -> np.ndarray:
    centred = np.asarray(X, dtype=np.float64) - X.mean(axis=0, dtype=np.float64)
    return centred / (np.abs(centred).max(initial=0.0) or 1.0)
