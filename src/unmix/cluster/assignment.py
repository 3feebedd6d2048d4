"""What estimators that minimise a cost over labels have in common: solve, order the clusters, store."""

from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import ClusterMixin
from sklearn.utils.validation import validate_data

from unmix.core.canonical import canonical
from unmix.core.dispatch import as_blocks
from unmix.inference.named_steps import make_step
from unmix.inference.presets import Solution, solve
from unmix.shell.estimator import Estimator
from unmix.shell.parameters import whole_number


class AssignmentClustering(ClusterMixin, Estimator):
    """Base of estimators with the parameters inference, temperature, n_temperatures, n_init and random_state."""

    def _check_common(self) -> None:
        for name in ("n_temperatures", "n_init"):
            whole_number(name, getattr(self, name), 1)
        T = self.temperature
        if not isinstance(T, Real) or isinstance(T, bool) or not 0 <= T < np.inf:
            raise ValueError(f"temperature={T!r}: give a finite number from 0 up; 0 ends with hard labels")

    def _solve(self, rows: Any, cost: Any, data: Any, k: int, seed: int) -> Solution:
        make_step(self.inference, cost)
        with self._fitting(as_blocks(rows), seed):
            return solve(
                cost,
                data,
                k,
                inference=self.inference,
                temperature=float(self.temperature),
                n_temperatures=self.n_temperatures,
                n_init=self.n_init,
                seed=seed,
            )

    def _keep(self, found: Solution, dtype: Any) -> np.ndarray:
        """Store labels, probabilities and cost, largest cluster first; returns the order of the clusters."""
        order = largest_first(found.labels, found.shares.shape[1])
        self.labels_ = np.argsort(order)[found.labels].astype(np.int32)
        self.probabilities_ = found.shares[:, order].astype(dtype)
        self.cost_, self.first_temperature_ = found.cost, found.first_temperature
        return order


def largest_first(labels: np.ndarray, k: int) -> np.ndarray:
    """Clusters by size, equally large ones by their first object, empty ones last."""
    sizes = np.bincount(labels, minlength=k)
    first = np.full(k, len(labels))
    np.minimum.at(first, labels, np.arange(len(labels)))
    return np.lexsort((first, -sizes))


def square_matrix(estimator: Any, X: Any, what: str, *, sparse: bool, allow_nan: bool) -> Any:
    """X as a square float matrix, dense or CSR."""
    X = validate_data(
        estimator,
        X,
        accept_sparse="csr" if sparse else False,
        dtype=[np.float64, np.float32],
        ensure_all_finite="allow-nan" if allow_nan else True,
    )
    if X.shape[0] != X.shape[1]:
        raise ValueError(f"X has shape {X.shape}; {what} between all pairs of objects make a square matrix")
    return canonical(X) if sparse and hasattr(X, "tocsr") else X


def check_count(n_clusters: Any, n: int) -> None:
    whole_number("n_clusters", n_clusters, 1)
    if n_clusters > n:
        raise ValueError(f"n_samples={n} should be >= n_clusters={n_clusters}; ask for fewer clusters")
