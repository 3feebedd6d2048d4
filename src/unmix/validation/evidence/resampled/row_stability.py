"""How sure is the place of each row: how often its cluster is the same when the model is fitted to other rows.

p_i = share of the fits, each on a random part of the rows, that put row i in the cluster it has, names matched;
its standard error is at most 1 / (2 sqrt(n_resamples)).
"""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from unmix.core.arguments import whole_number
from unmix.core.random import spawn
from unmix.validation.evidence.resampled.carry import carry, check_transfer
from unmix.validation.evidence.resampled.distance import match_labels
from unmix.validation.fits.refit import in_parallel, labels_of, refit
from unmix.validation.fits.sampled_rows import counted_rows
from unmix.validation.fits.table import read_weights

MOST_COUNTED = 2**24  # rows, as often as they count, from which those of a fit are drawn


def row_stability(
    estimator: Any,
    X: np.ndarray,
    *,
    n_resamples: int = 20,
    fraction: float = 0.5,
    max_rows: int = 2000,
    transfer: Any = "auto",
    sample_weight: Any = None,
    random_state: int = 0,
) -> np.ndarray:
    """Share of resampled fits in which each row keeps its cluster, (n,), between 0 and 1.

    Every row is judged, also in large tables: fits see at most `max_rows` rows and are carried to all. A row that the
    model puts in no cluster (-1) has NaN. With one cluster, every row keeps it.

    Parameters
    ----------
    estimator : a clusterer fitted on X
    X : (n, d) array
    n_resamples : fits
    fraction : of the rows in each of them
    max_rows : most rows of each fit
    transfer : how labels are carried to other rows, as in `Stability`
    sample_weight : n weights, optional
        How often each row counts: fits are drawn from rows repeated.
    random_state : int

    Notes
    -----
    Cost: n_resamples fits on at most max_rows rows, and as many times labels for all rows.

    References
    ----------
    Lange, Roth, Braun and Buhmann, Stability-based validation of clustering solutions, Neural Computation 16, 2004.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> X = np.concatenate([np.linspace(0, 1, 20), np.linspace(9, 10, 20), [5.05]])[:, None]
    >>> sure = row_stability(KMeans(2, n_init=3, random_state=0).fit(X), X)
    >>> bool(sure[:40].min() == 1.0), bool(sure[40] < 1.0)
    (True, True)
    """
    check_transfer(transfer, estimator)
    whole_number("n_resamples", n_resamples, 1)
    whole_number("max_rows", max_rows, 2)
    if not isinstance(fraction, Real) or not 0 < fraction <= 1:
        raise ValueError(f"fraction={fraction!r}: give a number above 0 and at most 1")
    X = np.asarray(X)
    weight = read_weights(estimator, sample_weight, len(X))
    labels = labels_of(estimator, X)
    order = counted_rows(X, weight, MOST_COUNTED, np.random.default_rng(random_state))
    size = max(2, min(max_rows, round(fraction * len(order))))

    def keeps(s: int) -> np.ndarray:
        rng = spawn(random_state, s)
        rows = order[np.sort(rng.choice(len(order), size, replace=False))]
        model = refit(estimator, X[rows], int(rng.integers(2**31)))
        found = carry(transfer, model, X[rows], labels_of(model, X[rows]), X)
        return match_labels(found, labels, weight) == labels

    share = np.mean(in_parallel(keeps, n_resamples, "resamples"), axis=0)
    return np.where(labels == -1, np.nan, share)
