"""Random streams named by what they are for: a seed and a path of integers, never by who draws first."""

from __future__ import annotations

import numpy as np


def spawn(seed: int, *key: int) -> np.random.Generator:
    """The stream of ``key`` under ``seed``; different keys give independent streams.

    >>> spawn(0, 3).random() == spawn(0, 3).random()
    True
    """
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def derive(seed: int, *key: int) -> int:
    """The seed of a part that opens streams of its own: under one seed theirs and the caller's would be the same."""
    return int(spawn(seed, *key).integers(2**31))
