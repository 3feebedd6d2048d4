"""Where a factorization starts: the leading singular directions of what the constant model leaves unexplained.

    R = -slope / √bend   at the best constants      (for least squares: the centred, scaled table)

Codes that must not be negative and components that may start from K-means of the leading scores; where neither may,
from the parts of the singular vectors that have one sign (non-negative double singular value decomposition).

Udell, Horn, Zadeh & Boyd, Foundations and Trends in Machine Learning 9, 2016; Boutsidis & Gallopoulos, 2008.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.factorization.alternate import one_pass
from unmix.algorithms.factorization.components import update_components
from unmix.algorithms.factorization.design import parabolas, read_cells
from unmix.algorithms.factorization.least_squares import Spectrum
from unmix.algorithms.factorization.problem import Problem, Rules, counted, unpack_rows
from unmix.algorithms.nonnegative.start import larger_parts
from unmix.algorithms.principal.krylov import leading_by_products
from unmix.constraints.base import Constraint
from unmix.core.random import spawn

DENSE = 1024  # columns up to which all products are formed at once
NEAR, PASSES = 1e-4, 30
SCORES = 20  # dimensions beyond k in which rows are clustered for a start
LEVEL = 1e-6
CENTER_STEPS = 3
OPEN = 0.01
SWAP_ROUNDS = 100  # more than are ever used


class Start(NamedTuple):
    codes: Any
    components: np.ndarray


class Products(NamedTuple):
    """Of the responses: RᵀR or its product with vectors, and the mean bends."""

    products: np.ndarray
    bend: np.ndarray
    weight: float


def make_start(problem: Problem, constant: np.ndarray, k: int, seed: int, known: Spectrum | None = None) -> Start:
    """Codes and components, in the precision of the table; the intercept, where there is one, as the last row."""
    rules, dtype = starting(problem.rules), problem.X.dtype
    if k == 0:
        return Start(np.zeros((problem.X.shape[0], 0), dtype), np.atleast_2d(constant)[: rules.intercept].astype(dtype))
    nothing = problem.rows(np.zeros((problem.X.shape[0], 0), dtype))
    wanted = number_of_directions(rules.codes, problem.components, k, len(constant))
    values, vectors, bend = known or leading(problem._replace(rules=rules), nothing, constant, wanted, seed)
    scores = problem.X.map(project, rules, constant, vectors, rows=nothing)
    if clusters(rules.codes, problem.components):
        codes = cluster_codes(scores, problem.weights, k, seed).astype(dtype)
        codes = rules.codes.prox(codes, 0.0)
        components = centers(problem._replace(rules=rules), codes, constant, k)
    elif not rules.codes.symmetric and not problem.components.symmetric:
        codes, components = one_sign(scores, vectors, problem.weights, values)
        components = components / np.sqrt(bend)
    else:
        codes, components = scores, vectors / np.sqrt(bend)
        if unlimited(rules.codes) and unlimited(problem.components):
            codes, components = in_units_of_rows(codes, components, problem.weights)
    codes, components = padded(codes, components, k, seed)
    codes, components = balanced(rules.codes, problem.components, codes, components, problem.weights)
    codes = rules.codes.prox(codes.astype(dtype), 0.0)
    components = problem.components.prox(components, 0.0)
    if starts_elsewhere(problem.rules) and problem.components.convex:
        components = opened(components)
    if rules.intercept:
        components = np.vstack([components, constant])
    return Start(codes, components.astype(dtype))


def starting(rules: Rules) -> Rules:
    """The rules with the losses that a fit starts from."""
    groups = tuple(group._replace(loss=group.loss.at_start()) for group in rules.design.groups)
    return rules._replace(design=rules.design._replace(groups=groups))


def starts_elsewhere(rules: Rules) -> bool:
    return any(group.loss.at_start() is not group.loss for group in rules.design.groups)


def opened(components: np.ndarray) -> np.ndarray:
    """A little nearer to the mean of each: what is exactly 0 may cost infinitely much under the loss itself."""
    mean: np.ndarray = components.mean(axis=1, keepdims=True)
    return components + OPEN * (mean - components)


def number_of_directions(codes: Constraint, components: Constraint, k: int, D: int) -> int:
    return min(k + (SCORES if clusters(codes, components) else 0), D)


def clusters(codes: Constraint, components: Constraint) -> bool:
    """Whether a row belongs to its components rather than being a mixture of signs."""
    return not codes.symmetric and (components.symmetric or codes.scope != "entry")


def centers(problem: Problem, codes: np.ndarray, constant: np.ndarray, k: int) -> np.ndarray:
    """The components that suit given codes, after some steps from the constants."""
    components = np.zeros((k, len(constant)))
    for _ in range(1 if problem.rules.design.quadratic else CENTER_STEPS):
        inner = np.vstack([components, constant]) if problem.rules.intercept else components
        _, found = one_pass(problem, codes, inner, effort=0)
        components = update_components(problem, found, inner, 1.0)[:k]
    return components


def response(block: Any, rows: Any, rules: Rules, constant: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """R, the bends and the weights of rows."""
    given = unpack_rows(rows, rules)
    cells, mask = read_cells(counted(block, given.weights), given.entries, rules.zeros)
    m = np.broadcast_to(constant.astype(cells.dtype), (len(cells), len(constant))).copy()
    at = parabolas(rules.design, cells, mask, m)
    root = np.sqrt(at.bend)
    out = np.divide(-at.slope, root, out=np.zeros_like(root), where=root > 0)
    return out, at.bend, given.weights


def all_products(block: Any, rows: Any, rules: Rules, constant: np.ndarray) -> Products:
    R, bend, weights = response(block, rows, rules, constant)
    R = R.astype(np.float64)
    return Products(R.T @ (R * weights[:, None]), weights @ bend, float(weights.sum()))


def some_products(block: Any, rows: Any, rules: Rules, constant: np.ndarray, vectors: np.ndarray) -> Products:
    R, bend, weights = response(block, rows, rules, constant)
    R = R.astype(np.float64)
    return Products(((R @ vectors.T) * weights[:, None]).T @ R, weights @ bend, float(weights.sum()))


def project(block: Any, rows: Any, rules: Rules, constant: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    R, _, _ = response(block, rows, rules, constant)
    return R @ vectors.T.astype(R.dtype)


def leading(problem: Problem, rows: Any, constant: np.ndarray, k: int, seed: int) -> Spectrum:
    X, rules, D = problem.X, problem.rules, len(constant)
    if D <= DENSE:
        found = X.reduce(all_products, rules, constant, rows=rows)
        values, vectors = np.linalg.eigh(found.products)
        values, vectors = values[::-1][:k], vectors[:, ::-1][:, :k].T
    else:
        found = X.reduce(some_products, rules, constant, np.zeros((0, D)), rows=rows)

        def product(block: np.ndarray) -> np.ndarray:
            image: np.ndarray = X.reduce(some_products, rules, constant, block, rows=rows).products
            return image

        values, vectors, _ = leading_by_products(product, D, k, tol=NEAR, max_iter=PASSES, seed=seed)
    bend = found.bend / found.weight
    return Spectrum(np.sqrt(np.maximum(values, 0.0)), vectors, np.where(bend > 0, bend, 1.0))


def cluster_codes(scores: np.ndarray, weights: np.ndarray | None, k: int, seed: int) -> np.ndarray:
    from unmix.algorithms.kmeans import fit as kmeans
    from unmix.algorithms.kmeans.multi_start import Settings, enough_restarts
    from unmix.core.blocks import LocalBlocks
    from unmix.core.sources import ArraySource

    clusters = min(k, len(scores) if weights is None else int((weights > 0).sum()))
    table = LocalBlocks(ArraySource(np.ascontiguousarray(scores)))
    settings = Settings(n_init=enough_restarts(clusters), swaps=SWAP_ROUNDS)
    labels = np.asarray(kmeans.fit(table, weights, clusters, settings, seed).labels)
    return (labels[:, None] == np.arange(k)).astype(scores.dtype)


def one_sign(
    scores: np.ndarray, vectors: np.ndarray, weights: np.ndarray | None, values: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Of every singular pair the positive or negative parts, whichever are larger; zeros filled with a small level."""
    weight = float(len(scores) if weights is None else weights.sum())
    codes, components = np.empty(scores.shape), np.empty(vectors.shape)
    for c in range(len(vectors)):
        codes[:, c], components[c] = larger_parts(scores[:, c].astype(np.float64), vectors[c], weights, first=c == 0)
    level = np.sqrt(float(values[0]) / np.sqrt(weight * vectors.shape[1]) / len(vectors)) if len(vectors) else 0.0
    codes[codes <= LEVEL * level] = level
    components[components <= LEVEL * level] = level
    return codes, components


