"""Between the parameters users see, in the units of the data, and the mixture the engine works on, in its own units.

The change of units y = s x - t maps means by s u - t, covariances by s_i s_j Σ_ij and the inverse Cholesky factor W,
with W Wᵀ = Σ⁻¹, by W_ij / s_i. W stays within the range of floats where Σ, its square, does not, so predictions
are made from W.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.core.arguments import one_of
from unmix.core.scaling.standardize import Units, inverse_powers_of_two
from unmix.costs.gaussian.covariance import Diagonal, Family, Fixed, Full, Spherical, Tied
from unmix.costs.gaussian.mixture import Mixture, make_mixture

FAMILIES: dict[str, type] = {
    "full": Full,
    "tied": Tied,
    "diag": Diagonal,
    "spherical": Spherical,
    "fixed": Fixed,
}


def shape_of(covariance_type: str, k: int, d: int) -> tuple[int, ...]:
    """The shape of covariances, precisions and factors as users see them."""
    return {"full": (k, d, d), "tied": (d, d), "diag": (k, d), "spherical": (k,)}[covariance_type]


def given_covariance(covariance: Any, k: int, d: int) -> np.ndarray:
    """A number, variances (d,), a matrix (d, d) or one for each component (k, d, d), as (1 or k, d, d)."""
    if covariance is None:
        raise ValueError('covariance_type="fixed" needs covariance: a number, an array (d,), (d, d) or (k, d, d)')
    given = np.asarray(covariance, dtype=np.float64)
    if given.ndim < 2 and given.shape in ((), (d,)):
        given = np.diag(np.broadcast_to(given, d))
    if given.shape not in ((d, d), (k, d, d)):
        raise ValueError(f"covariance has shape {given.shape}, expected (), ({d},), ({d}, {d}) or ({k}, {d}, {d})")
    given = given.reshape(-1, d, d)
    check_covariances(given, "covariance")
    return given


def check_covariances(matrices: np.ndarray, name: str) -> None:
    scale = np.sqrt(np.abs(np.diagonal(matrices, axis1=1, axis2=2)))
    if not np.isfinite(matrices).all() or not (scale > 0).all():
        raise ValueError(
            f"{name} should be symmetric, positive-definite and finite; its diagonal holds 0, NaN or infinity"
        )
    relative = matrices / scale[:, :, None] / scale[:, None, :]
    if not np.allclose(relative, relative.transpose(0, 2, 1)) or np.linalg.eigvalsh(relative).min() <= 0:
        raise ValueError(f"{name} should be symmetric, positive-definite; a matrix in it is not")


def given_precisions(precisions: Any, covariance_type: str, k: int, d: int) -> np.ndarray:
    """Covariances in the engine's shape from precisions in the user's."""
    given = np.asarray(precisions, dtype=np.float64)
    expected = shape_of(covariance_type, k, d)
    if given.shape != expected:
        raise ValueError(
            f"precisions_init: The parameter '{covariance_type} precision' should have the shape of {expected}, but "
            f"got {given.shape}"
        )
    if covariance_type in ("diag", "spherical"):
        if not (np.isfinite(given).all() and (given > 0).all()):
            raise ValueError(f"precisions_init: '{covariance_type} precision' should be positive and finite")
        return np.broadcast_to(1 / given.reshape(k, -1), (k, d)).copy()
    given = given.reshape(-1, d, d)
    check_covariances(given, f"precisions_init: '{covariance_type} precision'")
    return np.linalg.inv(given)


def enter_covariances(covariances: np.ndarray, units: Units) -> np.ndarray:
    scale = units.scale
    return covariances * (scale**2 if covariances.ndim == 2 else np.outer(scale, scale))


def public(mixture: Mixture, units: Units, family: Family, dtype: Any) -> dict[str, np.ndarray]:
    """Fitted attributes in the units and the precision of the data; what exceeds the float type is 0 or infinite."""
    scale, W, covariances = units.scale, mixture.whitening, mixture.covariances
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        if family.axis:
            factor, covariance = W * scale, covariances / scale / scale
            precision = factor**2
        else:
            factor = W * scale[:, None]
            covariance = covariances / scale[:, None] / scale
            precision = factor @ factor.transpose(0, 2, 1)
        arrays = {"covariances_": covariance, "precisions_": precision, "precisions_cholesky_": factor}
        if family.shared:
            arrays = {name: array[0] for name, array in arrays.items()}
        elif isinstance(family, Spherical):
            arrays = {name: array[:, 0] for name, array in arrays.items()}
        arrays |= {"weights_": mixture.weights, "means_": units.leave(mixture.means)}
        arrays = {name: np.array(array, dtype=dtype, order="C") for name, array in arrays.items()}
    if not np.isfinite(arrays["precisions_cholesky_"]).all():
        least = 1 / np.finfo(dtype).max
        raise ValueError(
            f"X varies by less than {least:.1g}, too little for {np.dtype(dtype)}; multiply X by 1e20 first"
        )
    return arrays


def middle_of(means: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The median of the means by weight, in each column: a far component would take the digits of all rows with it."""
    order = np.argsort(means, axis=0, kind="stable")
    reached = np.cumsum(weights[order], axis=0)
    place = np.argmax(reached >= 0.5 * reached[-1], axis=0)
    columns = np.arange(means.shape[1])
    return np.asarray(means[order[place, columns], columns])


def engine(
    covariance_type: str, weights: np.ndarray, means: np.ndarray, factor: np.ndarray, dtype: Any
) -> tuple[Mixture, Units]:
    """The mixture of fitted attributes, in units made from the factors; queries are answered in float64."""
    one_of("covariance_type", covariance_type, tuple(FAMILIES))  # it may have been changed since, or come from a file
    weights, means, W = (np.asarray(array, np.float64) for array in (weights, means, factor))
    k, d = means.shape
    axis = covariance_type in ("diag", "spherical")
    W = np.broadcast_to(W.reshape(k, -1), (k, d)) if axis else W.reshape(-1, d, d)
    scale = 1 / inverse_powers_of_two(np.abs(W).max(0 if axis else (0, 2)))
    shift = (scale * middle_of(means, weights)).astype(dtype).astype(np.float64)
    units = Units(scale, shift)
    W = W / (scale if axis else scale[:, None])
    if axis:
        covariances = W**-2.0
    else:
        inverse = np.linalg.inv(W)
        covariances = inverse.transpose(0, 2, 1) @ inverse
    return make_mixture(weights, units.enter(means), covariances, W, precise=True), units
