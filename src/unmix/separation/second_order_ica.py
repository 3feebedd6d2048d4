"""Source separation by autocorrelations."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

import numpy as np
from scipy.special import chdtri
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from unmix.algorithms.independent.lagged_covariance import lagged_covariances, spectral_matrices
from unmix.algorithms.independent.whitening import by_correlation
from unmix.algorithms.joint_diagonal.solve import FOR_POSITIVE_DEFINITE, METHODS, solve
from unmix.core.arguments import is_whole, whole_number
from unmix.core.scaling.standardize import StandardizedBlocks, measure_spread, refuse_overflow
from unmix.separation.unmixing import Unmixing
from unmix.shell.missing import check_missing, ignores_missing
from unmix.shell.progress import with_callbacks

CHOICES = ("auto", FOR_POSITIVE_DEFINITE, *METHODS, "amuse")
MOST_LAGS = 100
FLOOR = 1e-7  # of white noise in the spectra, relatively
LEVEL = 0.01  # of the test that two sources have the same autocorrelations


class SecondOrderICA(Unmixing):
    """Second-order source separation: ``X - mean = S Aᵀ``, sources uncorrelated at every lag, rows in order of time.

    Objective: the covariances of the sources with themselves τ steps earlier, ``W C_τ Wᵀ``, are as nearly diagonal as
    possible for all lags τ together, with sources of variance 1 (`joint_diagonalize`). Distributions do not
    matter: Gaussian sources are separated, if their autocorrelations differ.

    Algorithm: one pass for the lagged covariances (n d² operations a lag), then the diagonalization of d×d matrices.
    "likelihood" takes the spectra of the channels, which the lagged covariances make, for those of Gaussian sources
    (Whittle's likelihood): it knows how errors at neighbouring lags go together, and is the most accurate. "jacobi"
    (SOBI) keeps the sources uncorrelated at lag 0 exactly; "ffdiag" and "qdiag" treat lag 0 as one of many, which helps
    where it is the noisiest; "amuse" uses a single lag.

    Parameters
    ----------
    n_components : int, default=None
        Number of sources; None is the rank of the channels. Fewer than that keeps the largest principal components of
        the standardised channels.
    lags : int, sequence of int or "auto", default="auto"
        An int takes lags 1 to that number; "auto" the first 100 (fewer for short signals). Of these "amuse" takes the
        one at which sources differ most.
    lag_weights : {"uniform", "bartlett"}, array of shape (m,) or None, default=None
        α_τ, the weight of every lag in the sum of squares; "bartlett" is ``1 - τ / (L + 1)``, L the largest lag. None
        is "uniform", for "likelihood" "bartlett": there they taper the covariances that make the spectra.
    method : {"auto", "likelihood", "jacobi", "ffdiag", "qdiag", "amuse"}, default="auto"
        "auto" is "likelihood", or "jacobi" if `lags` leave some out or values are missing, which spectra need.
    max_iter : int, default=500
        Most iterations of the diagonalization.
    tol : float, default=1e-8
        Of the joint diagonalization: stop when a step is smaller.
    missing : {"error", "ignore"}, default="error"
        What to do with NaN: refuse it, or take it for a value that was not observed.

    Attributes
    ----------
    components_ : (n_components, n_features_in_) array
        Unmixing matrix W, a row a source; sources have variance 1 and the slowest (largest autocorrelation at the
        first lag) comes first.
    mixing_ : (n_features_in_, n_components) array
        A; the largest entry of each column is positive.
    mean_ : (n_features_in_,) array
    lags_ : (m,) array
    lag_weights_ : (m,) array
    method_ : str
        The method that was used.
    autocorrelations_ : (n_components, m) array
        Of the sources, at these lags.
    n_iter_ : int
    trace_ : list of dict

    References
    ----------
    Tong, Liu, Soon & Huang, IEEE Trans. Circuits and Systems 38, 1991; Belouchrani, Abed-Meraim, Cardoso & Moulines,
    IEEE Trans. Signal Processing 45, 1997; Pham & Garat, the same, 1997; Ziehe et al., JMLR 5, 2004; Vollgraf &
    Obermayer, IEEE Trans. Signal Processing 54, 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.separation import SecondOrderICA
    >>> t = np.arange(1000)
    >>> S = np.column_stack([np.sin(t / 30), np.sin(t / 5 + 1)])
    >>> X = S @ np.array([[1.0, 0.5], [0.4, 1.0]])
    >>> found = SecondOrderICA().fit_transform(X)
    >>> abs(np.corrcoef(found.T, S.T)[:2, 2:]).round(1)
    array([[1., 0.],
           [0., 1.]])
    """

    def __init__(
        self,
        n_components=None,
        *,
        lags="auto",
        lag_weights=None,
        method="auto",
        max_iter=500,
        tol=1e-8,
        missing="error",
    ):
        self.n_components = n_components
        self.lags = lags
        self.lag_weights = lag_weights
        self.method = method
        self.max_iter = max_iter
        self.tol = tol
        self.missing = missing

    @with_callbacks
    def fit(self, X, y=None):
        """Find the sources of X, a row a time and a column a channel; with ``missing="ignore"`` it may hold NaN."""
        self._check_parameters()
        blocks = self._blocks(X, reset=True, allow_nan=ignores_missing(self), sparse=False, min_rows=2)
        lags = self._chosen_lags(blocks.shape[0])
        with self._fitting(blocks, 0):
            spread = measure_spread(blocks)
            rows = StandardizedBlocks(blocks, spread.units)
            covariances, mean = lagged_covariances(rows, [0, *lags], spread.missing)
            covariances = (covariances + covariances.transpose(0, 2, 1)) / 2
            whitening = self._whitening(covariances[0], mean + spread.units.shift, blocks, spread.missing)
            method = self._chosen_method(lags, spread.missing)
            weights = self._chosen_weights(np.asarray(lags), method)
            chosen = self._chosen(covariances, whitening, weights, method)
            found = self._solve(covariances, whitening, weights, method, chosen, blocks.shape[0])
        self.method_, self.lag_weights_ = method, weights[chosen]
        self._keep(found, covariances[[0, *1 + chosen]], np.asarray(lags)[chosen], mean, spread.units, blocks)
        return self

    def transform(self, X):
        """Sources of the rows of X; a missing entry counts as its expectation given the other channels."""
        check_is_fitted(self)
        blocks = self._blocks(X, reset=False, allow_nan=ignores_missing(self), sparse=False)
        return blocks.map(unmix_rows, self.components_, self.mean_, self.mixing_)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        tags.input_tags.allow_nan = ignores_missing(self)
        return tags

    def _check_parameters(self):
        if self.n_components is not None:
            whole_number("n_components", self.n_components, 1, ", or None for the rank of the channels")
        whole_number("max_iter", self.max_iter, 1)
        check_missing(self)
        if self.method not in CHOICES:
            raise ValueError(f"method={self.method!r} is not known; choose one of {', '.join(CHOICES)}")

    def _chosen_lags(self, n):
        lags = self.lags
        if isinstance(lags, str):
            if lags != "auto":
                raise ValueError(f"lags={lags!r} is not known; give 'auto', a whole number or a sequence of them")
            return list(range(1, 1 + min(MOST_LAGS, max(1, n // 4))))
        chosen = list(lags) if isinstance(lags, Iterable) else list(range(1, lags + 1)) if _whole(lags) else []
        if not chosen or not all(_whole(lag) for lag in chosen):
            raise ValueError(f"lags={lags!r} is not possible; give 'auto', or whole numbers from 1 up")
        if max(chosen) >= n:
            raise ValueError(
                f"lags go up to {max(chosen)}, but X has n_samples={n} rows; lower them or give a longer signal"
            )
        if self.method == "likelihood" and chosen != list(range(1, 1 + len(chosen))):
            raise ValueError(f"lags={lags!r} leave some out, and method='likelihood' needs all; give their number")
        return [int(lag) for lag in chosen]

    def _whitening(self, covariance, mean, blocks, missing):
        least = 1e-10 if missing else np.finfo(float).eps  # entries over different rows need not fit together
        whitening = by_correlation(covariance, mean, blocks.shape[0], blocks.dtype, least).matrix[: self.n_components]
        if len(whitening) == 0:
            raise ValueError("every channel is constant, so there is no source to find; give channels that vary")
        if self.n_components is not None and len(whitening) < self.n_components:
            raise ValueError(
                f"n_components={self.n_components} is more than the rank {len(whitening)} of the channels; lower it"
            )
        return whitening

    def _chosen_method(self, lags, missing):
        if self.method != "auto":
            return self.method
        return "likelihood" if lags == list(range(1, 1 + len(lags))) and not missing else "jacobi"

    def _chosen_weights(self, lags, method):
        given, m = self.lag_weights, len(lags)
        rule = given if isinstance(given, str) else "bartlett" if method == "likelihood" else "uniform"
        if isinstance(given, str) and given not in ("uniform", "bartlett"):
            raise ValueError(f"lag_weights={given!r} is not known; give 'uniform', 'bartlett' or a number a lag")
        if given is None or isinstance(given, str):
            return np.ones(m) if rule == "uniform" else 1 - lags / (1 + lags.max())
        weights = np.asarray(given, np.float64)
        if weights.shape != (m,) or not (weights >= 0).all() or not weights.any() or not np.isfinite(weights).all():
            raise ValueError(
                f"lag_weights={given!r}: give {m} finite number{'s' * (m != 1)} from 0 up, one for each of the lags "
                f"and not all 0"
            )
        return weights

    def _chosen(self, covariances, whitening, weights, method):
        """For "amuse" the lag whose eigenvalues, by its weight, lie farthest apart, for others all."""
        if method != "amuse":
            return np.arange(len(weights))
        gaps = [np.diff(np.linalg.eigvalsh(whitening @ C @ whitening.T)).min(initial=np.inf) for C in covariances[1:]]
        return np.array([np.argmax(np.where(weights > 0, gaps, -1.0) * np.maximum(weights, np.finfo(float).tiny))])

    def _solve(self, covariances, whitening, weights, method, chosen, n):
        settings = {"max_iter": self.max_iter, "tol": self.tol}
        if method == "likelihood":
            spectra = self._spectra(covariances, whitening, weights, n)
            return solve(spectra, whitening, method="likelihood", weights=None, **settings)
        # a rotation diagonalises one matrix exactly; only those that are not tied to lag 0 have use for lag 0
        if method in ("jacobi", "amuse"):
            return solve(covariances[1 + chosen], whitening, method="jacobi", weights=weights[chosen], **settings)
        return solve(covariances, whitening, method=method, weights=np.append(1.0, weights), **settings)

    def _spectra(self, covariances, whitening, weights, n):
        """Bands in which the channels' spectrum is positive, as all are without gaps; tones have a floor of noise."""
        spectra = spectral_matrices(covariances, weights, n) + FLOOR * covariances[0]
        positive = np.linalg.eigvalsh(whitening @ spectra @ whitening.T)[:, 0] > FLOOR / 2
        if positive.sum() < min(2, len(whitening)):
            raise ValueError(
                "method='likelihood' needs spectra, which these lag_weights (or missing values) do not give; use "
                "lag_weights='bartlett' or method='jacobi'"
            )
        return spectra[positive]

    def _keep(self, found, covariances, lags, mean, units, blocks):
        W = (
            found.transform
            / np.sqrt(np.einsum("ia,ab,ib->i", found.transform, covariances[0], found.transform))[:, None]
        )
        correlations = np.einsum("ia,mab,ib->im", W, covariances[1:], W)
        order = np.lexsort((*-correlations.T[::-1],))
        W, correlations = W[order], correlations[order]
        mixing = np.linalg.pinv(W)
        signs = np.where(mixing[np.abs(mixing).argmax(0), np.arange(len(W))] < 0, -1.0, 1.0)
        dtype = blocks.dtype
        with np.errstate(over="ignore"):
            self.components_ = (W * signs[:, None] * units.scale).astype(dtype)
        refuse_overflow(self.components_)
        self.mixing_ = (mixing * signs / units.scale[:, None]).astype(dtype)
        self.mean_ = units.leave(mean).astype(dtype)
        self.lags_, self.autocorrelations_ = lags, correlations.astype(dtype)
        self.n_iter_ = found.iteration
        if not found.converged:
            message = f"SecondOrderICA did not converge in max_iter={self.max_iter} iterations; raise max_iter or tol"
            warnings.warn(message, ConvergenceWarning, stacklevel=3)
        self._warn_of_equals(correlations, blocks.shape[0])

    def _warn_of_equals(self, correlations, n):
        """Sources with the same autocorrelations could be any mixture of each other.

        A difference may be at the first few lags alone: the first 1, 2, 4, … are looked at, and all.
        """
        m = correlations.shape[1]
        squares = np.square(correlations[:, None] - correlations[None]).cumsum(2)
        # Bartlett: an autocorrelation of a coloured signal varies by more than 1/n
        variance = (2 + 2 * np.square(correlations).sum(1)[:, None] + 2 * np.square(correlations).sum(1)) / n
        counts = np.unique([*2 ** np.arange(int(np.log2(m)) + 1), m])
        limits = chdtri(counts, LEVEL / len(counts))  # of chi squared
        differ = (squares[:, :, counts - 1] / variance[:, :, None] >= limits).any(2)
        alike = np.argwhere(np.triu(~differ, 1))
        if len(alike):
            pairs = ", ".join(f"{i} and {j}" for i, j in alike[:5]) + (", …" if len(alike) > 5 else "")
            warnings.warn(
                f"sources {pairs} have autocorrelations that {n} rows cannot tell apart; they may be mixtures of each "
                "other. Use more lags or a longer signal, or a method that looks at distributions",
                UserWarning,
                stacklevel=3,
            )


def _whole(value):
    return is_whole(value, 1)


def unmix_rows(block, rows, components, mean, mixing):
    """(x - mean) Wᵀ, missing entries replaced by their regression on the others of the row."""
    Y = block - mean
    gaps = np.isnan(Y)
    if gaps.any():
        extents = np.linalg.norm(mixing, axis=1, keepdims=True)
        extents[extents == 0] = 1.0
        mixing = mixing / extents  # a rank is to be decided on channels of like size
        covariance = mixing @ mixing.T
        patterns, which = np.unique(gaps, axis=0, return_inverse=True)
        for p, pattern in enumerate(patterns):
            if pattern.any():
                members, seen = np.flatnonzero(which.ravel() == p), ~pattern
                slope = (
                    np.linalg.pinv(covariance[np.ix_(seen, seen)], hermitian=True) @ covariance[np.ix_(seen, pattern)]
                )
                Y[np.ix_(members, pattern)] = Y[np.ix_(members, seen)] / extents[seen, 0] @ slope * extents[pattern, 0]
    return (Y @ components.T).astype(block.dtype)
