"""Deterministic annealing of histograms in k clusters that count alike from the beginning.

    q_ic ∝ exp(-h_ic(U) / T)        no mass of the clusters enters

Where clusters have masses, one of few rows is cheap: it takes T I(row; cluster) ≈ 0. In tables of few counts a row, or
of more clusters than there are groups, such clusters part first and take the places of larger ones. Here a cluster that
holds few rows attracts others by its temperature, so that all k stay in use down to low ones. It tells no splits and
counts coinciding clusters as often as they are held, so it is one way to a hard clustering, not a path of its own.

Puzicha, Hofmann and Buhmann, Histogram clustering for unsupervised segmentation and image retrieval, 1999.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.core.random import spawn
from unmix.costs.distributions.relative_entropy import Stats
from unmix.costs.histogram import Histogram

COOLING = 0.9
STEPS, STILL = 5, 0.01  # EM steps at a temperature, fewer where no share changes by more than this
HARD = 0.01  # assignments are when rows keep less than this many nats on the average
NOISE, JITTER = 1e-2, 3e-3  # relative size of the first push of the prototypes, and of that at every temperature
MOST = 200  # temperatures: nine decades


def anneal_equal(counts: Any, cost: Histogram, k: int, critical: float, seed: int) -> np.ndarray:
    """Labels (n,) of rows of counts, dense or CSR, in memory; `critical` is the temperature of the first split."""
    temperature, turned = 1.1 * critical, counts.T
    prototypes, q = cost.start(k), np.full((counts.shape[0], k), 1 / k)
    for turn in range(MOST if temperature > 0 else 0):
        push = spawn(seed, turn).standard_normal(prototypes.shape)
        prototypes = prototypes * (1 + (JITTER if turn else NOISE) * push)
        for _ in range(STEPS):
            before, q = q, shares(counts, cost, prototypes, temperature)
            pooled = np.ascontiguousarray((turned @ q).T)
            prototypes = cost.prototypes(Stats(pooled, pooled.sum(axis=1)), prototypes)
            if np.abs(q - before).max() < STILL:
                break
        if -(q * np.log(np.maximum(q, 1e-300))).sum() < HARD * len(q):
            break
        temperature *= COOLING
    return np.asarray(q.argmax(axis=1))


def shares(counts: Any, cost: Histogram, prototypes: np.ndarray, temperature: float) -> np.ndarray:
    """q (n, k); entropies of rows are the same for all clusters, and left out."""
    logs = np.log(np.maximum(prototypes, np.finfo(float).tiny))
    logs -= logs.max(axis=0)  # of each column the largest is zero, so that rows of many counts keep their digits
    h = np.asarray(counts @ (logs.T / (temperature * cost.unit)))
    h -= h.max(axis=1, keepdims=True)
    np.exp(h, out=h)
    h /= h.sum(axis=1, keepdims=True)
    return h
