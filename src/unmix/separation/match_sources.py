"""Which estimated source is which true one: order, sign and scale, which no separation can know, are settled last."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.utils.validation import check_array

from unmix.core.linalg import power_of_two


class Match(NamedTuple):
    """``sources[:, j] = scale[j] * S_hat[:, order[j]] + shift[j]`` is nearest to column j of S."""

    sources: np.ndarray
    order: np.ndarray
    scale: np.ndarray
    shift: np.ndarray
    correlation: np.ndarray  # of each column of S with its match, before the sign is turned


def match_sources(S, S_hat):
    """Order, sign and scale estimated sources like the true ones.

    The order has the largest sum of squared correlations (an assignment problem); sign, scale and shift are those
    of least squares.

    Parameters
    ----------
    S : array of shape (n, k)
        True sources, one column a source.
    S_hat : array of shape (n, l)
        Estimates, at least as many: l ≥ k.

    Returns
    -------
    Match
        With fields ``sources`` (n, k), ``order``, ``scale``, ``shift`` and ``correlation`` (k,).

    Examples
    --------
    >>> import numpy as np
    >>> S = np.array([[1.0, 0.0], [2.0, 5.0], [4.0, 1.0], [0.0, 3.0]])
    >>> match = match_sources(S, np.column_stack([-2 * S[:, 1], S[:, 0] / 3 + 1]))
    >>> match.order, match.scale.round(3), bool(np.allclose(match.sources, S))
    (array([1, 0]), array([ 3. , -0.5]), True)
    """
    S = check_array(S, dtype=np.float64, input_name="S", ensure_min_samples=2)
    S_hat = check_array(S_hat, dtype=np.float64, input_name="S_hat")
    if len(S) != len(S_hat) or S_hat.shape[1] < S.shape[1]:
        raise ValueError(
            f"S has shape {S.shape}, S_hat {S_hat.shape}; give as many rows of both, and at least as many estimates as "
            "sources"
        )
    # In units where the largest entries are about one, squares neither over- nor underflow.
    unit, unit_hat = power_of_two(np.abs(S).max()), power_of_two(np.abs(S_hat).max())
    S, S_hat = S * unit, S_hat * unit_hat
    true, found = S - S.mean(axis=0), S_hat - S_hat.mean(axis=0)
    true_size, found_size = np.linalg.norm(true, axis=0), np.linalg.norm(found, axis=0)
    sizes = true_size[:, None] * found_size
    products = true.T @ found
    correlations = np.divide(products, sizes, out=np.zeros_like(products), where=sizes > 0)
    _, order = linear_sum_assignment(-(correlations**2))
    places = np.arange(len(order))
    squares = found_size[order] ** 2
    scale = np.divide(products[places, order], squares, out=np.zeros(len(order)), where=squares > 0)
    shift = S.mean(axis=0) - scale * S_hat.mean(axis=0)[order]
    matched = (S_hat[:, order] * scale + shift) / unit
    return Match(matched, order, scale * (unit_hat / unit), shift / unit, correlations[places, order])
