"""Anderson's extrapolation of a fixed-point iteration: of the last steps, the mixture that would have moved least.

    x⁺ = g - ΔG γ,   γ = argmin ‖f - ΔF γ‖,   f = g(x) - x

For linear maps it does what GMRES does. It forgets all steps when one is twice as long as the shortest so far.
Anderson, Journal of the ACM 12, 1965; Walker & Ni, SIAM Journal on Numerical Analysis 49, 2011.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

MOST_ENTRIES = 4e7  # that may be remembered: fewer steps of large arrays


class Memory(NamedTuple):
    """The last step and image, the differences between those before with their inner products, the shortest step."""

    step: np.ndarray | None
    image: np.ndarray | None
    steps: tuple[np.ndarray, ...]
    images: tuple[np.ndarray, ...]
    gram: np.ndarray
    shortest: float


NO_MEMORY = Memory(None, None, (), (), np.zeros((0, 0)), float("inf"))


def extrapolate(memory: Memory, x: np.ndarray, image: np.ndarray, depth: int = 10) -> tuple[Memory, np.ndarray]:
    """What to remember, and the next point, after ``image = g(x)``; at most ``depth`` steps are mixed."""
    step = image - x
    length = float(np.linalg.norm(step))
    if length > 2 * memory.shortest:
        memory = NO_MEMORY._replace(shortest=memory.shortest)
    memory = _remember(memory, step, image, depth)._replace(shortest=min(memory.shortest, length))
    if not memory.steps:
        return memory, image
    right = np.array([float(np.vdot(kept, step)) for kept in memory.steps])
    scale = np.sqrt(np.maximum(np.diag(memory.gram), np.finfo(float).tiny))  # steps shrink: all count alike
    mixture = np.linalg.lstsq(memory.gram / np.outer(scale, scale), right / scale, rcond=1e-13)[0] / scale
    mixed = image.copy()
    for weight, difference in zip(mixture, memory.images):
        mixed -= weight * difference
    return memory, mixed


def _remember(memory: Memory, step: np.ndarray, image: np.ndarray, depth: int) -> Memory:
    if memory.step is None or memory.image is None:
        return memory._replace(step=step, image=image)
    room = max(1, min(depth, int(MOST_ENTRIES / max(2 * step.size, 1)))) - 1
    drop = max(0, len(memory.steps) - room)
    steps = (*memory.steps[drop:], step - memory.step)
    images = (*memory.images[drop:], image - memory.image)
    gram = np.zeros((len(steps), len(steps)))
    gram[:-1, :-1] = memory.gram[drop:, drop:]
    gram[-1, :] = gram[:, -1] = [float(np.vdot(kept, steps[-1])) for kept in steps]
    return Memory(step, image, steps, images, gram, memory.shortest)
