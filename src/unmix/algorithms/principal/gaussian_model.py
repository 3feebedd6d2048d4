"""Principal components as a Gaussian model of the rows: directions, their variances, and the noise they leave.

    covariance = Uᵀ diag(variance - noise) U + noise I,   variance_i = s_i² / (weight - 1).

Complete tables go to the singular value decomposition, tables with gaps to EM.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.principal.latent_gaussian import LatentGaussian, chunks, posterior
from unmix.algorithms.principal.mixed_units import without_rounding
from unmix.algorithms.principal.number_of_components import count_components
from unmix.algorithms.principal.probabilistic_pca import fit_with_missing
from unmix.algorithms.principal.scatter import is_sparse_block, subtract
from unmix.algorithms.principal.spectrum import MissingValues, measure, spectrum
from unmix.core.blocks import RowBlocks
from unmix.core.linalg import complete_basis, fix_signs, power_of_two


class Principal(NamedTuple):
    """Variances, noise and their total belong to ``scale * X``, where squares are safe; the mean to X."""

    weight: float
    mean: np.ndarray
    components: np.ndarray
    variances: np.ndarray
    noise: float
    total: float
    scale: float
    n_iter: int
    converged: bool


def fit_principal(
    X: RowBlocks,
    rule: int | float | str | None,
    *,
    weights: np.ndarray | None = None,
    solver: str = "auto",
    max_iter: int = 500,
    tol: float = 1e-7,
    seed: int = 0,
    gaps: bool = True,
) -> Principal:
    """Components of X by number, share of variance ("0.9") or evidence ("mle").

    With ``gaps`` NaN are cells that were not observed, else they raise `MissingValues`.
    """
    limit = most_components(X, weights)
    k = max(rule, 1) if isinstance(rule, int) else limit  # without components the total is asked for all the same
    try:
        found = spectrum(X, k, weights=weights, solver=solver, max_iter=max_iter, seed=seed)
    except MissingValues:
        if not gaps:
            raise
        return fit_gaps(X, rule, limit, weights=weights, max_iter=max_iter, tol=tol, seed=seed)
    found = without_rounding(X, limit, weights, found, seed)
    variances = found.singular**2 / (found.weight - 1)
    total = found.spread / (found.weight - 1)
    k = count_components(rule, variances, found.weight, X.shape[1])
    noise = max(total - float(variances[:k].sum()), 0.0) / (limit - k) if k < limit else 0.0
    return Principal(
        found.weight, found.mean, found.components[:k], variances[:k], noise, total, found.scale, 1, found.residual == 0
    )


def most_components(X: RowBlocks, weights: np.ndarray | None) -> int:
    """min(n, d), where a row of weight 2 counts as two rows."""
    n, d = X.shape
    if weights is not None:
        n = max(int(weights.sum() * (1 + 1e-12)), int(np.count_nonzero(weights)))
    return min(n, d)


def fit_gaps(
    X: RowBlocks,
    rule: int | float | str | None,
    limit: int,
    *,
    weights: np.ndarray | None,
    max_iter: int,
    tol: float,
    seed: int,
) -> Principal:
    """With d - 1 latents the model is a Gaussian of any covariance, so more are never needed."""
    if X.sparse:
        raise ValueError("a sparse table with NaN entries cannot be used; give missing values in a dense table")
    n, d = X.shape
    k = min(rule if isinstance(rule, int) else limit, d - 1, max(limit - 1, 0))
    if d * (k + 2) ** 2 > 2**28:
        raise ValueError(
            f"missing values in {d} columns with {k} components need {d * (k + 2) ** 2 * 4 >> 30} GB of statistics; "
            "ask for fewer components (n_components=20, say)"
        )
    scale = power_of_two(X.reduce(measure, rows=weights).largest)
    model, last = fit_with_missing(X, k, weights=weights, scale=scale, max_iter=max_iter, tol=tol, seed=seed)
    weight = float(n if weights is None else weights.sum())
    left, size, _ = np.linalg.svd(model.loadings[:, : k if model.noise > 0 else 0], full_matrices=False)
    components = complete_basis(fix_signs(left.T), limit if not isinstance(rule, int) else rule)
    variances = np.full(len(components), model.noise)
    variances[: len(size)] += size**2
    unbiased = weight / (weight - 1)
    total = (float((size**2).sum()) + d * model.noise) * unbiased
    variances *= unbiased
    k = count_components(rule, variances, weight, d)
    noise = max(total - float(variances[:k].sum()), 0.0) / (d - k) if k < d else 0.0
    return Principal(
        weight, model.mean / scale, components[:k], variances[:k], noise, total, scale, last.iteration, last.done
    )


def as_latent_gaussian(
    components: np.ndarray, deviations: np.ndarray, noise: float, mean: np.ndarray
) -> LatentGaussian:
    """The same Gaussian by loadings; ``deviations`` and ``noise`` are standard deviations.

    A noise of zero is replaced by the smallest variance if every direction is a component, which changes nothing,
    and else by a ten-billionth of the largest, so that rows off the components have a density at all.
    """
    variances = deviations**2
    floor = max(1e-10 * float(variances.max(initial=0.0)), np.finfo(float).tiny)
    smallest = float(variances.min(initial=np.inf)) if len(components) == components.shape[1] else noise**2
    level = max(smallest, floor)
    return LatentGaussian(components.T * np.sqrt(np.maximum(variances - level, 0.0)), mean, level)


def project(
    block: Any, rows: Any, components: np.ndarray, mean: np.ndarray, model: LatentGaussian, scale: float
) -> Any:
    """Codes (x - mean) Uᵀ; missing entries take their expectation given the observed ones."""
    turned = components.T.astype(block.dtype)
    if is_sparse_block(block):
        return block @ turned - (mean @ components.T).astype(block.dtype)
    codes = subtract(block, mean) @ turned
    gaps = np.flatnonzero(np.isnan(codes).any(axis=1))
    for part in chunks(len(gaps), model):
        found = posterior(block[gaps[part]].astype(np.float64) * scale, model)
        filled = np.where(found.observed, found.deviations, found.means @ model.loadings.T)
        codes[gaps[part]] = filled @ components.T / scale
    return codes


def log_density(block: Any, rows: Any, model: LatentGaussian, scale: float) -> np.ndarray:
    """Log-likelihood of what was observed of each row."""
    out = np.empty(block.shape[0])
    for part in chunks(block.shape[0], model):
        dense = block[part].toarray() if is_sparse_block(block) else block[part]
        found = posterior(dense.astype(np.float64) * scale, model)
        out[part] = found.log_likelihood + found.observed.sum(axis=1) * np.log(scale)
    return out
