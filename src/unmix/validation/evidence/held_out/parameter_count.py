"""How many numbers were free in a fitted model.

mixture of k Gaussians in d dimensions     k - 1 weights, k d means, and covariances:
                                           full k d (d + 1)/2, tied d (d + 1)/2, diag k d, spherical k, fixed 0
probabilistic PCA of rank k                d means, d k - k (k - 1)/2 directions and variances, 1 noise;
                                           at rank d - 1 and above that is the full Gaussian, d + d (d + 1)/2
factor analysis of rank k                  d means, d k - k (k - 1)/2 loadings, d noises
histogram clustering over m columns        k - 1 weights, k (m - 1) probabilities
the same with s Gaussians over the bins    k - 1 weights, k (s - 1) shares, 2 s means and widths where fitted
"""

from __future__ import annotations

from typing import Any, NamedTuple

GAUSSIAN = ("full", "tied", "diag", "spherical", "fixed")


class MultinomialCount(NamedTuple):
    """Free numbers of each cluster's distribution, those that all share, and all with the weights."""

    each: int
    shared: int
    total: int


def n_parameters(estimator: Any, d: int) -> int | None:
    """The model's own count (`n_parameters_`), else by its kind, else None."""
    own = getattr(estimator, "n_parameters_", None)
    if own is not None:
        return int(own)
    if hasattr(estimator, "cluster_distributions_"):
        return multinomial_count(estimator, d).total
    k, covariance = getattr(estimator, "n_components", None), getattr(estimator, "covariance_type", None)
    if k is not None and covariance in GAUSSIAN:
        shared, each = gaussian_parts(covariance, k, d)
        return shared + k * each
    if hasattr(estimator, "components_") and hasattr(estimator, "noise_variance_"):
        noises = getattr(estimator.noise_variance_, "size", 1) if hasattr(estimator, "loglike_") else 1
        return latent_gaussian_count(len(estimator.components_), d, int(noises))
    return None


def gaussian_parts(covariance: str, k: int, d: int) -> tuple[int, int]:
    """Numbers shared by the components of a mixture, the weights among them, and numbers of each."""
    shared = k - 1 + (d * (d + 1) // 2 if covariance == "tied" else 0)
    own = {"full": d * (d + 1) // 2, "diag": d, "spherical": 1}
    return shared, d + own.get(covariance, 0)


def latent_gaussian_count(k: int, d: int, noises: int = 1) -> int:
    """Mean, loadings up to rotation, noise; never more than those of a full Gaussian."""
    return d + min(d * k - k * (k - 1) // 2 + noises, d * (d + 1) // 2)


def multinomial_count(estimator: Any, m: int) -> MultinomialCount:
    k = len(estimator.cluster_distributions_)
    each, shared = m - 1, 0
    if hasattr(estimator, "component_means_"):
        s = len(estimator.component_means_)
        each, shared = s - 1, 2 * s if getattr(estimator, "components", None) == "fitted" else 0
    return MultinomialCount(each, shared, k - 1 + k * each + shared)
