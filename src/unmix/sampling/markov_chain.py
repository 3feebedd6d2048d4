"""Markov chains on finitely many states: where they go, what they converge to, and how fast.

    p_{t+1} = p_t P,   π = π P,   detailed balance π_i P_ij = π_j P_ji

Reference: Levin, Peres & Wilmer, Markov Chains and Mixing Times, chapters 1, 4 and 12 (2009).
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_array, diags_array
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigs, eigsh

from unmix.core.canonical import canonical
from unmix.core.threads import one_blas_thread
from unmix.information.distribution import is_sparse
from unmix.sampling.chain_structure import classes, closed_classes, periods
from unmix.sampling.mixing import mixing_by_powers, mixing_by_steps
from unmix.sampling.stationary import stationary_law

LARGEST_DENSE = 500  # up to this many states a sparse chain's eigenvalues are computed densely


class MarkovChain:
    """A Markov chain with transition probabilities P, dense or sparse.

    Parameters
    ----------
    P : array-like or sparse matrix of shape (n, n)
        ``P[i, j]`` is the probability of a step from i to j; rows sum to one. A sparse P stays sparse.

    Examples
    --------
    Sun and rain: after sun it rains with probability 0.1, after rain the sun comes with probability 0.5.

    >>> from unmix.sampling import MarkovChain
    >>> weather = MarkovChain([[0.9, 0.1], [0.5, 0.5]])
    >>> weather.is_irreducible(), weather.is_aperiodic()
    (True, True)
    >>> weather.stationary().round(3)
    array([0.833, 0.167])
    >>> round(weather.spectral_gap(), 3), weather.mixing_time(0.01)
    (0.6, 5)
    """

    def __init__(self, P: Any) -> None:
        self.P = _checked(P)
        self.n_states = int(self.P.shape[0])

    def is_irreducible(self) -> bool:
        """Whether every state can be reached from every other."""
        return classes(self._graph)[0] == 1

    def closed_classes(self) -> list[np.ndarray]:
        """The sets of states that reach each other and are never left: in one of them every walk ends up."""
        return closed_classes(self._graph)

    def period(self, state: int = 0) -> int:
        """The greatest common divisor of the times at which a walk from ``state`` can be back; 0 if it never is."""
        return int(periods(self._graph)[state])

    def is_aperiodic(self) -> bool:
        """Whether no state has a period above 1."""
        return bool(periods(self._graph).max() <= 1)

    def stationary(self) -> np.ndarray:
        """The law π = π P; refused where several closed classes make it ambiguous. Transient states have none of it."""
        return self._stationary.copy()

    def satisfies_detailed_balance(self, law: Any = None, *, tol: float = 1e-10) -> bool:
        """Whether ``π_i P_ij = π_j P_ji`` for all pairs, for the stationary distribution or a given one."""
        law = self._stationary if law is None else np.asarray(law, dtype=np.float64)
        flow = self._scaled_rows(law)
        larger = flow.maximum(flow.T) if is_sparse(flow) else np.maximum(flow, flow.T)
        return bool((abs(flow - flow.T) - tol * larger).max() <= 0)  # each pair by its own size: small flows count, too

    def spectral_gap(self) -> float:
        """1 - |λ₂|, λ₂ the largest eigenvalue in modulus after 1; 0 for periodic chains and several closed classes."""
        if len(self.closed_classes()) > 1:
            return 0.0
        reversible = (self._stationary > 0).all() and self.satisfies_detailed_balance()
        with one_blas_thread():
            second = self._second_of_reversible() if reversible else self._second()
        return float(np.clip(1.0 - second, 0.0, 1.0))

    def mixing_time(self, epsilon: float = 0.25, *, max_steps: int = 10**6) -> float:
        """The first t at which, from any start, the law of the state is within ``epsilon`` of π in total variation.

        Infinite where that never happens: with several closed classes, or with a period; and where a sparse chain has
        not come so near in ``max_steps`` steps.
        """
        if not 0 < epsilon < 1:
            raise ValueError(f"epsilon={epsilon!r}: give a number between 0 and 1")
        closed = self.closed_classes()
        if len(closed) > 1 or self.period(int(closed[0][0])) != 1:
            return float("inf")
        if not is_sparse(self.P):
            return mixing_by_powers(self.P / self.P.sum(axis=1, keepdims=True), self._stationary, epsilon)
        return mixing_by_steps(self.P, self._stationary, epsilon, max_steps)

    def simulate(self, n_steps: int, start: Any = None, random_state: Any = None) -> np.ndarray:
        """A walk: the state at times 0 … n_steps.

        ``start`` is a state, or a distribution to draw it from, by default the stationary one. ``random_state`` is an
        integer, a numpy Generator or None.
        """
        from unmix.sampling.walk_kernel import walk

        if n_steps < 0:
            raise ValueError(f"n_steps={n_steps!r}: give a whole number from 0 up")
        generator = np.random.default_rng(random_state)
        path = np.empty(n_steps + 1, dtype=np.int64)
        path[0] = self._draw_start(start, generator)
        graph = self._graph
        total = np.concatenate([[0.0], np.cumsum(graph.data)])
        heights = total[1:] - np.repeat(total[graph.indptr[:-1]], np.diff(graph.indptr))
        walk(heights, graph.indices, graph.indptr, generator.random(n_steps), path)
        return path

    def _draw_start(self, start: Any, generator: np.random.Generator) -> int:
        law = self._stationary if start is None else start
        if np.ndim(law) == 0:
            if not 0 <= law < self.n_states:
                raise ValueError(
                    f"start={start!r}: give a state from 0 to {self.n_states - 1}, or a distribution over them"
                )
            return int(law)
        return int(generator.choice(self.n_states, p=np.asarray(law, dtype=np.float64)))

    @cached_property
    def _graph(self) -> csr_array:
        graph = csr_array(self.P, copy=True)
        graph.eliminate_zeros()
        return graph

    @cached_property
    def _stationary(self) -> np.ndarray:
        closed = self.closed_classes()
        if len(closed) > 1:
            raise ValueError(
                f"the chain has {len(closed)} closed classes, so its stationary distribution depends on the start; ask "
                "for that of one class: MarkovChain(P[states][:, states]) with states from closed_classes()"
            )
        law = np.zeros(self.n_states)
        law[closed[0]] = stationary_law(self.P[closed[0]][:, closed[0]])
        return law

    def _scaled_rows(self, factor: np.ndarray) -> Any:
        return csr_array(diags_array(factor) @ self.P) if is_sparse(self.P) else factor[:, None] * self.P

    def _second_of_reversible(self) -> float:
        """From the symmetric matrix with the same eigenvalues, sqrt(π_i) P_ij / sqrt(π_j), without its pair of 1."""
        root = np.sqrt(self._stationary)
        symmetric = self._scaled_rows(root)
        symmetric = symmetric @ diags_array(1 / root) if is_sparse(symmetric) else symmetric / root
        if not is_sparse(symmetric) or self.n_states <= LARGEST_DENSE:
            dense = symmetric.toarray() if is_sparse(symmetric) else symmetric
            return float(np.abs(np.linalg.eigvalsh(0.5 * (dense + dense.T) - np.multiply.outer(root, root))).max())
        operator = LinearOperator(
            symmetric.shape, lambda v: symmetric @ v.ravel() - root * (root @ v.ravel()), dtype=np.float64
        )
        return float(abs(eigsh(operator, k=1, which="LM", v0=_start(self.n_states))[0][0]))

    def _second(self) -> float:
        """Of P - 1 π, which has all eigenvalues of P but the 1."""
        law = self._stationary
        if is_sparse(self.P) and self.n_states > LARGEST_DENSE:
            operator = LinearOperator(self.P.shape, lambda v: self.P @ v.ravel() - law @ v.ravel(), dtype=np.float64)
            with suppress(ArpackNoConvergence):  # many eigenvalues of nearly the same modulus; then all are computed
                return float(np.abs(eigs(operator, k=1, which="LM", v0=_start(self.n_states), ncv=60)[0]).max())
        dense = self.P.toarray() if is_sparse(self.P) else self.P
        return float(np.abs(np.linalg.eigvals(dense - law)).max())


def _start(n: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(n)


def _checked(P: Any) -> Any:
    matrix: Any = canonical(P).astype(np.float64) if is_sparse(P) else np.array(P, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.shape[0] == 0:
        raise ValueError(f"P has shape {matrix.shape}; give a square table, one row and one column a state")
    values = matrix.data if is_sparse(P) else matrix
    if not np.isfinite(values).all() or (values < 0).any():
        raise ValueError("P holds NaN, infinity or negative numbers; its entries are probabilities")
    sums = np.asarray(matrix.sum(axis=1)).ravel()
    wrong = np.flatnonzero(np.abs(sums - 1) > 1e-8)
    if len(wrong):
        raise ValueError(
            f"row {wrong[0]} of P sums to {sums[wrong[0]]:.6g}; every row must sum to 1 (from counts, divide rows by "
            "their sums)"
        )
    return matrix
