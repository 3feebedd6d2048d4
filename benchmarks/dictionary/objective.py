"""objective: what codes with s non-zeros in the atoms leave, ||X - Z U|| / ||X|| (lower is better)"""

import numpy as np


def evaluate(atoms: np.ndarray, X: np.ndarray, s: int, **options: object) -> float:
    """In float64, coded by scikit-learn."""
    from sklearn.linear_model import orthogonal_mp_gram

    rows, U = X.astype(np.float64), np.asarray(atoms, dtype=np.float64)
    U = U / np.maximum(np.linalg.norm(U, axis=1, keepdims=True), 1e-12)
    Z = orthogonal_mp_gram(U @ U.T, U @ rows.T, n_nonzero_coefs=s).T
    return float(np.linalg.norm(rows - Z @ U) / np.linalg.norm(rows))
