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
from unmix.core.aligned.row_file import here, like, parts
from unmix.core.blocks import RowBlocks
from unmix.core.random import spawn

STARTS = ("nndsvda", "nndsvd", "nndsvdar", "random")
NEGLIGIBLE = 1e-6
EXTRA = 10  # directions beyond those wanted


class Start(NamedTuple):
    """Codes and components; the table in its leading directions, if these help to improve the start."""

    codes: Any  # (n, k), in memory or in a file
    components: np.ndarray  # (k, d)
    images: Any = None  # (n, r), likewise
    vectors: np.ndarray | None = None  # (r, d), orthonormal rows


def make_start(problem: Problem, k: int, kind: str, sums: Sums, seed: int) -> Start:
    """A start of the named kind, in the precision of the table."""
    X = problem.X
    mean = sums.total / max(sums.entries, 1.0)
    level = np.sqrt(mean / k)
    if kind == "random" or sums.total <= 0:
        codes = np.full((X.shape[0], k), level, X.dtype)
        return Start(codes, random_components(k, X.shape[1], level, seed).astype(X.dtype))
    values, vectors = leading(problem, k, seed)
    rank = min(k, int((values > np.finfo(X.dtype).eps * values[0]).sum()))
    components = np.empty((k, X.shape[1])) if rank == k else random_components(k, X.shape[1], level, seed)
    more = is_worthwhile(problem, len(vectors))  # else no more than the start itself is asked of them
    vectors = vectors if more else vectors[:rank]
    images = project(problem, vectors)
    share = sums.entries / (sums.weight * X.shape[1])  # of the entries that were observed
    spread = float(np.sqrt(np.sqrt(values[0]) / share / max(sums.weight, X.shape[1])))
    rule = Filling(kind, NEGLIGIBLE * spread, level, float(np.sqrt(1 / share)), seed)
    signs = [larger_half(images, c, vectors[c], problem.weights, first=c == 0) for c in range(rank)]
    for c, given in enumerate(signs):
        components[c] = rule.factor(vectors[c], given.sign, given.component, rule.drawn(c))
    out = like(images, k) if more or rank < k else images
    drawn = [rule.drawn(c) for c in range(rank)]
    for place, part in parts(images):  # there may be room for little more than the codes
        some = np.full((len(part), k), level, X.dtype)
        for c, given in enumerate(signs):
            some[:, c] = rule.factor(part[:, c].astype(np.float64), given.sign, given.code, drawn[c])
        out[place] = some
    return Start(out, components.astype(X.dtype), *((images, vectors) if more else ()))


def project(problem: Problem, vectors: np.ndarray) -> Any:
    """X Vᵀ, in memory or in a file."""
    turned = laid_out(problem.X, vectors.T.astype(problem.X.dtype))
    images, _ = problem.X.step(multiply, problem.weights, turned, len(vectors), problem.scale)
    return here(images)


class Filling(NamedTuple):
    """How singular vectors become factors; ``level`` is the usual size of an entry, ``least`` next to nothing."""

    kind: str
    least: float
    level: float
    unit: float
    seed: int

    def drawn(self, c: int) -> np.random.Generator | None:
        return spawn(self.seed, 2, c) if self.kind == "nndsvdar" else None

    def factor(self, values: np.ndarray, sign: int, size: float, drawn: np.random.Generator | None) -> np.ndarray:
        """Entries that are next to nothing get the level of a factor, or random hundredths of it."""
        out = signed_part(values, sign)
        out *= size
        out *= self.unit
        if drawn is not None:
            np.copyto(out, np.abs(drawn.standard_normal(len(out))) * (self.level / 100), where=out <= self.least)
        elif self.kind != "nndsvd":
            out[out <= self.least] = self.level
        return out


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


class Half(NamedTuple):
    """Which half of a singular pair starts a factor, and by what code and component are multiplied."""

    sign: int
    code: float
    component: float


def larger_parts(
    image: np.ndarray, vector: np.ndarray, weights: np.ndarray | None, first: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Non-negative code and component from one singular pair (``image`` = s p)."""
    half = larger_half(image[:, None], 0, vector, weights, first)
    return signed_part(image, half.sign) * half.code, signed_part(vector, half.sign) * half.component


def larger_half(images: Any, c: int, vector: np.ndarray, weights: np.ndarray | None, first: bool) -> Half:
    """The half of pair ``c`` that is larger; the first is of one sign, by the theorem of Perron and Frobenius."""
    signs = [0] if first else [1, -1]
    squares = np.zeros(len(signs))
    for place, part in parts(images):
        values = part[:, c].astype(np.float64)
        halves = (signed_part(values, sign) for sign in signs)
        squares += [code @ code if weights is None else weights[place] @ code**2 for code in halves]
    norms = [(float(np.sqrt(a)), float(np.linalg.norm(signed_part(vector, s)))) for a, s in zip(squares, signs)]
    best = int(np.argmax([a * b for a, b in norms]))
    a, b = norms[best]
    if a > 0 and b > 0:  # balanced: both have norm √(s |p±| |v±|)
        return Half(signs[best], float(np.sqrt(b / a)), float(np.sqrt(a / b)))
    return Half(signs[best], 1.0, 1.0)


def signed_part(values: np.ndarray, sign: int) -> np.ndarray:
    """What is positive, what is negative, or for 0 the size of the values."""
    if sign == 0:
        return np.abs(values)
    out = values * sign
    return np.maximum(out, 0, out=out)


class Product(NamedTuple):
    rows: np.ndarray


def gram_product(block: Any, weights: np.ndarray | None, turned: np.ndarray, r: int, scale: float) -> Product:
    """Q XᵀX of one block, for Qᵀ (d, r) as it is laid out; what is missing counts as zero."""
    rows = observed(block, scale, weights)
    codes = times(rows, turned, r)
    if weights is not None:
        codes *= weights[:, None].astype(rows.dtype)
    return Product(cross_products(rows, codes))


def multiply(
    block: Any, weights: np.ndarray | None, right: np.ndarray, r: int, scale: float
) -> tuple[np.ndarray, None]:
    return times(observed(block, scale, weights), right, r), None


def observed(block: Any, scale: float, weights: np.ndarray | None) -> Any:
    rows = weighted_block(block, scale, weights)
    if not is_sparse(rows) and np.isnan(rows).any():
        rows = np.nan_to_num(rows, nan=0.0)
    return rows


def constant_codes(X: RowBlocks, k: int, sums: Sums) -> np.ndarray:
    """Codes that go with given components: all equal, of the size of the table."""
    return np.full((X.shape[0], k), np.sqrt(sums.total / max(sums.entries, 1.0) / k), X.dtype)
