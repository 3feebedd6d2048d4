"""Codes with a normal law: their uncertainty counts, every column has a noise of its own, idle components fade.

    t_ij = z_i·U_j + b_j + noise,   z ~ N(0, I),   noise ~ N(0, ψ_j),   U_cj ~ N(0, ψ_j / α_c),   α_c ~ e^(-α_c D / 2A)

of which U, b, ψ and α make the likelihood of the observed cells times these laws largest (factor analysis; components
are weighed by how much they tell, so that k may be more than enough).  E-step, with B = diag(1 / ψ) over what was
observed of a row:

    V = (I + U B Uᵀ)⁻¹,   E z = V U B (t - b),   E z zᵀ = V + E z E zᵀ

M-step: every column regressed on the codes and a constant, ψ_j what that leaves, 1 / α_c = 1 / A + mean_j U_cj² / ψ_j.
No component is held down by more than A rows: without that bound one that tells of two columns among many pays for all
of them, and vanishes, although it tells these two.  Then the codes' own covariance is moved into U, if the gain in
likelihood exceeds what U pays for it (parameter expansion).  No iteration lowers the objective.  n D k² operations a
pass; statistics are D (k+1)² numbers, whatever n.

Rubin & Thayer, Psychometrika 47, 1982; Liu, Rubin & Wu, Biometrika 85, 1998; Bishop, NIPS 1998.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.factorization.general_pass import chunks
from unmix.algorithms.factorization.problem import Rules, unpack_rows, with_ones
from unmix.algorithms.principal.latent_gaussian import pairs, unpack
from unmix.constraints.normal import Normal
from unmix.core.summation.tree import merge

PRIOR_ROWS, PRIOR_NOISE = 2.0, 0.5  # what is known of a noise before any row: as if two rows had left half a variance
LEAST_NOISE = 1e-6


class NormalModel(NamedTuple):
    """Components with the intercept as last row, noise variances, and how strongly each component is held down."""

    components: np.ndarray  # (k+1, D)
    noise: np.ndarray  # (D,)
    precision: np.ndarray  # (k,)
    most: float = Normal().most_precision  # that any component may have


def normal_model(rules: Rules, components: np.ndarray) -> NormalModel:
    """The law of the codes as a fitted factorization keeps it."""
    assert rules.noise is not None
    assert isinstance(rules.codes, Normal)
    return balanced(components.astype(np.float64), rules.noise, rules.codes.most_precision)


class Sums(NamedTuple):
    """Weighted sums over rows: E z zᵀ over the rows that have a column, and what a regression needs."""

    products: np.ndarray  # (D, (k+1)(k+2)/2)
    pull: np.ndarray  # (k+1, D)
    squares: np.ndarray  # (D,)
    cells: np.ndarray  # (D,)
    latent: np.ndarray  # (k, k)
    weight: float
    log_likelihood: float


class Posterior(NamedTuple):
    """Of some rows: targets with 0 where nothing was observed, how often each counts, means and covariances."""

    targets: np.ndarray
    mask: np.ndarray
    means: np.ndarray
    covariances: np.ndarray
    log_likelihood: np.ndarray


def posterior(targets: np.ndarray, entries: np.ndarray | None, model: NormalModel) -> Posterior:
    U, b = model.components[:-1].astype(np.float64), model.components[-1].astype(np.float64)
    k, seen = len(U), ~np.isnan(targets)
    mask = seen.astype(np.float64) if entries is None else seen * entries
    known = np.where(seen, targets, 0.0).astype(np.float64)
    bend = mask / model.noise
    deviations = np.where(seen, known - b, 0.0)
    matrices = unpack(bend @ pairs(U.T), k) + np.eye(k)
    covariances = np.linalg.inv(matrices)
    linear = (bend * deviations) @ U.T
    means = np.matmul(covariances, linear[:, :, None])[:, :, 0]
    with np.errstate(over="ignore", invalid="ignore"):  # the density of a row very far out is 0
        distance = (bend * deviations**2).sum(axis=1) - (linear * means).sum(axis=1)
    distance[~np.isfinite(distance)] = np.inf
    spread = mask @ np.log(2 * np.pi * model.noise) + np.linalg.slogdet(matrices)[1]
    return Posterior(known, mask, means, covariances, -0.5 * (spread + distance))


def expect(block: Any, rows: Any, rules: Rules, model: NormalModel) -> Sums:
    """The E-step of one block."""
    given = unpack_rows(rows, rules)
    K, D = model.components.shape
    total: Sums | None = None
    for part in chunks(block.shape[0], K, D):
        cells = wide_cells(rules, block[part], None if given.entries is None else given.entries[part])
        found = posterior(*cells, model)
        new = sums_of(found, given.weights[part])
        total = new if total is None else merge(total, new)
    assert total is not None
    return total


def sums_of(found: Posterior, weights: np.ndarray) -> Sums:
    k = found.means.shape[1]
    codes, heavy = with_ones(found.means, True), found.mask * weights[:, None]
    i, j = np.triu_indices(k + 1)
    products = codes[:, i] * codes[:, j]
    inner = (i < k) & (j < k)
    products[:, inner] += found.covariances[:, i[inner], j[inner]]
    latent = (found.means * weights[:, None]).T @ found.means + np.einsum("i,ijk->jk", weights, found.covariances)
    return Sums(
        heavy.T @ products,
        codes.T @ (heavy * found.targets),
        (heavy * found.targets**2).sum(axis=0),
        heavy.sum(axis=0),
        latent,
        float(weights.sum()),
        float(weights @ found.log_likelihood),
    )


def wide_cells(rules: Rules, rows: Any, entries: np.ndarray | None) -> tuple[np.ndarray, np.ndarray | None]:
    """What the columns of the model are to meet, and how often each cell counts; one that does not is not looked at."""
    shares = level_counts(rules)
    if entries is None:
        return wide_targets(rules, rows), shares
    wide = wide_entries(rules, entries)
    return wide_targets(rules, rows, entries == 0), wide if shares is None else wide * shares


def level_counts(rules: Rules) -> np.ndarray | None:
    """How often each column of the model counts: those of a category with L levels as L - 1 numbers, which they are.

    Their noises are not independent: with two full columns for yes and no, a component that is this answer and nothing
    else would tell two columns without error.
    """
    groups = rules.design.groups
    if all(group.loss.width == 1 for group in groups):
        return None
    shares = [np.full(len(group.columns), group.loss.degrees() / group.loss.width) for group in groups]
    return rules.design.spread(shares)[None, :]


def wide_targets(rules: Rules, rows: Any, unseen: np.ndarray | None = None) -> np.ndarray:
    if hasattr(rows, "tocsr"):
        dense = np.full(rows.shape, 0.0 if rules.zeros else np.nan)
        entries = rows.tocoo()
        dense[entries.row, entries.col] = entries.data
        rows = dense
    if unseen is not None:
        rows = np.where(unseen, rows.dtype.type(np.nan), rows)
    targets: np.ndarray = rules.design.targets(rows)
    return targets


def wide_entries(rules: Rules, entries: np.ndarray) -> np.ndarray:
    out = np.empty((len(entries), rules.design.width))
    for group in rules.design.groups:
        out[:, group.place] = group.wide(entries[:, group.columns])
    return out


def maximized(found: Sums, model: NormalModel) -> NormalModel:
    """Components, then noises, then precisions, each the best for the others."""
    K = len(model.components)
    grams, pull = unpack(found.products, K), found.pull.T
    held = grams.copy()
    held[:, np.arange(K - 1), np.arange(K - 1)] += model.precision
    held[:, K - 1, K - 1] += np.where(found.cells > 0, 0.0, 1.0)
    new = np.linalg.solve(held, pull[:, :, None])[:, :, 0]
    left = found.squares - 2 * (new * pull).sum(axis=1) + np.einsum("ja,jab,jb->j", new, grams, new)
    paid = (model.precision * new[:, :-1] ** 2).sum(axis=1)
    noise = (np.maximum(left, 0.0) + paid + PRIOR_ROWS * PRIOR_NOISE) / (found.cells + PRIOR_ROWS)
    noise = np.maximum(noise, LEAST_NOISE)
    return balanced(new.T, noise, model.most)


def balanced(components: np.ndarray, noise: np.ndarray, most: float) -> NormalModel:
    """With the best precisions for these components and noises."""
    sizes = (components[:-1] ** 2 / noise).mean(axis=1)
    return NormalModel(components, noise, 1 / (sizes + 1 / most), most)


def expanded(model: NormalModel, found: Sums) -> NormalModel:
    """The codes' covariance A moved into U:  z = L z', A = L Lᵀ;  kept if the likelihood gains more than U pays."""
    k = len(model.precision)
    if k == 0:
        return model
    covariance = found.latent / found.weight
    try:
        root = np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError:
        return model
    turned = root.T @ model.components[:-1]
    components = np.vstack([turned, model.components[-1]])
    new = balanced(components, model.noise, model.most)
    gain = 0.5 * found.weight * (np.trace(covariance) - k - 2 * np.log(np.diagonal(root)).sum())
    return new if gain + log_prior(new) >= log_prior(model) else model


def log_prior(model: NormalModel) -> float:
    """Of components given noises and precisions, and of the noises; precisions may be anything but infinite."""
    U, D = model.components[:-1], model.components.shape[1]
    sizes = (U**2 / model.noise).mean(axis=1) + 1 / model.most
    of_components = 0.5 * D * float((np.log(model.precision) - model.precision * sizes).sum())
    # the √ψ of every U_cj is part of the law of ψ: else a component that has faded would still make all noises smaller
    of_noises = np.log(model.noise) + PRIOR_NOISE / model.noise
    return of_components - 0.5 * PRIOR_ROWS * float(of_noises.sum())
