"""Single rows change their cluster as long as that lowers the cost (Hartigan's method), for data of few rows.

    moving row x of weight w from cluster a to b changes the cost by
        w m_b / (m_b + w) ||x - u_b||² - w m_a / (m_a - w) ||x - u_a||²,      m the weights of the clusters

Every end point is also one of Lloyd's iteration, but not the other way round: there a row may stay with the nearest
centre although its leaving would pull that centre to better use. With few rows this costs little and often pays.

Hartigan & Wong, Algorithm AS 136, Applied Statistics 28 (1979); Telgarsky & Vattani, AISTATS 2010.
"""

import numpy as np

from unmix.core.nearest import Frame
from unmix.factors.lloyd import State
from unmix.factors.sample import Sample

SWEEPS = 100


def polish(sample: Sample, frame: Frame, state: State) -> tuple[np.ndarray, float]:
    """Centres and cost after exchanges of single rows."""
    from unmix.factors.exchange_rows import exchange

    rows = sample.blocks.gather()
    if hasattr(rows, "tocsr") or sample.weights is None:
        return state.centers, state.objective
    inside, labels = frame.enter(rows), state.rows[:, 0].astype(np.intp)
    k, d = state.centers.shape
    table = state.table.copy()
    exchange(inside, sample.weights, labels, table[:, :d], table[:, d], SWEEPS)
    alive = np.bincount(labels, minlength=k) > 0
    centers = state.centers.copy()
    centers[alive] = table[alive, :d] / table[alive, d, None]
    return centers, float(sample.weights @ ((inside - centers[labels]) ** 2).sum(axis=1))
