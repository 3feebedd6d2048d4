"""The likelihood of a fitted model, row by row, and how many rows speak for each of its free parameters.

A model with a density has its own. One without is read as the model its cost is the likelihood of:

K-means and other labels   round Gaussians of one common variance at the means of the clusters
histogram clustering       a multinomial for each cluster
a factorization Z U        probabilistic PCA at the subspace of U
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import gammaln, logsumexp

from unmix.validation.parameter_count import gaussian_parts, latent_gaussian_count, multinomial_count, n_parameters
from unmix.validation.refit import labels_of


class Part(NamedTuple):
    """Parameters that the same evidence speaks for: how many they are, and how many rows (counts, entries) it has."""

    count: float
    evidence: float


class Fit(NamedTuple):
    """log p(x_i) of every row, how many numbers were free to make it so, and what each of them was learned from.

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
    _refuse_dissimilarities(estimator)
    weight = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    if hasattr(estimator, "cluster_distributions_"):
        return multinomial_clusters(estimator, X, likelihood, weight)
    if hasattr(estimator, "score_samples") and n_parameters(estimator, X.shape[1]) is not None:
        return _own(estimator, X, weight)
    if hasattr(estimator, "labels_") or hasattr(estimator, "fit_predict"):
        return round_clusters(X, labels_of(estimator, X), likelihood, weight)
    if hasattr(estimator, "inverse_transform"):
        return low_rank_gaussian(estimator, X, weight)
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
    """Log-likelihood of Gaussians N(u_c, σ² I) with weights n_c / n at the means of the clusters; -1 is left out.

    σ² = Σ_i |x_i - u_c(i)|² / (n d), the maximum-likelihood value for fixed assignments.
    """
    known = labels != -1
    weight = None if sample_weight is None else sample_weight[known]
    w = np.ones(known.sum()) if weight is None else weight
    scale = np.abs(X).max(initial=0.0) or 1.0  # squares of 1e300 would overflow
    X = np.asarray(X[known], dtype=np.float64) / scale
    names, labels = np.unique(labels[known], return_inverse=True)
    (n, d), k = X.shape, len(names)
    sizes = np.bincount(labels, weights=w, minlength=k)
    means = np.stack([np.average(X[labels == c], axis=0, weights=_positive(w[labels == c])) for c in range(k)])
    distance = np.stack([((X - mean) ** 2).sum(axis=1) for mean in means], axis=1)
    own = distance[np.arange(n), labels]
    variance = max(w @ own / (w.sum() * d), np.finfo(float).eps * X.var(), np.finfo(float).tiny)
    with np.errstate(divide="ignore"):  # a cluster of rows without weight has probability 0
        joint = np.log(sizes / w.sum()) - 0.5 * d * np.log(2 * np.pi * variance) - distance / (2 * variance)
    joint -= d * np.log(scale)
    parts = (Part(k - 1, w.sum()), *(Part(d, size) for size in sizes), Part(1, w.sum() * d))
    return _read(joint, labels, likelihood, k * d + k, parts, weight)


def multinomial_clusters(estimator: Any, X: np.ndarray, likelihood: str, weight: np.ndarray | None) -> Fit:
    """Rows of counts, each drawn from the distribution of its cluster: p(x | c) = (Σ_j x_j)! Π_j u_cj^x_j / x_j!."""
    X = np.asarray(X, dtype=np.float64)
    w = np.ones(len(X)) if weight is None else weight
    distributions = np.asarray(estimator.cluster_distributions_, dtype=np.float64)
    labels = labels_of(estimator, X)
    totals, k = X.sum(axis=1), len(distributions)
    sizes, counts = (np.bincount(labels, weights=v, minlength=k) for v in (w, w * totals))
    with np.errstate(divide="ignore"):
        prior = np.log(sizes / w.sum())
    ways = gammaln(totals + 1) - gammaln(X + 1).sum(axis=1)
    joint = prior + ways[:, None] + X @ np.log(np.maximum(distributions, np.finfo(float).tiny)).T
    count = multinomial_count(estimator, X.shape[1])
    each = (count.each,) * k
    parts = (Part(k - 1, w.sum()), *(Part(*pair) for pair in zip(each, counts)), Part(count.shared, counts.sum()))
    return _read(joint, labels, likelihood, count.total, parts, weight)


