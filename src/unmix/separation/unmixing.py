"""What every separation by an unmixing matrix shares: sources out, rows back, order, signs, and what to warn of."""

from __future__ import annotations

import warnings
from numbers import Real

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_array, check_is_fitted

from unmix.algorithms.independent.gaussianity import non_gaussianity
from unmix.algorithms.independent.whitening import fit_whitening, project, random_rotation
from unmix.core.arguments import whole_number
from unmix.core.linalg import row_signs
from unmix.core.random import spawn
from unmix.shell.linear_code import LinearCode


class Unmixing(LinearCode):
    """Base of estimators with sources = (X - mean_) @ components_.T and X ≈ sources @ mixing_.T + mean_."""

    def transform(self, X):
        """Sources of the rows of X, one column a source."""
        check_is_fitted(self)
        blocks = self._blocks(X, reset=False)
        return blocks.map(project, self.mean_.astype(np.float64), self.components_.astype(np.float64))

    def inverse_transform(self, X):
        """Rows of the table from their sources."""
        sources = self._codes(X)
        return sources @ self.mixing_.T.astype(sources.dtype) + self.mean_.astype(sources.dtype)

    def _number(self):
        """n_components as a plain number, or None."""
        k = self.n_components
        if k is None:
            return None
        return whole_number("n_components", k, 1, ", or None for as many as the rows have")

    def _rows_to_fit(self, X, sample_weight):
        """(rows, their weights, seed) of a whole fit."""
        return *self._counted(sample_weight, self._blocks(X, reset=True, min_rows=2)), self._seed()

    def _whitened_start(self, blocks, weights, seed):
        """The whitening of the rows, and the matrix to start from in its coordinates."""
        frame = fit_whitening(blocks, self._number(), weights)
        return frame, self._start(len(frame.matrix), spawn(seed, 0))

    def _start(self, k, generator):
        """The given start ``w_init``, checked, or a rotation that is drawn."""
        if self.w_init is None:
            return random_rotation(k, generator)
        start = check_array(self.w_init, dtype=np.float64, input_name="w_init")
        if start.shape != (k, k) or np.linalg.matrix_rank(start) < k:
            what = "has invalid shape" if start.shape != (k, k) else "is not invertible:"
            raise ValueError(f"w_init {what} {start.shape}, should be {(k, k)}: an invertible matrix of that shape")
        return start

    def _store(self, frame, rotation, dtype):
        """Sources by the variance they explain, falling; the largest entry of each column of the mixing positive."""
        mixing = frame.inverse @ np.linalg.inv(rotation)
        # sizes of columns, not of squares, which overflow; to six digits each, so that rounding does not sort equals
        extents = np.abs(mixing).max(axis=0)
        sizes = np.log(extents) + np.log(np.linalg.norm(mixing / extents, axis=0))
        order = np.argsort(-np.round(sizes, 6), kind="stable")
        signs = row_signs(mixing.T)[order]
        self.components_ = ((rotation @ frame.matrix)[order] * signs[:, None]).astype(dtype)
        self.mixing_ = (mixing[:, order] * signs).astype(dtype)
        self.mean_ = frame.mean.astype(dtype)
        return order, signs

    def _judge(self, blocks, weights, weight, unit_rows, hint=""):
        """How far each source is from Gaussian, and a warning where two or more cannot be told from it.

        ``unit_rows`` is the unmixing matrix, scaled so that sources have unit variance.
        """
        mean = self.mean_.astype(np.float64)
        distances = non_gaussianity(blocks, mean, unit_rows, weights, weight)
        self.non_gaussianity_ = distances.astype(self.mean_.dtype)
        gaussian = np.flatnonzero(distances <= 1)
        if len(gaussian) > 1:
            named = ", ".join(map(str, gaussian[:10])) + (", …" if len(gaussian) > 10 else "")
            warnings.warn(
                f"{len(gaussian)} of {len(unit_rows)} sources ({named}) cannot be distinguished from Gaussian ones: "
                f"{type(self).__name__} finds them only up to a rotation among themselves. Give more rows, ask for "
                "fewer components, or use SecondOrderICA if they are signals with spectra of their own" + hint,
                GaussianSourcesWarning,
                stacklevel=4,
            )

    def _check_learning_rate(self):
        rate = self.learning_rate
        if rate is not None and not (isinstance(rate, Real) and rate > 0):
            raise ValueError(f"learning_rate={rate!r}: give a number above 0, or None")

    def _tell_unconverged(self, what):
        warnings.warn(f"{type(self).__name__} did not converge. {what}", ConvergenceWarning, stacklevel=4)


class GaussianSourcesWarning(UserWarning):
    """More than one source is indistinguishable from Gaussian, so the unmixing is not determined."""
