"""objective: reconstruction error of the map, its columns made orthonormal (lower is better)"""

import numpy as np
from scipy.spatial import cKDTree


def evaluate(places: np.ndarray, X: np.ndarray, n_neighbors: int, n_components: int) -> float:
    """Σ_i ‖u_i - Σ_j w_ij u_j‖², the weights found anew, one row at a time, regularised by 1e-3 of the trace."""
    U = np.linalg.qr(places.astype(np.float64) - places.mean(axis=0, dtype=np.float64))[0]
    neighbors = cKDTree(X).query(X, n_neighbors + 1)[1][:, 1:]
    total = 0.0
    for i, near in enumerate(neighbors):
        differences = X[near] - X[i]
        gram = differences @ differences.T
        gram += 1e-3 * np.trace(gram) * np.eye(n_neighbors)
        weights = np.linalg.solve(gram, np.ones(n_neighbors))
        total += ((U[i] - weights @ U[near] / weights.sum()) ** 2).sum()
    return float(total)
