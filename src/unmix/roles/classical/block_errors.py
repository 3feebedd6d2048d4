"""Entries left out in blocks of users × permissions, and predicted by singular vectors that have not seen them.

x̂ = X_out (A_K)⁺ B with A the other users and other permissions, B the other users and these permissions: with
AᵀWA = Σ λ_k v_k v_kᵀ, the part of component k is (X_out v_k) (v_kᵀ AᵀW B) / λ_k. Every entry is left out once.

Reference: Owen & Perry, Bi-cross-validation of the SVD and the nonnegative matrix factorization, Ann. Appl. Stat. 3
(2009).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh

from unmix.core.random import spawn

N_STANDARD_ERRORS = 2.0  # standard errors
HEAVY_NOISE = 0.25  # share of wrong entries beyond which those that are left out hardly tell ranks apart
LARGEST_OF_NOISE = 0.98  # 95 % quantile of the law of Tracy and Widom
FEW_COLUMNS = 64  # up to here all eigenvectors are as quick as some
NO_DIRECTION = 1e-10  # of the largest eigenvalue: what is below is rounding


class BlockErrors(NamedTuple):
    """Of what was left out, users with their weights: entries (blocks,), wrong ones (blocks, ranks, cuts), and squares.

    ``squares`` (blocks, ranks) are the squared differences before rounding.
    """

    wrong: np.ndarray
    squares: np.ndarray
    entries: np.ndarray

    def choose(self, cuts: np.ndarray, fixed_rank: bool = False, seen: int = 1) -> tuple[int, int]:
        """Rank and cut, as indices: the smallest rank that is not clearly worse than the best one.

        Clearly is by more than two standard errors of the difference, block by block, so that what makes a block hard
        for all ranks cancels. Where noise is heavy, rounded guesses of many ranks and cuts are wrong about equally
        often, and the best of them is so by luck: no rank above that of the least squares is considered, or above the
        number of directions ``seen`` over the noise of the whole table, if that is more; and as many of these are kept
        as do not make it clearly worse. Of cuts that are equally good, the nearest to one half.
        """
        total = self.wrong.sum(axis=0)
        heavy = total.min() > HEAVY_NOISE * self.entries.sum()
        limit = max(self.squares.sum(axis=0).argmin() + 1, seen if heavy else 1)
        total = total if fixed_rank else total[:limit]
        middle = np.argsort(np.abs(cuts - 0.5), kind="stable")
        cut, ranks = middle[total[:, middle].argmin(axis=1)], np.arange(len(total))
        if fixed_rank:
            return len(total) - 1, int(cut[-1])
        best = int(total[ranks, cut].argmin())
        more = self.wrong[:, ranks, cut] - self.wrong[:, best, cut[best], None]
        doubt = more.std(axis=0, ddof=1) * np.sqrt(len(more))
        good = np.flatnonzero(more.sum(axis=0) <= N_STANDARD_ERRORS * doubt + 1e-9)
        rank = good[good < max(seen, good[0] + 1)][-1] if heavy else good[0]
        return int(rank), int(cut[rank])

    def directions_over_noise(self, singular: np.ndarray, d: int) -> int:
        """Singular values above the largest that noise of the same variance has: (√n + √d) σ and what chance adds.

        A direction of the table without noise below σ (n d)^¼ leaves no trace in singular vectors (Baik, Ben Arous &
        Péché, Ann. Probab. 33, 2005); n is the number of users.
        """
        roots = np.sqrt([self.entries.sum() / d, d])
        variance = self.squares.sum(axis=0).min() / self.entries.sum()
        largest = roots.sum() ** 2 + LARGEST_OF_NOISE * roots.sum() * np.cbrt((1 / roots).sum())
        return int(np.count_nonzero(singular**2 > variance * largest))

    def left_out(self, cuts: np.ndarray, fixed_rank: bool = False, seen: int = 1) -> tuple[float, float]:
        """Share of wrong entries where each block is judged by rank and cut chosen on the others, and its doubt."""
        wrong = np.empty(len(self.entries))
        for block in range(len(wrong)):
            others = BlockErrors(*(np.delete(part, block, axis=0) for part in self))
            wrong[block] = self.wrong[(block, *others.choose(cuts, fixed_rank, seen))]
        error = float(wrong.sum() / self.entries.sum())
        spread = (wrong - error * self.entries).std(ddof=1) * np.sqrt(len(wrong))
        return error, float(spread / self.entries.sum())

    @property
    def shares(self) -> np.ndarray:
        """Shares of wrong entries (ranks, cuts)."""
        return self.wrong.sum(axis=0) / self.entries.sum()


def block_errors(
    rows: np.ndarray, weights: np.ndarray, *, cuts: np.ndarray, most: int, n_folds: int, seed: int
) -> BlockErrors:
    """All blocks of ``n_folds`` groups of users and as many of permissions, for ranks 1 … ``most``."""
    n, d = rows.shape
    place = spawn(seed, 0).permutation(np.arange(n) % n_folds)
    fold = spawn(seed, 1).permutation(np.arange(d) % n_folds)
    wide = n < d  # the smaller of two matrices has the same eigenvalues
    products = rows @ rows.T if wide else rows.T @ (rows * weights[:, None])
    wrong, squares, entries = [], [], []
    for f in range(n_folds):
        held = left_out_weight(weights, (f - place) % n_folds, n_folds)
        users, kept = held > 0, np.maximum(weights - held, 0.0)
        some, weight = rows[users], held[users]
        seen = products if wide else products - some.T @ (some * weight[:, None])
        for g in range(n_folds):
            inside = fold == g
            found = by_users(rows, kept, users, seen, inside, most) if wide else by_columns(some, seen, inside, most)
            block = one_block(some[:, inside], weight, *found, cuts, most)
            wrong.append(block[0])
            squares.append(block[1])
            entries.append(float(weight.sum() * inside.sum()))
    return BlockErrors(np.array(wrong), np.array(squares), np.array(entries))


def left_out_weight(weights: np.ndarray, turn: np.ndarray, n_folds: int) -> np.ndarray:
    """How many of the users with equal rows are left out: they take turns, so a row of weight 2 is the row twice.

    >>> [left_out_weight(np.array([1.0, 2.0, 7.0]), turn, 4).tolist() for turn in range(4)]
    [[1.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 0.0, 2.0], [0.0, 0.0, 1.0]]
    """
    rounds = np.floor(weights / n_folds)
    return rounds + np.clip(weights - n_folds * rounds - turn, 0.0, 1.0)


def by_columns(some: np.ndarray, gram: np.ndarray, inside: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """X_out v_k / λ_k (users, ranks) and v_kᵀ AᵀW B (ranks, permissions inside), from AᵀW [A B] of ``gram``."""
    values, vectors = leading(gram[np.ix_(~inside, ~inside)], most)
    return some[:, ~inside] @ (vectors / values), vectors.T @ gram[np.ix_(~inside, inside)]


def by_users(
    rows: np.ndarray, kept: np.ndarray, users: np.ndarray, products: np.ndarray, inside: np.ndarray, most: int
) -> tuple[np.ndarray, np.ndarray]:
    """The same from the products of all pairs of users.

    With W^½ A Aᵀ W^½ = Σ λ_k u_k u_kᵀ, v_k = Aᵀ W^½ u_k / √λ_k, and the part of component k is
    (X_out Aᵀ W^½ u_k) (u_kᵀ W^½ B) / λ_k.
    """
    pairs, seen = products - rows[:, inside] @ rows[:, inside].T, kept > 0
    roots = np.sqrt(kept[seen])
    values, vectors = leading(pairs[np.ix_(seen, seen)] * np.outer(roots, roots), most)
    weighted = vectors * roots[:, None]
    return pairs[np.ix_(users, seen)] @ (weighted / values), weighted.T @ rows[np.ix_(seen, inside)]


def one_block(
    truth: np.ndarray, weights: np.ndarray, scores: np.ndarray, known: np.ndarray, cuts: np.ndarray, most: int
) -> tuple[np.ndarray, np.ndarray]:
    """Wrong entries (ranks, cuts) and squares (ranks,) of these users; ranks that A lacks are as the last it has."""
    from unmix.roles.classical.block_errors_kernel import tally

    ranks = scores.shape[1]
    granted, squares = np.zeros((max(ranks, 1), len(cuts) + 1)), np.zeros(max(ranks, 1))
    tally(np.ascontiguousarray(truth), weights, scores, known, cuts, granted, squares)
    # an entry is granted at all cuts below its guess: a one is right there, a zero wrong
    wrong = granted[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:] + weights @ truth.sum(axis=1)
    last = np.minimum(np.arange(most), len(squares) - 1)
    return wrong[last], squares[last]


def leading(gram: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """The largest eigenvalues above rounding, falling, and their vectors as columns."""
    d = len(gram)
    few = d <= FEW_COLUMNS
    values, vectors = np.linalg.eigh(gram) if few else eigh(gram, subset_by_index=(max(d - most, 0), d - 1))
    values, vectors = values[::-1][:most], vectors[:, ::-1][:, :most]
    real = values > NO_DIRECTION * max(values[0], 1e-300)
    return values[real], vectors[:, real]
