"""Single rows change their cluster as long as that lowers the cost (Hartigan's method), for data of few rows.

    moving row x of weight w from cluster a to b changes the cost by
        w m_b / (m_b + w) ||x - u_b||² - w m_a / (m_a - w) ||x - u_a||²,      m the weights of the clusters

Every end point is also one of Lloyd's iteration, but not the other way round: there a row may stay with the nearest
centre although its leaving would pull that centre to better use. With few rows this costs little and often pays.

Hartigan & Wong, Algorithm AS 136, Applied Statistics 28 (1979); Telgarsky & Vattani, AISTATS 2010.
"""

import numpy as np

from unmix.algorithms.rows.sample import FEW_ROWS, Sample, in_order
from unmix.costs.nearest.centers import Frame, nearest

SWEEPS = 100
FEW_ENTRIES = 2**20


def polish(sample: Sample, frame: Frame, centers: np.ndarray) -> np.ndarray:
    """The centres after exchanges of single rows; sparse ones stay as they are if they would be large when dense."""
    from unmix.algorithms.kmeans.starts.hartigan_kernel import exchange

    rows, weights, k = sample.blocks.gather(), sample.weights, len(centers)
    if weights is None or rows.shape[0] > FEW_ROWS:
        return centers
    if hasattr(rows, "tocsr"):
        if rows.shape[0] * rows.shape[1] > FEW_ENTRIES:
            return centers
        dense = in_order(rows.toarray(), weights)  # in the order of dense rows, equal ones joined
        rows, weights = dense.blocks.gather(), dense.weights
    inside, labels = frame.enter(rows), nearest(rows, frame, centers).label.astype(np.intp)
    mass = np.bincount(labels, weights, minlength=k)
    sums = np.stack([np.bincount(labels, weights * column, minlength=k) for column in inside.T], axis=1)
    exchange(inside, weights, labels, sums, mass, SWEEPS)
    alive = np.bincount(labels, minlength=k) > 0
    return np.where(alive[:, None], sums / np.where(alive, mass, 1.0)[:, None], centers)
