"""What estimators that minimise a cost over labels have in common: solve, order the clusters, store."""

import warnings
from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import ClusterMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from unmix.core.arguments import whole_number
from unmix.core.canonical import canonical
from unmix.inference.named_steps import make_step
from unmix.inference.presets import Solution, solve
from unmix.io.dispatch import as_blocks
from unmix.shell.data import to_array
from unmix.shell.estimator import Estimator

LARGEST_R_HAT = 1.1  # above it chains have not converged
CHAIN_ATTRIBUTES = ("diagnostics_", "draws_")
MOST_PAIRS = 5_000  # objects of which all pairs are stored unasked


class AssignmentClustering(ClusterMixin, Estimator):
    """Base of estimators with the parameters inference, temperature, n_temperatures, n_init and random_state."""

    def _check_common(self) -> None:
        for name in ("n_temperatures", "n_init"):
            whole_number(name, getattr(self, name), 1)
        T = self.temperature
        if not isinstance(T, Real) or isinstance(T, bool) or not 0 <= T < np.inf:
            raise ValueError(f"temperature={T!r}: give a finite number from 0 up; 0 ends with hard labels")

    def _solve(self, rows: Any, cost: Any, data: Any, k: int, seed: int, starts: Sequence[np.ndarray] = ()) -> Solution:
        step = make_step(self.inference, cost)
        with self._fitting(as_blocks(rows), seed):
            found = solve(
                cost,
                data,
                k,
                inference=self.inference,
                temperature=float(self.temperature),
                n_temperatures=self.n_temperatures,
                n_init=self.n_init,
                seed=seed,
                starts=starts,
            )
        self.__dict__.pop("free_energy_", None)
        if self.temperature > 0 and hasattr(step, "free_energy"):
            self.free_energy_ = float(step.free_energy(cost, data, found.shares, float(self.temperature)))
        return found

    def _keep(self, found: Solution, dtype: Any) -> np.ndarray:
        """Store labels, probabilities and cost, largest cluster first; returns the order of the clusters."""
        order = largest_first(found.labels, found.shares.shape[1])
        self.labels_ = np.argsort(order)[found.labels].astype(np.int32)
        self.probabilities_ = found.shares[:, order].astype(dtype)
        self.cost_, self.first_temperature_ = found.cost, found.first_temperature
        for name in CHAIN_ATTRIBUTES:
            self.__dict__.pop(name, None)  # what an earlier fit has stored
        if found.equilibrium is not None:
            self.draws_ = np.argsort(order).astype(found.equilibrium.draws.dtype)[found.equilibrium.draws]
            self.diagnostics_ = found.equilibrium.diagnostics()
            self._warn_if_apart()
        return order

    def _warn_if_apart(self) -> None:
        worst = self.diagnostics_["r_hat"]
        if worst > LARGEST_R_HAT:
            message = (
                f"The chains have not converged: R-hat is {worst:.3g}, above {LARGEST_R_HAT}, so probabilities_ depend "
                "on where they began. Give more draws, such as inference=Gibbs(draws=5000), or a higher temperature"
            )
            warnings.warn(message, ConvergenceWarning, stacklevel=5)

    def co_membership(self, pairs: Any = None) -> np.ndarray:
        """The probability that two objects of the fit share a cluster, whatever the clusters are called.

        Samplers count the labellings they drew (`draws_`), so the standard error is at most 0.5 over the root of the
        effective sample size; mean fields hold labels for independent; at zero temperature it is 0 or 1.

        Parameters
        ----------
        pairs : array-like of int, shape (m, 2), optional
            Numbers of the objects asked for. By default all pairs.

        Returns
        -------
        ndarray of shape (m,), or (n, n) for all pairs
        """
        check_is_fitted(self)
        q, n = self.probabilities_.astype(np.float64), len(self.labels_)
        one, other = pair_numbers(pairs, n)
        if hasattr(self, "draws_"):
            together = np.zeros(np.broadcast_shapes(one.shape, other.shape))
            for labels in self.draws_:
                together += labels[one] == labels[other]
            together /= len(self.draws_)
        elif pairs is None:
            together = q @ q.T
        else:
            together = np.einsum("ij,ij->i", q[one], q[other])
        return np.where(one == other, 1.0, together).astype(self.probabilities_.dtype)


def pair_numbers(pairs: Any, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of the objects of each pair; of all pairs a column and a row."""
    if pairs is None:
        if n > MOST_PAIRS:
            raise ValueError(f"{n} objects have {n}² pairs; name those you want to know, as pairs of shape (m, 2)")
        return np.arange(n)[:, None], np.arange(n)[None]
    pairs = np.asarray(pairs)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
        raise ValueError(f"pairs has shape {pairs.shape} and type {pairs.dtype}; give whole numbers of shape (m, 2)")
    if pairs.size and not (pairs.min() >= 0 and pairs.max() < n):
        raise ValueError(f"pairs runs from {pairs.min()} to {pairs.max()}; the {n} objects are numbered 0 to {n - 1}")
    return pairs[:, 0], pairs[:, 1]


def largest_first(labels: np.ndarray, k: int) -> np.ndarray:
    """Clusters by size, equally large ones by their first object, empty ones last."""
    sizes = np.bincount(labels, minlength=k)
    first = np.full(k, len(labels))
    np.minimum.at(first, labels, np.arange(len(labels)))
    return np.lexsort((first, -sizes))


def square_matrix(estimator: Any, X: Any, what: str, *, sparse: bool, allow_nan: bool) -> Any:
    """X as a square float matrix, dense or CSR."""
    X = to_array(estimator, X, sparse=sparse, allow_nan=allow_nan)
    if X.shape[0] != X.shape[1]:
        raise ValueError(f"X has shape {X.shape}; {what} between all pairs of objects make a square matrix")
    return canonical(X) if sparse and hasattr(X, "tocsr") else X


def check_count(n_clusters: Any, n: int) -> None:
    whole_number("n_clusters", n_clusters, 1)
    if n_clusters > n:
        raise ValueError(f"n_samples={n} should be >= n_clusters={n_clusters}; ask for fewer clusters")
