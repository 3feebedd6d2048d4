"""Random streams named by what they are for: a seed and a path of integers, never by who draws first."""

from __future__ import annotations

import numpy as np


def spawn(seed: int, *key: int) -> np.random.Generator:
    """The stream of ``key`` under ``seed``; different keys give independent streams.

    >>> spawn(0, 3).random() == spawn(0, 3).random()
    True
    """
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
