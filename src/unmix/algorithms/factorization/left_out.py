"""How far cells lie from what the others of their row say of them, in units of the model's own spread.

With h = v s / ψ, where s = u·V u is what the code leaves open and v how often the cell counts, leaving a cell out of
its row turns the residual r and the variance ψ + s into

    r / (1 - h)   and   ψ + s / (1 - h)

exactly, the components as they are.  That these have seen the cell is made up for by the degrees of freedom of the
column's regression on the codes: residuals of f of them over n cells are divided by 1 - f / n.  With means m of the
codes and precisions A of the components, f = tr (Σ (V + m mᵀ) + A)⁻¹ Σ m mᵀ: what is not known of a code bends to no
cell.  Quantiles of what comes out stand in for those of a normal law: numbers that are rounded, bounded or have far
values do not follow it.

Cook & Weisberg, Residuals and Influence in Regression, 1982; Vovk, Gammerman & Shafer, Algorithmic Learning in a Random
World, 2005 (the rank among n + 1).
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from unmix.algorithms.factorization.columns import Sample
from unmix.algorithms.factorization.general_pass import chunks
from unmix.algorithms.factorization.normal_codes import NormalModel, Sums, posterior, sums_of, wide_cells, wide_entries
from unmix.algorithms.factorization.problem import Rules
from unmix.algorithms.principal.latent_gaussian import unpack
from unmix.core.summation.tree import merge

COVERAGES = np.append(np.arange(100) / 100, (0.995, 0.999))  # at which quantiles are kept
MOST_FREEDOM = 0.5  # of the cells of a column, beyond which a correction of the first order means nothing


def left_out_quantiles(sample: Sample, rules: Rules, model: NormalModel) -> np.ndarray:
    """Of each column of the model how many spreads hold each of `COVERAGES` of its cells, (coverages, width)."""
    sizes = np.empty((len(sample.cells), model.components.shape[1]))
    sums: list[Sums] = []
    for part in chunks(*sizes.shape[:1], *model.components.shape):
        entries = None if sample.entries is None else sample.entries[part]
        targets, counts = wide_cells(rules, sample.cells[part], entries)
        found = posterior(targets, counts, model)
        sizes[part] = left_out(targets, found.mask, found.means, found.covariances, model)
        certain = found._replace(covariances=np.zeros_like(found.covariances))
        new = [sums_of(each, sample.weights[part]) for each in (found, certain)]
        sums = [merge(*pair) for pair in zip(sums, new, strict=True)] if sums else new
    sizes /= 1 - freedom(sums[0], sums[1], model)
    weights = sample.weights[:, None] if sample.entries is None else heavy(rules, sample)
    return quantiles(sizes, np.broadcast_to(weights, sizes.shape))


def heavy(rules: Rules, sample: Sample) -> np.ndarray:
    assert sample.entries is not None
    return sample.weights[:, None] * wide_entries(rules, sample.entries)


def left_out(
    targets: np.ndarray, counts: np.ndarray, means: np.ndarray, covariances: np.ndarray, model: NormalModel
) -> np.ndarray:
    """Sizes of residuals, each over the spread that the model gives a cell it has not seen; NaN for missing ones."""
    U, b = model.components[:-1], model.components[-1]
    open_ = np.einsum("aj,iab,bj->ij", U, covariances, U, optimize=True)
    rest = np.maximum(1 - counts * open_ / model.noise, np.finfo(float).eps)
    sizes: np.ndarray = np.abs(targets - means @ U - b) / rest / np.sqrt(model.noise + open_ / rest)
    return sizes


def freedom(found: Sums, certain: Sums, model: NormalModel) -> np.ndarray:
    """Of each column the degrees of freedom of its regression on codes and a constant, as a share of its cells.

    ``certain`` are the sums of the codes' means alone.
    """
    size = len(model.components)
    held = unpack(found.products, size) + np.diag(np.append(model.precision, 0.0))
    held[:, -1, -1] += found.cells == 0
    used = np.trace(np.linalg.solve(held, unpack(certain.products, size)), axis1=1, axis2=2)
    return np.minimum(used / np.maximum(found.cells, 1.0), MOST_FREEDOM)


def quantiles(sizes: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The size whose rank is that of a further cell; where it would be the largest of all, no less than normal."""
    normal = ndtri(0.5 + 0.5 * COVERAGES)
    out = np.repeat(normal[:, None], sizes.shape[1], axis=1)
    for j, (column, weight) in enumerate(zip(sizes.T, weights.T, strict=True)):
        known = np.flatnonzero(~np.isnan(column) & (weight > 0))
        order = known[np.argsort(column[known], kind="stable")]
        if not len(order):
            continue
        ranks = np.cumsum(weight[order])
        place = np.searchsorted(ranks, COVERAGES * (ranks[-1] + 1) * (1 - 1e-12))
        inside = place < len(order)
        out[inside, j] = column[order[place[inside]]]
        out[~inside, j] = np.maximum(normal[~inside], column[order[-1]])
    return out


def spreads_for(coverage: float, kept: np.ndarray | None) -> np.ndarray | float:
    """How many spreads to either side hold this share of the cells of each column."""
    if kept is None or not len(kept):
        return float(ndtri(0.5 + 0.5 * coverage))
    most = COVERAGES[-1]
    if coverage > most:  # a normal law goes on where no cell was seen
        return kept[-1] * float(ndtri(0.5 + 0.5 * coverage) / ndtri(0.5 + 0.5 * most))
    return np.array([np.interp(coverage, COVERAGES, column) for column in kept.T])
