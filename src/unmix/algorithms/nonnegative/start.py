"""Where a factorization starts.

random    |normal| components, equal codes
nndsvd    X ≈ Σ_c s_c p_c v_cᵀ (leading singular vectors): of each pair the positive or the negative parts, whichever
          are larger together, √(s |p±| |v±|) times their directions. Zeros stay zero under multiplicative updates,
nndsvda   so here they are √(mean of the table / k), the level of a factor (the authors take the mean, which is in
          another unit), and
nndsvdar  here hundredths of that level, times |normal|.

Directions that the table does not have (k beyond its rank) start at random.

Boutsidis & Gallopoulos, SVD based initialization, Pattern Recognition 41, 2008.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.nonnegative.compressed import is_worthwhile
from unmix.algorithms.nonnegative.leading import leading_roughly
from unmix.algorithms.nonnegative.problem import Problem
from unmix.algorithms.nonnegative.sparse_product import cross_products, laid_out, times
from unmix.algorithms.nonnegative.table import Sums, is_sparse, weighted_block
from unmix.core.blocks import RowBlocks
from unmix.core.random import spawn

STARTS = ("nndsvda", "nndsvd", "nndsvdar", "random")
NEGLIGIBLE = 1e-6
EXTRA = 10  # directions beyond those wanted


class Start(NamedTuple):
    """Codes and components; the table in its leading directions, if these help to improve the start."""

    codes: np.ndarray  # (n, k)
    components: np.ndarray  # (k, d)
    images: np.ndarray | None = None  # (n, r)
    vectors: np.ndarray | None = None  # (r, d), orthonormal rows


def make_start(problem: Problem, k: int, kind: str, sums: Sums, seed: int) -> Start:
    """A start of the named kind, in the precision of the table."""
    X = problem.X
    mean = sums.total / max(sums.entries, 1.0)
    level = np.sqrt(mean / k)
    codes = np.full((X.shape[0], k), level, X.dtype)
    if kind == "random" or sums.total <= 0:
        return Start(codes, random_components(k, X.shape[1], level, seed).astype(X.dtype))
    values, vectors = leading(problem, k, seed)
    rank = min(k, int((values > np.finfo(X.dtype).eps * values[0]).sum()))
    components = np.empty((k, X.shape[1])) if rank == k else random_components(k, X.shape[1], level, seed)
    more = is_worthwhile(problem, len(vectors))  # else no more than the start itself is asked of them
    vectors = vectors if more else vectors[:rank]
    turned = laid_out(X, vectors.T.astype(X.dtype))
    images = X.map(multiply, turned, len(vectors), problem.scale, rows=problem.weights)
    share = sums.entries / (sums.weight * X.shape[1])  # of the entries that were observed
    spread = float(np.sqrt(np.sqrt(values[0]) / share / max(sums.weight, X.shape[1])))
    for c in range(rank):  # in double precision one column at a time: there may be room for little more than the codes
        code, component = larger_parts(images[:, c].astype(np.float64), vectors[c], problem.weights, first=c == 0)
        for factor in (code, component):
            factor *= np.sqrt(1 / share)
            if kind != "nndsvd":
                fill(factor, NEGLIGIBLE * spread, level, spawn(seed, 2, c) if kind == "nndsvdar" else None)
        codes[:, c], components[c] = code, component
    return Start(codes, components.astype(X.dtype), *((images, vectors) if more else ()))


def fill(factor: np.ndarray, least: float, level: float, generator: np.random.Generator | None) -> None:
    """Entries that are next to nothing get the level of a factor, or random hundredths of it."""
    if generator is None:
        factor[factor <= least] = level
    else:
        drawn = np.abs(generator.standard_normal(len(factor))) * (level / 100)
        np.copyto(factor, drawn, where=factor <= least)


def random_components(k: int, d: int, level: float, seed: int) -> np.ndarray:
    out: np.ndarray = np.abs(spawn(seed, 0).standard_normal((k, d))) * level
    return out


def leading(problem: Problem, k: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Squares of the leading singular values, and right singular vectors as rows."""
    X = problem.X

    def product(vectors: np.ndarray) -> np.ndarray:
        turned, r = laid_out(X, vectors.T.astype(X.dtype)), len(vectors)
        image: np.ndarray = X.reduce(gram_product, turned, r, problem.scale, rows=problem.weights).rows
        return image

    return leading_roughly(product, X.shape[1], k + EXTRA, seed)


def larger_parts(
    image: np.ndarray, vector: np.ndarray, weights: np.ndarray | None, first: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Non-negative code and component from one singular pair (``image`` = s p), one long array at a time."""
    signs = [1] if first else [1, -1]
    if first:  # of one sign by the theorem of Perron and Frobenius
        image, vector = np.abs(image), np.abs(vector)
    norms = [(length(part(image, sign), weights), np.linalg.norm(part(vector, sign))) for sign in signs]
    best = int(np.argmax([a * b for a, b in norms]))
    code, component, (a, b) = part(image, signs[best]), part(vector, signs[best]), norms[best]
    if a > 0 and b > 0:  # balanced: both have norm √(s |p±| |v±|)
        code *= np.sqrt(b / a)
        component *= np.sqrt(a / b)
    return code, component


def part(values: np.ndarray, sign: int) -> np.ndarray:
    """What is positive, or what is negative, of the values."""
    out = values * sign
    return np.maximum(out, 0, out=out)


def length(code: np.ndarray, weights: np.ndarray | None) -> float:
    return float(np.sqrt(code @ code if weights is None else weights @ code**2))


class Product(NamedTuple):
    rows: np.ndarray


def gram_product(block: Any, weights: np.ndarray | None, turned: np.ndarray, r: int, scale: float) -> Product:
    """Q XᵀX of one block, for Qᵀ (d, r) as it is laid out; what is missing counts as zero."""
    rows = observed(block, scale, weights)
    codes = times(rows, turned, r)
    if weights is not None:
        codes *= weights[:, None].astype(rows.dtype)
    return Product(cross_products(rows, codes))


def multiply(block: Any, weights: np.ndarray | None, right: np.ndarray, r: int, scale: float) -> np.ndarray:
    return times(observed(block, scale, weights), right, r)


def observed(block: Any, scale: float, weights: np.ndarray | None) -> Any:
    rows = weighted_block(block, scale, weights)
    if not is_sparse(rows) and np.isnan(rows).any():
        rows = np.nan_to_num(rows, nan=0.0)
    return rows


def constant_codes(X: RowBlocks, k: int, sums: Sums) -> np.ndarray:
    """Codes that go with given components: all equal, of the size of the table."""
    return np.full((X.shape[0], k), np.sqrt(sums.total / max(sums.entries, 1.0) / k), X.dtype)
