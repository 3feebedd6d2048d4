"""The likelihood of a fitted model, row by row, and how many rows speak for each of its free parameters.

A model with a density has its own. One without is read as the model its cost is the likelihood of:

K-means and other labels   round Gaussians of one common variance at the means of the clusters, and one as wide as the
                           table for rows in no cluster
histogram clustering       a multinomial for each cluster
a factorization Z U        probabilistic PCA at the subspace of U
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import logsumexp
from sklearn.utils import get_tags

from unmix.validation.evidence.density import low_rank_gaussian, multinomials, round_gaussians
from unmix.validation.evidence.gibbs import takes_dissimilarities
from unmix.validation.evidence.held_out.parameter_count import (
    gaussian_parts,
    latent_gaussian_count,
    multinomial_count,
    n_parameters,
)
from unmix.validation.fits.refit import labels_of
from unmix.validation.fits.sampled_rows import on_rows

READINGS = ("mixture", "classification")


class Part(NamedTuple):
    """Parameters that the same evidence speaks for: how many they are, and how many rows (counts, entries) it has."""

    number: float
    evidence: float


class Fit(NamedTuple):
    """log p(x_i) of every row that counts, how many numbers were free to make it so, and what each was learned from.

    `entropy` is that of each row's posterior over clusters, in nats; None where rows belong to no cluster.
    `size` is the number of clusters or components asked for.
    """

    log_likelihood: np.ndarray
    n_parameters: int
    parts: tuple[Part, ...] = ()
    entropy: np.ndarray | None = None
    weight: np.ndarray | None = None
    size: int = 1


def fit_of(
    estimator: Any,
    X: np.ndarray,
    likelihood: str = "mixture",
    sample_weight: Any = None,
) -> Fit:
    """The model's own likelihood where it has one, else that of the model its cost stands for."""
    refuse_dissimilarities(estimator)
    weight = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    if weight is not None and not weight.all():  # rows that do not count are as if absent, whatever they hold
        rows = np.flatnonzero(weight)
        estimator, X, weight = on_rows(estimator, rows, len(X)), X[rows], weight[rows]
    if hasattr(estimator, "cluster_distributions_"):
        return multinomial_clusters(estimator, X, likelihood, weight)
    if hasattr(estimator, "score_samples") and n_parameters(estimator, X.shape[1]) is not None:
        return _own(estimator, X, weight)
    if hasattr(estimator, "labels_") or hasattr(estimator, "fit_predict"):
        return round_clusters(X, labels_of(estimator, X), likelihood, weight)
    if hasattr(estimator, "inverse_transform"):
        return noisy_factorization(estimator, X, weight)
    raise TypeError(
        f"{type(estimator).__name__} has no likelihood with a known number of parameters and labels no rows; "
        "this criterion needs a mixture, a clustering or a factorization"
    )


def _own(estimator: Any, X: np.ndarray, weight: np.ndarray | None) -> Fit:
    rows = np.asarray(estimator.score_samples(X), dtype=np.float64)
    count = int(n_parameters(estimator, X.shape[1]) or 0)
    n = float(len(rows) if weight is None else weight.sum())
    covariance = getattr(estimator, "covariance_type", None)
    if covariance is None or not hasattr(estimator, "predict_proba"):
        return Fit(rows, count, (Part(count, n),), None, weight)
    q = np.asarray(estimator.predict_proba(X), dtype=np.float64)
    sizes = q.sum(axis=0) if weight is None else weight @ q
    shared, each = gaussian_parts(covariance, len(sizes), X.shape[1])
    parts = (Part(shared, n), *(Part(each, float(size)) for size in sizes))
    return Fit(rows, count, parts, _entropy(q), weight)


def round_clusters(
    X: np.ndarray, labels: np.ndarray, likelihood: str = "mixture", sample_weight: np.ndarray | None = None
) -> Fit:
    """Log-likelihood of Gaussians N(u_c, σ² I) with weights n_c / n at the means of the clusters.

    Rows outside every cluster (-1) are drawn from one Gaussian as wide as the table: to leave rows out is no gain.
    """
    w = np.ones(len(X)) if sample_weight is None else sample_weight
    found = round_gaussians(X, labels, w)
    k, d = found.means.shape
    evidence = np.append(found.sizes[:-1], w.sum()) if found.outside else found.sizes
    spreads = 2 if found.outside else 1
    parts = (Part(k - 1, w.sum()), *(Part(d, size) for size in evidence), Part(spreads, w.sum() * d))
    return _read(found.log_joint(X), found.labels, likelihood, k * d + k - 1 + spreads, parts, sample_weight)


def multinomial_clusters(estimator: Any, X: np.ndarray, likelihood: str, weight: np.ndarray | None) -> Fit:
    """Rows of counts, each drawn from the distribution of its cluster."""
    w = np.ones(len(X)) if weight is None else weight
    labels = labels_of(estimator, X)
    found = multinomials(estimator.cluster_distributions_, X, labels, w)
    count = multinomial_count(estimator, X.shape[1])
    each = (Part(count.each, counts) for counts in found.counts)
    parts = (Part(len(found.sizes) - 1, w.sum()), *each, Part(count.shared, found.counts.sum()))
    return _read(found.log_joint(X), labels, likelihood, count.total, parts, weight)


def noisy_factorization(estimator: Any, X: np.ndarray, weight: np.ndarray | None) -> Fit:
    """A factorization as a Gaussian: the mean of a linear one lies in its subspace and has k numbers, not d."""
    w = np.ones(len(X)) if weight is None else weight
    found = low_rank_gaussian(estimator, X, w)
    d, k = found.basis.shape
    count = latent_gaussian_count(k, d) - (d - k if found.linear else 0)
    return Fit(found.log_density(X), count, (Part(count, w.sum()),), None, weight)


def _read(
    joint: np.ndarray, labels: np.ndarray, likelihood: str, count: int, parts: tuple[Part, ...], weight: Any
) -> Fit:
    """From log p(x_i, c): every row drawn from the mixture, or from its own cluster."""
    rows = logsumexp(joint, axis=1)
    if likelihood == "classification":
        return Fit(joint[np.arange(len(joint)), labels], count, parts, np.zeros(len(joint)), weight)
    return Fit(rows, count, parts, _entropy(np.exp(joint - rows[:, None])), weight)


def _entropy(q: np.ndarray) -> np.ndarray:
    return -(q * np.log(np.where(q > 0, q, 1.0))).sum(axis=1)


def takes_pairs(estimator: Any) -> bool:
    """Whether X holds a number for each pair of objects: dissimilarities, similarities, weights of links."""
    if not hasattr(estimator, "get_params"):
        return False
    takes_pairs = hasattr(estimator, "__sklearn_tags__") and get_tags(estimator).input_tags.pairwise
    return bool(takes_pairs) or takes_dissimilarities(estimator)


def refuse_dissimilarities(estimator: Any) -> None:
    """Distances to all objects are no features of an object."""
    if takes_pairs(estimator):
        raise TypeError(
            f"{type(estimator).__name__} was given dissimilarities, not rows, which have no likelihood; "
            "embed them first (ConstantShiftEmbedding), or judge by PosteriorAgreement or Silhouette('precomputed')"
        )
