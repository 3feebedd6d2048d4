"""Minimum description length: the bits it takes to write the model down, and then the data with its help.

L = -log2 p(X | θ) + Σ_j ½ log2(2π e² n_j / 12) + log2*(k)

n_j is the evidence for parameter j: the rows of its cluster (weighted by responsibility), not all rows; the counts, not
the rows, of a cluster of histograms. In units of what a single observation tells, a parameter that is Gaussian a priori
takes ½ log2 2πe bits, writing it to the spacing sqrt(12 / n_j) that the evidence justifies another ½ log2(n_j / 12),
and being that coarse costs ½ log2 e in the data (Wallace and Freeman 1987; evidence of components as in Figueiredo and
Jain 2002; unit information as in Kass and Wasserman 1995). No parameter costs less than nothing.
log2*(k) = log2 2.865 + log2 k + log2 log2 k + … writes the number of clusters (Rissanen 1983).

½ BIC / log 2 charges ½ log2 n for each instead: more for small clusters, less for what pools many counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from unmix.validation.criteria.information import AIC
from unmix.validation.criteria.settings import between
from unmix.validation.evidence.held_out.likelihood import Fit, fit_of
from unmix.validation.fits.refit import size_of


@dataclass(frozen=True)
class MDL(AIC):
    """Description length in bits; asks which model explains the data in the fewest words.

    Takes any mixture, clustering, histogram clustering, probabilistic PCA, or factorization with `inverse_transform`.
    The error of a grid point is that of its difference to the best one, over rows.

    Parameters
    ----------
    likelihood : "mixture" or "classification"
        How to read a clustering that has no likelihood. "classification" also writes every row's label.
    resolution : float, optional
        The step to which the entries of X were recorded. Continuous values have no code length of their own; with
        `resolution` the bits are those of a real code, -log2(p(x) resolution^d) a row. No choice depends on it.

    Notes
    -----
    Cost: as `AIC`, one pass over the rows for each grid point.

    References
    ----------
    Rissanen, A universal prior for integers and estimation by minimum description length, Annals of Statistics 11,
    1983. Wallace and Freeman, Estimation and inference by compact coding, JRSS B 49, 1987.

    Examples
    --------
    >>> from unmix.cluster import KMeans
    >>> from unmix.datasets import blobs
    >>> X, y = blobs(200, 2, 3, random_state=0)
    >>> bits = [MDL().evaluate(KMeans(k, random_state=0).fit(X), X).value for k in (1, 2, 3, 4)]
    >>> int(np.argmin(bits)) + 1
    3
    """

    resolution: float | None = None

    name = "MDL"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.resolution is not None:
            between(self, "resolution", 0, float("inf"))

    def _fit(self, estimator: Any, X: np.ndarray, sample_weight: Any) -> Fit:
        fit = fit_of(estimator, X, self.likelihood, sample_weight)
        steps = 0.0 if self.resolution is None else X.shape[1] * float(np.log(self.resolution))
        return fit._replace(log_likelihood=fit.log_likelihood + steps, size=size_of(estimator) or 1)

    def _rows(self, fit: Fit) -> np.ndarray:
        return -fit.log_likelihood / np.log(2)

    def _charge(self, fit: Fit, n: float) -> float:
        bits = sum(part.number * bits_of_parameter(part.evidence) for part in fit.parts)
        return bits + bits_of_integer(fit.size)


def bits_of_parameter(evidence: float) -> float:
    """½ log2(2π e² n / 12), and never below 0.

    >>> round(bits_of_parameter(1200), 3)
    6.09
    """
    return max(0.0, 0.5 * float(np.log2(2 * np.pi * np.e**2 * evidence / 12))) if evidence > 0 else 0.0


def bits_of_integer(k: int) -> float:
    """Rissanen's universal code of a whole number from 1 up.

    >>> round(bits_of_integer(1), 3), round(bits_of_integer(16), 3)
    (1.519, 8.519)
    """
    bits, term = float(np.log2(2.865064)), float(np.log2(k))
    while term > 0:
        bits += term
        term = float(np.log2(term))
    return bits