def low_rank_gaussian(estimator: Any, X: np.ndarray, weight: np.ndarray | None) -> Fit:
    """Codes drawn from a Gaussian, round noise off the subspace of the k components: probabilistic PCA at that place.

    log p(x) = log N(Vᵀx; Vᵀu, Λ) + log N(rest; 0, σ² I),  V (d, k) a basis, Λ the covariance of the rows along it
    """
    X = np.asarray(X, dtype=np.float64)
    w = np.ones(len(X)) if weight is None else weight
    codes = np.asarray(estimator.transform(X))
    d, k = X.shape[1], codes.shape[1]
    linear = not np.any(estimator.inverse_transform(np.zeros((1, k), dtype=codes.dtype)))
    shift = np.zeros(d) if linear else np.average(X, axis=0, weights=w)
    rebuilt = np.asarray(estimator.inverse_transform(codes), dtype=np.float64)
    rebuilt -= shift if linear else np.average(rebuilt, axis=0, weights=w)
    basis = np.linalg.svd(np.sqrt(w)[:, None] * rebuilt, full_matrices=False)[2][:k].T
    along = (X - shift) @ basis
    rest = np.maximum(((X - shift) ** 2).sum(axis=1) - (along**2).sum(axis=1), 0.0)
    along -= np.average(along, axis=0, weights=w)
    floor = max(np.finfo(float).eps * X.var(), np.finfo(float).tiny)
    variances, axes = np.linalg.eigh((along.T * w) @ along / w.sum())
    variances, noise = np.maximum(variances, floor), max(w @ rest / (w.sum() * max(d - k, 1)), floor)
    rows = -0.5 * (((along @ axes) ** 2 / variances).sum(axis=1) + np.log(2 * np.pi * variances).sum())
    if k < d:
        rows -= 0.5 * (rest / noise + (d - k) * np.log(2 * np.pi * noise))
    count = latent_gaussian_count(k, d) - (d - k if linear else 0)  # the mean of a linear model lies in its subspace
    return Fit(rows, count, (Part(count, w.sum()),), None, weight)


def _read(
    joint: np.ndarray, labels: np.ndarray, likelihood: str, count: int, parts: tuple[Part, ...], weight: Any
) -> Fit:
    """From log p(x_i, c): every row drawn from the mixture, or from its own cluster."""
    if likelihood not in {"mixture", "classification"}:
        raise ValueError(f"likelihood={likelihood!r} is not known; give 'mixture' or 'classification'")
    rows = logsumexp(joint, axis=1)
    if likelihood == "classification":
        return Fit(joint[np.arange(len(joint)), labels], count, parts, np.zeros(len(joint)), weight)
    return Fit(rows, count, parts, _entropy(np.exp(joint - rows[:, None])), weight)


def _entropy(q: np.ndarray) -> np.ndarray:
    return -(q * np.log(np.where(q > 0, q, 1.0))).sum(axis=1)


def _positive(weight: np.ndarray) -> np.ndarray:
    """Rows that all have weight 0 still have a mean, which nothing depends on."""
    return weight if weight.sum() > 0 else np.ones(len(weight))


def _refuse_dissimilarities(estimator: Any) -> None:
    if "precomputed" in (getattr(estimator, "metric", None), getattr(estimator, "affinity", None)):
        raise TypeError(
            f"{type(estimator).__name__} was given dissimilarities, not rows, which have no likelihood; "
            "embed them first (ConstantShiftEmbedding) or judge by Stability"
        )
