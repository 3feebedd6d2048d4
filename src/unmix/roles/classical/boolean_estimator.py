"""What Boolean estimators share: X ≈ Z ⊗ U with Z the roles of the users and U the permissions of the roles."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted

from unmix.core.arguments import whole_number
from unmix.roles.access.grants import Grants, join_equal, to_zero_one, without_duplicates
from unmix.roles.classical.best_assignment import best_role_sets, boolean_product
from unmix.shell.estimator import Estimator
from unmix.shell.progress import with_callbacks


class BooleanEstimator(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
    """Base of the Boolean estimators: reads 0 and 1, joins equal users, and keeps ``roles_`` and ``assignments_``.

    A subclass has ``_learn(grants, seed)``, which returns the roles (k, d), and may have its own ``_assign(rows)``.
    ``threshold`` says from where on an entry is a grant; None expects 0 and 1 and warns of anything else.
    """

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Find roles in X, users × permissions, of 0 and 1: a table in memory, sparse, or a path.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d), or path
        y : ignored
        sample_weight : array-like of shape (n,), optional
            Weight 2 is the same as the user twice, weight 0 as if absent.

        Returns
        -------
        self
        """
        self._check_parameters()
        X = self._blocks(without_duplicates(X), reset=True)
        weights = self._weights(sample_weight, X)
        seed = self._seed() if hasattr(self, "random_state") else 0
        grants = join_equal(self._read(X), weights)
        with self._fitting(X, seed, weights):
            self._store(self._learn(grants, seed))
        self.assignments_ = self._assign(grants.rows)[grants.place].astype(self._fit_dtype)
        return self

    def _store(self, roles: np.ndarray) -> None:
        self.roles_ = np.ascontiguousarray(roles, dtype=self._fit_dtype)
        self.n_roles_ = len(self.roles_)

    @property
    def _n_features_out(self) -> int:
        return len(self.roles_)

    def transform(self, X):
        """The roles of each user, (n, n_roles) of 0 and 1."""
        check_is_fitted(self)
        return self._assign(self._rows(X)).astype(self._fit_dtype)

    def inverse_transform(self, Z):
        """The permissions of users with roles Z (n, n_roles): the Boolean product Z ⊗ roles_."""
        check_is_fitted(self)
        Z = check_array(Z, input_name="Z")
        if Z.shape[1] != len(self.roles_):
            raise ValueError(f"Z has {Z.shape[1]} column(s), but there are {len(self.roles_)} roles: one column a role")
        return boolean_product(Z > 0.5, self.roles_).astype(self._fit_dtype)

    def complete(self, X, shown):
        """Permissions (n, d) of users of whom only the permissions ``shown`` (a mask of d) are known."""
        check_is_fitted(self)
        shown = np.asarray(shown)
        if shown.shape != (self.n_features_in_,) or shown.dtype != bool:
            raise ValueError(f"shown: give a Boolean mask of {self.n_features_in_} permissions")
        return self._complete(self._rows(X), shown).astype(self._fit_dtype)

    def score(self, X, y=None):
        """Minus the share of entries of X that differ from what the roles of the users grant."""
        rows = self._rows(X)
        granted = boolean_product(self._assign(rows), self.roles_)
        ones = float(rows.sum())
        agreed = float(np.asarray((rows * granted).sum()))
        return -(ones + granted.sum() - 2 * agreed) / granted.size

    def _rows(self, X: Any) -> Any:
        return self._read(self._blocks(without_duplicates(X), reset=False))

    def _read(self, blocks: Any) -> Any:
        return to_zero_one(blocks.gather(), self.threshold, getattr(self, "feature_names_in_", None))

    def _assign(self, rows: Any) -> np.ndarray:
        return best_role_sets(rows, self.roles_.astype(np.float64))

    def _complete(self, rows: Any, shown: np.ndarray) -> np.ndarray:
        roles = self.roles_.astype(np.float64)
        return boolean_product(best_role_sets(rows, roles, shown), roles)

    def _learn(self, grants: Grants, seed: int) -> np.ndarray:
        raise NotImplementedError

    def _check_parameters(self) -> None:
        if self.threshold is not None and (not isinstance(self.threshold, Real) or not 0 <= self.threshold < np.inf):
            raise ValueError(
                f"threshold={self.threshold!r}: give a finite number from 0 up, or None for data of 0 and 1"
            )
        if hasattr(self, "n_roles") and self.n_roles is not None:
            whole_number("n_roles", self.n_roles, 1)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
