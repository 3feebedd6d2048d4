"""scikit-learn's names for ways to the singular vectors, and the route that is taken under each.

Every route ends at the rounding of the table. Settings that elsewhere trade digits for time (oversampling, number and
normalisation of power iterations, the tolerance of ARPACK) are checked here, and cannot change the result.
"""

from __future__ import annotations

from typing import Any

from unmix.core.arguments import one_of, whole_number, zero_or_more

PRINCIPAL_SOLVERS = {
    "auto": "auto",
    "full": "full",
    "covariance_eigh": "covariance",
    "gram": "gram",
    "arpack": "randomized",
    "randomized": "randomized",
}
SVD_ALGORITHMS = {
    "auto": "auto",
    "arpack": "randomized",
    "randomized": "randomized",
    "covariance": "covariance",
    "gram": "gram",
}
NORMALIZERS = ("auto", "QR", "LU", "none")


def check_effort(n_oversamples: Any, power_iteration_normalizer: Any, tol: Any) -> None:
    """Refuse what scikit-learn would refuse of the settings that both estimators have."""
    whole_number("n_oversamples", n_oversamples, 1)
    one_of("power_iteration_normalizer", power_iteration_normalizer, NORMALIZERS)
    zero_or_more("tol", tol)


def check_strictly_below(k: Any, limit: int, name: str, value: str) -> None:
    """ARPACK finds all singular vectors but the last; who asks for it means so."""
    if value == "arpack" and k >= limit:
        raise ValueError(
            f"n_components={k!r} must be strictly less than min(n_samples, n_features)={limit} with {name}='arpack'; "
            f"ask for fewer, or use {name}='auto'"
        )
