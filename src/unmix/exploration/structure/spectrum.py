"""Principal components beside parallel analysis: which of them carry more than columns without relation would.

λ_j of the data against the 95 % quantile of λ_j over tables whose columns were shuffled independently.   (Horn 1965)

A filled cell agrees with the rest of its row by construction. So a shuffled table has the same holes, filled in the
same way: what filling adds, it adds on both sides. Where rows depend on each other along an order, unrelated columns
look related too: so numbers get waves of other phases, each column its own, and categories are turned along the order.
Where neighbours alone depend, rows that are apart are compared instead: sorted tables have long waves, not by chance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from unmix.core.random import spawn
from unmix.decomposition import PCA
from unmix.exploration.columns.imputation import fill_missing
from unmix.exploration.findings.records import Spectrum
from unmix.validation.dependence.surrogate import other_phases

_most_components = 30
_most_rows = 20_000
_most_rows_filled = 1_000  # where every shuffled table is to be filled too
_filling_tolerance = 1e-3  # and roughly: table and shuffles alike
_fewest_rows = 6  # with fewer, two columns in perfect agreement, 2 of n! orders, turn up among the shuffles too often
_rounding = 1e-9  # shares that differ by less are equal


class Components(NamedTuple):
    """Scores (n, m), directions (m, d) and mean (d,) of the leading components, and the spectrum for the reader."""

    scores: np.ndarray
    directions: np.ndarray
    mean: np.ndarray
    spectrum: Spectrum


def principal_components(
    X: np.ndarray,
    owner: np.ndarray,
    features: list[str],
    seed: int,
    holes: np.ndarray | None = None,
    ordered: np.ndarray | None = None,
    apart: np.ndarray | None = None,
) -> Components:
    """`owner[j]` is the table column feature j came from: indicators of one category are shuffled together.

    `holes` marks the entries of X that were missing and have been filled; `ordered` are the numbers of rows in the
    order along which they depend on each other over long ways, `apart` those of rows that do not where neighbours do.
    """
    m = min(X.shape[1], max(X.shape[0] - 1, 1), _most_components)
    pca = PCA(m, random_state=seed).fit(X)
    ratio = np.asarray(pca.explained_variance_ratio_, dtype=float)
    gaps = np.zeros(X.shape, bool) if holes is None else holes
    observed, reference = _compared(X, gaps, owner, m, seed, ordered, apart)
    n_columns = len(np.unique(owner))
    n_suggested = _leading(observed > reference + _rounding) if n_columns > 1 else 1
    if len(X) < _fewest_rows:
        n_suggested = 0
    loadings = [_loadings(direction, features) for direction in pca.components_[:5]]
    sentence = _sentence(ratio, n_suggested, len(X), n_columns)
    spectrum = Spectrum(ratio.tolist(), reference.tolist(), n_suggested, sentence, loadings)
    return Components(np.asarray(pca.transform(X)), np.asarray(pca.components_), np.asarray(pca.mean_), spectrum)


def _compared(
    X: np.ndarray,
    holes: np.ndarray,
    owner: np.ndarray,
    m: int,
    seed: int,
    ordered: np.ndarray | None,
    apart: np.ndarray | None,
) -> tuple[np.ndarray, np.ndarray]:
    """Shares of the m leading components in the table, and what they reach in shuffled ones, on the same rows."""
    of = ordered if apart is None else apart
    rows = _sample(X.shape, bool(holes.any()), seed) if of is None else of
    table, holes = X[rows], holes[rows]
    table[:, holes.all(axis=0)] = 0.0  # a column without a value among these rows tells nothing
    holes &= ~holes.all(axis=0)
    reference = _reference(table, holes, owner, m, seed, ordered is not None)
    return _shares(_fill(np.where(holes, np.nan, table), seed), m), reference


def _sample(shape: tuple[int, int], filled: bool, seed: int) -> np.ndarray:
    """Rows on which data and shuffles are compared: all, or a random part where eigenvalues would take too long."""
    n, d = shape
    most = _most_rows if d <= 200 else 2000 if d <= 1000 else 500
    most = min(most, _most_rows_filled) if filled else most
    return np.arange(n) if n <= most else np.sort(spawn(seed, 1).choice(n, most, replace=False))


def _shares(X: np.ndarray, m: int) -> np.ndarray:
    """Shares of the m largest eigenvalues of the covariance, through the smaller of XᵀX and XXᵀ."""
    centred = X - X.mean(axis=0)
    gram = centred.T @ centred if X.shape[1] <= X.shape[0] else centred @ centred.T
    values = np.linalg.eigvalsh(gram)[::-1].clip(0)
    return values[:m] / (values.sum() or 1.0)


def _reference(X: np.ndarray, holes: np.ndarray, owner: np.ndarray, m: int, seed: int, turn: bool) -> np.ndarray:
    repeats = 20 if min(X.shape) <= 300 else 6
    shares = np.empty((repeats, m))
    for repeat in range(repeats):
        shuffled = _shuffle(X, holes, owner, spawn(seed, 2, repeat), turn)
        shares[repeat] = _shares(_fill(shuffled, seed), m)
    return _exceeded_by_chance(shares)


def _exceeded_by_chance(shares: np.ndarray) -> np.ndarray:
    """What one more shuffled table exceeds in 5 % of cases: of twenty the largest, of fewer by Student's t."""
    repeats = len(shares)
    if repeats >= 19:
        return np.sort(shares, axis=0)[-1 - max((repeats + 1) // 20 - 1, 0)]
    reach = stdtrit(repeats - 1, 0.95) * np.sqrt(1 + 1 / repeats)
    return shares.mean(axis=0) + reach * shares.std(axis=0, ddof=1)


def _fill(X: np.ndarray, seed: int) -> np.ndarray:
    return fill_missing(X, seed, tol=_filling_tolerance)


def _shuffle(
    X: np.ndarray, holes: np.ndarray, owner: np.ndarray, rng: np.random.Generator, turn: bool = False
) -> np.ndarray:
    """Each column in another order, or a column that depends on its order alike; holes stay where they are, as nan."""
    shuffled = np.where(holes, np.nan, X)
    for column in np.unique(owner):
        features = np.flatnonzero(owner == column)
        given = np.flatnonzero(~holes[:, features].any(axis=1))
        if turn and len(features) == 1:
            shuffled[given, features[0]] = other_phases(X[:, features], rng)[given, 0]
            continue
        other = np.roll(given, rng.integers(len(given) or 1)) if turn else rng.permutation(given)
        shuffled[np.ix_(given, features)] = X[np.ix_(other, features)]
    return shuffled


def _leading(above: np.ndarray) -> int:
    """How many components from the first on are above the reference, before the first that is not."""
    return len(above) if above.all() else int(np.argmin(above))


def _loadings(direction: np.ndarray, features: list[str]) -> list[dict[str, object]]:
    order = np.argsort(-np.abs(direction), kind="stable")[:8]
    return [{"column": features[j], "weight": float(direction[j])} for j in order]


def _sentence(ratio: np.ndarray, n_suggested: int, n_rows: int, n_columns: int) -> str:
    if n_columns == 1:
        return "Only one column is used, so there is nothing to combine."
    if n_rows < _fewest_rows:
        return f"Too few rows to look for components. {n_rows} rows cannot tell columns that go together from chance."
    if n_suggested == 0:
        return "No component stands out: none carries more of the variance than in shuffled columns."
    share = f"{100 * ratio[:n_suggested].sum():.0f} % of the variance"
    if n_suggested == 1:
        return f"1 component carries more than chance: {share}."
    return f"{n_suggested} components carry more than chance: together {share}."
