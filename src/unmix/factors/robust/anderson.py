"""Anderson's extrapolation of a fixed-point iteration: of the last steps, the mixture that would have moved least.

    x⁺ = g - ΔG γ,   γ = argmin ‖f - ΔF γ‖,   f = g(x) - x

For linear maps it does what GMRES does. It forgets all steps when one is twice as long as the shortest so far.
Anderson, Journal of the ACM 12, 1965; Walker & Ni, SIAM Journal on Numerical Analysis 49, 2011.
"""

from __future__ import annotations

import numpy as np


class Anderson:
    """Remembers the last steps of one iteration, fewer of large arrays."""

    def __init__(self, memory: int = 10, most_entries: float = 4e7) -> None:
        self._memory, self._most_entries = memory, most_entries
        self._shortest = np.inf
        self._forget()

    def _forget(self) -> None:
        self._last: tuple[np.ndarray, np.ndarray] | None = None
        self._steps: list[np.ndarray] = []
        self._images: list[np.ndarray] = []
        self._gram = np.zeros((0, 0))

    def mix(self, x: np.ndarray, image: np.ndarray) -> np.ndarray:
        """The next point after ``image = g(x)``."""
        step = image - x
        length = float(np.linalg.norm(step))
        if length > 2 * self._shortest:
            self._forget()
        self._shortest = min(self._shortest, length)
        if self._last is not None:
            self._remember(step - self._last[0], image - self._last[1])
        self._last = step, image
        if not self._steps:
            return image
        right = np.array([float(np.vdot(kept, step)) for kept in self._steps])
        scale = np.sqrt(np.maximum(np.diag(self._gram), np.finfo(float).tiny))  # steps shrink: all count alike
        mixture = np.linalg.lstsq(self._gram / np.outer(scale, scale), right / scale, rcond=1e-13)[0] / scale
        mixed = image.copy()
        for weight, difference in zip(mixture, self._images):
            mixed -= weight * difference
        return mixed

    def _remember(self, step: np.ndarray, image: np.ndarray) -> None:
        room = max(1, min(self._memory, int(self._most_entries / max(2 * step.size, 1)))) - 1
        drop = max(0, len(self._steps) - room)
        self._steps, self._images, gram = self._steps[drop:], self._images[drop:], self._gram[drop:, drop:]
        self._steps.append(step)
        self._images.append(image)
        products = np.array([float(np.vdot(kept, step)) for kept in self._steps])
        self._gram = np.zeros((len(products), len(products)))
        self._gram[:-1, :-1] = gram
        self._gram[-1, :] = self._gram[:, -1] = products
