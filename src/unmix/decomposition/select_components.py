"""How many components of PCA or NMF are real."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_array, check_random_state

from unmix.algorithms.principal.parallel_analysis import parallel_analysis
from unmix.core.linalg import power_of_two
from unmix.core.warning_filters import without_warnings

MODELS, METHODS = ("pca", "nmf"), ("parallel_analysis", "cross_validation")
HIDDEN_SHARE = 0.1  # share of the entries that a round of cross-validation hides


class ComponentCount(NamedTuple):
    """A number of components and what it rests on.

    Attributes
    ----------
    n_components : int
        0 where not even one is beyond chance, or beats the column means.
    candidates : array of int
    scores : array
        For each candidate: the variance of that component ("parallel_analysis"), or the mean squared error of held-out
        entries with so many components ("cross_validation").
    errors : array
        Standard errors of the scores over rounds; for "parallel_analysis" NaN.
    limits : array
        What shuffled tables reach ("parallel_analysis"; from fewer of them where the verdict is clear, NaN beyond the
        first that is not real); the highest error that still counts as the best ("cross_validation").
    method : str
    """

    n_components: int
    candidates: np.ndarray
    scores: np.ndarray
    errors: np.ndarray
    limits: np.ndarray
    method: str


def select_components(
    X: Any,
    method: str = "parallel_analysis",
    model: str = "pca",
    *,
    max_components: int | None = None,
    n_rounds: int | None = None,
    quantile: float = 0.95,
    random_state: Any = None,
) -> ComponentCount:
    """The number of components of X that are more than chance.

    Parameters
    ----------
    X : (n, d) array
        May hold NaN, as missing, for "cross_validation".
    method : {"parallel_analysis", "cross_validation"}
        Which variances exceed those of the table with every column shuffled by itself; or which number tells entries
        best that were hidden from the fit, a tenth at random in each round: the smallest number whose error is within
        one standard error of the best.
    model : {"pca", "nmf"}
        "nmf" with "cross_validation" only.
    max_components : int or None
        Largest number tried by cross-validation; None is 10, or fewer for small tables.
    n_rounds : int or None
        Most shuffled tables for a component (None is 100), or rounds of hiding (None is 5).
    quantile : float
        Of the shuffled variances, that a real one exceeds.
    random_state : int, RandomState or None

    References
    ----------
    Horn, Psychometrika 30, 1965; Wold, Technometrics 20, 1978; Bro et al., Analytical and Bioanalytical Chemistry 390,
    2008.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.decomposition import select_components
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 3)) @ rng.normal(size=(3, 12)) + rng.normal(size=(200, 12))
    >>> select_components(X, random_state=0).n_components
    3
    """
    for name, value, known in (("method", method, METHODS), ("model", model, MODELS)):
        if value not in known:
            raise ValueError(f"{name}={value!r} is not known; give one of {', '.join(map(repr, known))}")
    missing = "allow-nan" if method == "cross_validation" else True
    table = check_array(X, dtype=np.float64, ensure_min_samples=2, ensure_min_features=2, ensure_all_finite=missing)
    if model == "nmf" and np.nanmin(table) < 0:
        raise ValueError("X holds negative numbers, which model='nmf' cannot explain; use model='pca'")
    rng = np.random.default_rng(check_random_state(random_state).randint(2**31 - 1))
    scale = power_of_two(float(np.fmax.reduce(np.abs(table), axis=None)))  # errors and variances are squares
    if method == "cross_validation":
        return _in_units(_by_hidden_entries(table * scale, model, max_components, n_rounds or 5, rng), scale)
    if model == "nmf":
        raise ValueError("method='parallel_analysis' judges variances, which model='nmf' lacks; use 'cross_validation'")
    if not 0 < quantile < 1:
        raise ValueError(f"quantile={quantile!r} must lie between 0 and 1")
    found = parallel_analysis(table * scale, n_rounds or 100, quantile, rng)
    candidates, unknown = np.arange(1, len(found.variances) + 1), np.full(len(found.variances), np.nan)
    return _in_units(ComponentCount(found.n_real, candidates, found.variances, unknown, found.limits, method), scale)


@np.errstate(over="ignore", under="ignore")
def _in_units(found: ComponentCount, scale: float) -> ComponentCount:
    """Scores, their errors and limits, which are squares, in the unit of the table; infinite where no number is."""
    scores, errors, limits = (part / scale / scale for part in (found.scores, found.errors, found.limits))
    return found._replace(scores=scores, errors=errors, limits=limits)


def _by_hidden_entries(
    table: np.ndarray, model: str, most: int | None, n_rounds: int, rng: np.random.Generator
) -> ComponentCount:
    limit = min(table.shape) - 1
    if most is not None and not 1 <= most <= limit:
        raise ValueError(f"max_components={most!r} must be between 1 and {limit} for a table of shape {table.shape}")
    candidates = np.arange(min(10, limit) + 1 if most is None else most + 1)
    losses = np.array([_round(table, candidates, model, rng) for _ in range(n_rounds)])
    best = int(np.argmin(losses.mean(axis=0)))
    behind = losses - losses[:, [best]]  # paired: rounds differ more than candidates do
    error = behind.std(axis=0, ddof=1) / np.sqrt(n_rounds) if n_rounds > 1 else np.zeros(len(candidates))
    chosen = int(np.argmax(behind.mean(axis=0) <= error))
    scores = losses.mean(axis=0)
    errors = losses.std(axis=0, ddof=1) / np.sqrt(n_rounds) if n_rounds > 1 else np.full(len(scores), np.nan)
    return ComponentCount(int(candidates[chosen]), candidates, scores, errors, scores[best] + error, "cross_validation")


def _round(table: np.ndarray, candidates: np.ndarray, model: str, rng: np.random.Generator) -> list[float]:
    """Mean squared errors of entries hidden in one round, for every number of components; 0 is the column means."""
    hidden = _hide(~np.isnan(table), rng)
    seen, seed = np.where(hidden, np.nan, table), int(rng.integers(2**31 - 1))
    losses = []
    for k in candidates:
        predicted = np.nanmean(seen, axis=0) if k == 0 else _predicted(seen, model, int(k), seed)
        losses.append(float(np.mean((predicted - table)[hidden] ** 2)))
    return losses


def _hide(observed: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A tenth of the observed entries, but never more than half of a row's or a column's."""
    hidden = observed & (rng.random(observed.shape) < HIDDEN_SHARE)
    for axis in (0, 1):
        crowded = hidden.sum(axis=axis, keepdims=True) > observed.sum(axis=axis, keepdims=True) / 2
        hidden &= ~crowded
    if not hidden.any():
        raise ValueError(f"a table of shape {observed.shape} is too small to hide entries; use 'parallel_analysis'")
    return hidden


def _predicted(seen: np.ndarray, model: str, k: int, seed: int) -> np.ndarray:
    """The table as a model of what was seen tells it."""
    if model == "pca":
        from unmix.decomposition.pca import PCA

        estimator: Any = PCA(k, tol=1e-5, max_iter=300, random_state=seed, missing="ignore")
    else:
        from unmix.decomposition import NMF  # type: ignore[attr-defined]

        estimator = NMF(k, random_state=seed, missing="ignore")
    with without_warnings(ConvergenceWarning):
        codes = estimator.fit(seen).transform(seen)
    return np.asarray(estimator.inverse_transform(codes))
