"""Principal components beside parallel analysis: which of them carry more than columns without relation would.

λ_j of the data against the 95 % quantile of λ_j over tables whose columns were shuffled independently.   (Horn 1965)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.core.random import spawn
from unmix.decomposition import PCA
from unmix.exploration.findings import Spectrum

_most_components = 30
_most_rows = 20_000


class Components(NamedTuple):
    """Scores (n, m), directions (m, d) and mean (d,) of the leading components, and the spectrum for the reader."""

    scores: np.ndarray
    directions: np.ndarray
    mean: np.ndarray
    spectrum: Spectrum


def principal_components(X: np.ndarray, owner: np.ndarray, features: list[str], seed: int) -> Components:
    """`owner[j]` is the table column feature j came from: indicators of one category are shuffled together."""
    m = min(X.shape[1], max(X.shape[0] - 1, 1), _most_components)
    pca = PCA(m, random_state=seed).fit(X)
    ratio = np.asarray(pca.explained_variance_ratio_, dtype=float)
    rows = _sample(X.shape, seed)
    reference = _reference(X[rows], owner, m, seed)
    observed = _shares(X[rows], m) if len(rows) < len(X) else ratio
    n_suggested = _leading(observed > reference) if len(np.unique(owner)) > 1 else 1
    loadings = [_loadings(direction, features) for direction in pca.components_[:5]]
    spectrum = Spectrum(ratio.tolist(), reference.tolist(), n_suggested, _sentence(ratio, n_suggested), loadings)
    return Components(np.asarray(pca.transform(X)), np.asarray(pca.components_), np.asarray(pca.mean_), spectrum)


def _sample(shape: tuple[int, int], seed: int) -> np.ndarray:
    """Rows on which data and shuffles are compared: all, or a random part where eigenvalues would take too long."""
    n, d = shape
    most = _most_rows if d <= 200 else 2000 if d <= 1000 else 500
    return np.arange(n) if n <= most else np.sort(spawn(seed, 1).choice(n, most, replace=False))


def _shares(X: np.ndarray, m: int) -> np.ndarray:
    """Shares of the m largest eigenvalues of the covariance, through the smaller of XᵀX and XXᵀ."""
    centred = X - X.mean(axis=0)
    gram = centred.T @ centred if X.shape[1] <= X.shape[0] else centred @ centred.T
    values = np.linalg.eigvalsh(gram)[::-1].clip(0)
    return values[:m] / (values.sum() or 1.0)


def _reference(X: np.ndarray, owner: np.ndarray, m: int, seed: int) -> np.ndarray:
    repeats = 20 if min(X.shape) <= 300 else 6
    shares = np.empty((repeats, m))
    for repeat in range(repeats):
        rng = spawn(seed, 2, repeat)
        shuffled = np.empty_like(X)
        for column in np.unique(owner):
            shuffled[:, owner == column] = X[rng.permutation(len(X))][:, owner == column]
        shares[repeat] = _shares(shuffled, m)
    return np.quantile(shares, 0.95, axis=0)


def _leading(above: np.ndarray) -> int:
    """How many components from the first on are above the reference, before the first that is not."""
    return len(above) if above.all() else int(np.argmin(above))


def _loadings(direction: np.ndarray, features: list[str]) -> list[dict[str, object]]:
    order = np.argsort(-np.abs(direction), kind="stable")[:8]
    return [{"column": features[j], "weight": float(direction[j])} for j in order]


def _sentence(ratio: np.ndarray, n_suggested: int) -> str:
    if len(ratio) == 1:
        return "There is one feature only, so there is nothing to combine."
    if n_suggested == 0:
        return "No component stands out: the columns are related no more than shuffled columns would be."
    share = f"{100 * ratio[:n_suggested].sum():.0f} % of the variance"
    if n_suggested == 1:
        return f"1 component carries more than chance: {share}."
    return f"{n_suggested} components carry more than chance: together {share}."