def unlimited(constraint: Constraint) -> bool:
    return not (constraint.bounded or constraint.shrinks)


def in_units_of_rows(Z: np.ndarray, U: np.ndarray, weights: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Codes of size 1 on average: beside the ones of the intercept, whatever unit the table has."""
    weight = np.ones(len(Z)) if weights is None else weights
    counts = weight > 0
    top = np.abs(Z[counts]).max(axis=0, initial=0.0).astype(np.float64)
    top = np.where(top > 0, top, 1.0)
    size = top * np.sqrt(weight[counts] @ (Z[counts] / top) ** 2 / max(weight.sum(), np.finfo(float).tiny))
    size = np.where(size > 0, size, 1.0)
    return (Z / size).astype(Z.dtype), U * size[:, None]


def padded(codes: np.ndarray, components: np.ndarray, k: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """More components than the table has directions: the rest at random, without codes."""
    have, D = len(components), components.shape[1]
    if have >= k:
        return codes[:, :k], components[:k]
    more = spawn(seed, 2).standard_normal((k - have, D)) / np.sqrt(D)
    extra = np.zeros((len(codes), k - codes.shape[1]), codes.dtype)
    return np.hstack([codes, extra]), np.vstack([components, np.abs(more) if (components >= 0).all() else more])


def balanced(
    codes: Constraint, components: Constraint, Z: np.ndarray, U: np.ndarray, weights: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Sizes of codes and components for which both penalties together are least; the products stay as they are."""
    if not (codes.shrinks and components.shrinks) or not len(U):
        return Z, U
    weight = np.ones(len(Z)) if weights is None else weights
    Z, U = Z.copy(), U.copy()
    for c in range(len(U)):
        alone, single = np.zeros_like(Z), np.zeros_like(U)
        alone[:, c], single[c] = Z[:, c], U[c]
        pays = [float(weight @ codes.penalty(alone)), float(components.penalty(single).sum())]
        twice = [float(weight @ codes.penalty(2 * alone)), float(components.penalty(2 * single).sum())]
        if min(pays) > 0:
            dz, du = (np.log2(two / one) for two, one in zip(twice, pays, strict=True))
            ratio = (dz * pays[0] / (du * pays[1])) ** (1 / (dz + du))
            Z[:, c] /= ratio
            U[c] *= ratio
    return Z, U
