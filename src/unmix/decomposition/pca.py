"""Principal component analysis, complete data or not."""

from __future__ import annotations

import warnings
from numbers import Real

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_array, check_is_fitted

from unmix.algorithms.principal.gaussian_model import (
    as_latent_gaussian,
    fit_principal,
    log_density,
    most_components,
    project,
)
from unmix.algorithms.principal.spectrum import InfiniteValues, MissingValues
from unmix.core.arguments import is_whole, one_of, whole_number
from unmix.core.linalg import power_of_two
from unmix.decomposition.shared.svd_solvers import PRINCIPAL_SOLVERS, check_effort, check_strictly_below
from unmix.shell.data import check_finite
from unmix.shell.estimator import NOT_ROUTED, Estimator
from unmix.shell.missing import check_missing, ignores_missing
from unmix.shell.progress import with_callbacks

EM_TOLERANCE = 1e-7  # of the log-likelihood of an observed entry, where none is given
FEW_AT_A_TIME = ("arpack", "randomized")  # solvers that are given the number of vectors to find


class PCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
    """Principal component analysis: the directions in which a table varies most, and from which it is rebuilt best.

    Objective: orthonormal rows U (k, d) that maximise the variance of ``Z = (X - mean) Uᵀ`` and, equally, minimise
    the error ``||X - mean - Z U||²``.

    Algorithm, chosen by shape: from the d×d covariance (one pass over the rows, n d² operations), from the n×n
    inner products of the rows where n < d, or, where both are large and few components are wanted, by block Lanczos
    from a random start (4 n d (k + 10) operations a pass, until the residual is below rounding). Directions too
    weak for squared numbers are solved again from the data in a second pass. With ``missing="ignore"`` NaN are cells
    that were not observed: probabilistic PCA is then fitted to the others, by EM (n d k² operations an iteration).

    Parameters
    ----------
    n_components : int, float, "mle" or None, default=None
        How many components; a float between 0 and 1 takes the fewest that explain more than that share of the
        variance; "mle" the number with the most evidence (Minka 2000). None keeps min(n, d), one less with "arpack".
    copy : bool, default=True
        X is never overwritten, whatever is given.
    whiten : bool, default=False
        Give every code unit variance. Directions without variance get code 0.
    svd_solver : {"auto", "full", "covariance_eigh", "gram", "arpack", "randomized"}, default="auto"
        "covariance_eigh" and "gram" are the first two routes above, "full" the cheaper of them, "arpack" and
        "randomized" the third. All end at the rounding of the table; "auto" takes the cheapest. "arpack" and
        "randomized" want a number of components, or None, and "arpack" fewer than min(n, d).
    tol : float, default=0.0
        EM stops when the log-likelihood per observed entry rises by less; 0 is 1e-7. The other solvers go to the
        end of the digits.
    iterated_power : int or "auto", default="auto"
        Taken and not used: the iteration stops by its own error bound.
    n_oversamples : int, default=10
        Taken and not used, as above.
    power_iteration_normalizer : {"auto", "QR", "LU", "none"}, default="auto"
        Effort of scikit-learn's "randomized". Here products are added until none could change a digit, so these do
        not change the result.
    random_state : int, RandomState or None, default=None
        Seeds the start of block Lanczos, on which the result depends by rounding only (with missing values, by
        `tol`). None is a fixed seed: the same table gives the same bits.
    missing : {"error", "ignore"}, default="error"
        Refuse NaN, or take them as cells that were not observed.
    max_iter : int, default=500
        Most iterations of EM, or passes of "arpack" and "randomized".

    Attributes
    ----------
    components_ : (n_components_, n_features_in_) array
        Rows U, by falling variance; the largest entry of each is positive.
    explained_variance_, explained_variance_ratio_, singular_values_ : (n_components_,) arrays
        ``singular_values_**2 / (n - 1)``, its share of the whole, and the singular values of ``X - mean``.
    mean_ : (n_features_in_,) array
    n_components_ : int
    n_samples_ : int or float
        Number of rows, or the sum of their weights.
    noise_variance_ : float
        Mean variance of the directions left out.
    noise_scale_ : float
        Its square root, which neither over- nor underflows.
    n_iter_ : int
        Iterations of EM; 1 where none were needed.
    trace_ : list of dict
        What iterative solvers measured.

    References
    ----------
    Pearson, Philosophical Magazine 2, 1901; Tipping & Bishop, JRSS B 61, 1999; Halko, Martinsson & Tropp, SIAM
    Review 53, 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.decomposition import PCA
    >>> X = np.array([[0.0, 0.0], [2.0, 1.0], [4.0, 2.0], [6.0, np.nan]])
    >>> pca = PCA(n_components=1, missing="ignore").fit(X)
    >>> pca.components_.round(2)
    array([[0.89, 0.45]])
    >>> pca.inverse_transform(pca.transform(X))[-1].round(1)
    array([6., 3.])
    """

    __metadata_request__fit = __metadata_request__score = NOT_ROUTED

    def __init__(
        self,
        n_components=None,
        *,
        copy=True,
        whiten=False,
        svd_solver="auto",
        tol=0.0,
        iterated_power="auto",
        n_oversamples=10,
        power_iteration_normalizer="auto",
        random_state=None,
        missing="error",
        max_iter=500,
    ):
        self.n_components = n_components
        self.copy = copy
        self.whiten = whiten
        self.svd_solver = svd_solver
        self.tol = tol
        self.iterated_power = iterated_power
        self.n_oversamples = n_oversamples
        self.power_iteration_normalizer = power_iteration_normalizer
        self.random_state = random_state
        self.missing = missing
        self.max_iter = max_iter

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Find the components of X, whose rows may be weighted (weight 2 is the row twice)."""
        self._check_parameters()
        blocks = self._blocks(X, reset=True, min_rows=2, finite=False)  # the pass for the moments finds what is not
        kept, weights = self._counted(sample_weight, blocks)
        if kept is not blocks:
            check_finite(self, blocks, ignores_missing(self))  # also in rows that no pass will see
        rule = self._check_rule(kept, weights)
        seed = 0 if self.random_state is None else self._seed()  # only rounding depends on it: repeatable by default
        settings = {
            "solver": PRINCIPAL_SOLVERS[self.svd_solver],
            "max_iter": self.max_iter,
            "gaps": ignores_missing(self),
        }
        with self._fitting(kept, seed, weights):
            try:
                found = fit_principal(kept, rule, weights=weights, seed=seed, tol=self.tol or EM_TOLERANCE, **settings)
            except (InfiniteValues, MissingValues):
                check_finite(self, kept, ignores_missing(self))  # says in which column
                raise
        self._store(found, blocks)
        return self

    def transform(self, X):
        """Codes of the rows of X; a missing entry counts as its expectation given the others."""
        check_is_fitted(self)
        blocks = self._blocks(X, reset=False, allow_nan=ignores_missing(self))
        model, scale = self._model()
        codes = blocks.map(project, self.components_.astype(np.float64), self.mean_.astype(np.float64), model, scale)
        return codes * self._whitening().astype(codes.dtype) if self.whiten else codes

    def inverse_transform(self, X):
        """Rows of the table from their codes."""
        check_is_fitted(self)
        codes = check_array(X, dtype=[np.float64, np.float32], ensure_min_features=0)
        if codes.shape[1] != self.n_components_:
            raise ValueError(f"codes have {codes.shape[1]} columns, expected {self.n_components_}: one a component")
        if self.whiten:
            codes = codes * self._deviations().astype(codes.dtype)
        return codes @ self.components_.astype(codes.dtype) + self.mean_.astype(codes.dtype)

    def score_samples(self, X):
        """Log-likelihood of each row, of what was observed of it, under the Gaussian of `get_covariance`."""
        check_is_fitted(self)
        blocks = self._blocks(X, reset=False, allow_nan=ignores_missing(self))
        return blocks.map(log_density, *self._model())

    def score(self, X, y=None, sample_weight=None):
        """Mean log-likelihood of the rows."""
        return float(np.average(self.score_samples(X), weights=sample_weight))

    def get_covariance(self):
        """``Uᵀ diag(variance - noise) U + noise I``."""
        check_is_fitted(self)
        excess = np.maximum(self.explained_variance_ - self.noise_variance_, 0.0)
        covariance = (self.components_.T * excess) @ self.components_
        covariance.flat[:: len(covariance) + 1] += self.noise_variance_
        return covariance

    def get_precision(self):
        """The inverse of `get_covariance`, from the components; where it has none, of the nearest that has."""
        check_is_fitted(self)
        model, scale = self._model()
        variances = np.sum(model.loadings**2, axis=0) + model.noise
        precision = (self.components_.T * (1 / variances - 1 / model.noise)) @ self.components_
        precision.flat[:: len(precision) + 1] += 1 / model.noise
        return precision * scale**2

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = ignores_missing(self)
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    @property
    def _n_features_out(self):
        return self.n_components_

    def _check_parameters(self):
        one_of("svd_solver", self.svd_solver, tuple(PRINCIPAL_SOLVERS))
        check_missing(self)
        whole_number("max_iter", self.max_iter, 1)
        check_effort(self.n_oversamples, self.power_iteration_normalizer, self.tol)
        if not (isinstance(self.iterated_power, str) and self.iterated_power == "auto"):
            whole_number("iterated_power", self.iterated_power, 0, ' or "auto"')

    def _check_rule(self, blocks, weights):
        """The rule for the number of components, as int, float, "mle" or None."""
        rule, limit = self.n_components, most_components(blocks, weights)
        if weights is not None and weights.sum() <= 1:
            raise ValueError(
                f"sample_weight sums to {weights.sum():.3g}, but counts rows (2 is the row twice) and must exceed 1; "
                "multiply all weights"
            )
        if rule is None:
            check_strictly_below(1, limit, "svd_solver", self.svd_solver)
            return limit - 1 if self.svd_solver == "arpack" else None
        if isinstance(rule, str) and rule == "mle":
            return self._check_evidence(blocks)
        few = self.svd_solver in FEW_AT_A_TIME
        if is_whole(rule, 1 if few else 0) and rule <= limit:
            check_strictly_below(rule, limit, "svd_solver", self.svd_solver)
            return int(rule)
        if isinstance(rule, Real) and 0 < rule < 1 and not few:
            return float(rule)
        least, solver = (1, self.svd_solver) if few else (0, "full" if self.svd_solver == "auto" else self.svd_solver)
        shares = "" if few else ", a share of the variance between 0 and 1, 'mle'"
        raise ValueError(
            f"n_components={rule!r} must be between {least} and min(n_samples, n_features)={limit} with "
            f"svd_solver={solver!r}: give such a whole number{shares} or None"
        )

    def _check_evidence(self, blocks):
        if self.svd_solver in FEW_AT_A_TIME:
            raise ValueError(
                f"n_components='mle' cannot be a string with svd_solver={self.svd_solver!r}, which is given how many "
                "vectors to find; use svd_solver='full', or give a number"
            )
        if blocks.shape[0] < blocks.shape[1]:
            raise ValueError(
                f"n_components='mle' is only supported if n_samples >= n_features, got {blocks.shape[0]} rows of "
                f"{blocks.shape[1]}; give a number or a share of variance"
            )
        return "mle"

    def _store(self, found, blocks):
        dtype = blocks.dtype
        degrees = found.weight - 1
        deviations = np.sqrt(found.variances) / found.scale
        with np.errstate(over="ignore", under="ignore"):
            self.explained_variance_ = (deviations**2).astype(dtype)
            self.noise_scale_ = float(np.sqrt(found.noise)) / found.scale
            self.noise_variance_ = dtype.type(np.float64(self.noise_scale_) ** 2)
        self.components_ = found.components.astype(dtype)
        self.mean_ = found.mean.astype(dtype)
        self.singular_values_ = (deviations * np.sqrt(degrees)).astype(dtype)
        self.explained_variance_ratio_ = (found.variances / (found.total or 1.0)).astype(dtype)
        self.n_components_ = len(found.components)
        self.n_samples_ = int(found.weight) if float(found.weight).is_integer() else found.weight
        self.n_iter_ = found.n_iter
        if not found.converged:
            warnings.warn(
                f"PCA did not converge in max_iter={self.max_iter} iterations; raise max_iter, or tol",
                ConvergenceWarning,
                stacklevel=3,
            )

    def _deviations(self):
        """Standard deviations of the codes, from numbers that cannot have overflowed."""
        return self.singular_values_.astype(np.float64) / np.sqrt(self.n_samples_ - 1)

    def _whitening(self):
        deviations = self._deviations()
        return np.divide(1.0, deviations, out=np.zeros_like(deviations), where=deviations > 0)

    def _model(self):
        """The Gaussian of the scaled table, and the scale."""
        deviations = self._deviations()
        scale = power_of_two(float(max(deviations.max(initial=0.0), self.noise_scale_)))
        mean = self.mean_.astype(np.float64) * scale
        components = self.components_.astype(np.float64)
        return as_latent_gaussian(components, deviations * scale, self.noise_scale_ * scale, mean), scale
