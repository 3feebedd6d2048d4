"""Vectors under limits on their entries to the last digits: active sets, from where coordinate descent has come.

    minimise ½ z G z - c·z + Σ l1 |z_a|   over low ≤ z ≤ high,    G with l2 on its diagonal

Entries between their limits (and, if they pay l1, away from 0) are free.  What they solve together is gone towards
until one of them meets a limit, where it rests; when they are where they want to be, the entry at rest along which the
value falls fastest is let go.  The value falls with every step, so no set of free entries comes twice.  Coordinate
descent stands still far from the minimum where rows of U nearly say the same; this does not.

Lawson & Hanson, Solving Least Squares Problems, 1974, chapter 23; Lee, Battle, Raina & Ng, NIPS 2007 (with l1).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.factorization.limits import Limits

ROUNDING = 1e-13  # slopes below this share of what they are made of are none
RIDGE = 1e-13  # of the diagonal, so that free entries that say the same can be solved for
NO_GAIN = 1e-16  # of the value: a step for nothing
ROUNDS = 10  # steps for every entry of a vector, at most
ENTRIES = 2**17  # of the matrices held at once


class At(NamedTuple):
    """Some vectors, where their entries are pulled to, and which of them are free."""

    z: np.ndarray
    down: np.ndarray
    free: np.ndarray
    wrong: np.ndarray  # entries that want to and may move


def finish(limits: Limits, gram: np.ndarray, cross: np.ndarray, V: np.ndarray) -> np.ndarray:
    """The minima for all vectors; ``gram`` is (1, k, k), for all, or (m, k, k)."""
    k, out = V.shape[1], V.astype(np.float64)
    size = max(16, ENTRIES // k**2)
    for start in range(0, len(V), size):
        part = slice(start, start + size)
        full = (gram if len(gram) == 1 else gram[part]).astype(np.float64)
        full[:, np.arange(k), np.arange(k)] += limits.l2
        finish_some(limits, full, cross[part].astype(np.float64), out[part])
    return out.astype(V.dtype, copy=False)


def finish_some(limits: Limits, full: np.ndarray, cross: np.ndarray, out: np.ndarray) -> None:
    """In place, step by step, until no vector gains."""
    left = np.arange(len(out))
    for _ in range(ROUNDS * out.shape[1]):
        G = full if len(full) == 1 else full[left]
        at = look(limits, G, cross[left], out[left])
        busy = at.wrong.any(axis=1)
        left, at = left[busy], At(*(part[busy] for part in at))
        if not len(left):
            return
        out[left], gained = stepped(limits, G if len(G) == 1 else G[busy], at)
        left = left[gained]


def look(limits: Limits, G: np.ndarray, cross: np.ndarray, z: np.ndarray) -> At:
    slope, size = cross - product(G, z), product(np.abs(G), np.abs(z))
    soft = np.sign(slope) * np.maximum(np.abs(slope) - limits.l1, 0.0)
    down = np.where(z == 0, soft, slope - limits.l1 * np.sign(z))
    free = (z > limits.low) & (z < limits.high) & ((limits.l1 == 0) | (z != 0))
    held = ((z <= limits.low) & (down < 0)) | ((z >= limits.high) & (down > 0))
    moves = np.diagonal(G, axis1=1, axis2=2) > 0
    return At(z, down, free, moves & ~held & (np.abs(down) > ROUNDING * (np.abs(cross) + size + limits.l1)))


def product(G: np.ndarray, z: np.ndarray) -> np.ndarray:
    image: np.ndarray = z @ G[0] if len(G) == 1 else np.matmul(G, z[:, :, None])[:, :, 0]
    return image


def stepped(limits: Limits, G: np.ndarray, at: At) -> tuple[np.ndarray, np.ndarray]:
    """One step of every vector, and which of them gained by it."""
    m, k = at.z.shape
    bend = np.broadcast_to(np.diagonal(G, axis1=1, axis2=2), (m, k))
    gain = np.where(at.wrong & ~at.free, at.down**2 / np.where(bend > 0, bend, 1.0), -1.0)
    enters = gain.argmax(axis=1)
    settled = ~(at.wrong & at.free).any(axis=1)
    moving = at.free & (bend > 0)
    moving[settled, enters[settled]] = True
    matrix = np.where(moving[:, :, None] & moving[:, None, :], G, 0.0)
    matrix[:, np.arange(k), np.arange(k)] += np.where(moving, RIDGE * bend, 1.0)
    way = np.linalg.solve(matrix, np.where(moving, at.down, 0.0)[:, :, None])[:, :, 0]
    low, high = sides(limits, at)
    ends = np.where(way < 0, low, high)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        shares = np.where(moving & (way != 0), (ends - at.z) / way, np.inf)
    share = np.minimum(shares.min(axis=1, keepdims=True), 1.0)
    new = np.where(shares <= share, ends, np.clip(at.z + share * way, low, high))
    new = np.where(moving, new, at.z)
    gained = share[:, 0] * (at.down * way).sum(axis=1) > NO_GAIN * np.abs(at.down * at.z).sum(axis=1)
    return new, gained


def sides(limits: Limits, at: At) -> tuple[np.ndarray, np.ndarray]:
    """Between which numbers an entry keeps its sign, if it pays by its size, and its limits."""
    sign = np.where(at.z != 0, np.sign(at.z), np.sign(at.down))
    low = np.where((limits.l1 > 0) & (sign > 0), np.maximum(limits.low, 0.0), limits.low)
    high = np.where((limits.l1 > 0) & (sign < 0), np.minimum(limits.high, 0.0), limits.high)
    return low, high
