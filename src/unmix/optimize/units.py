"""Problems in units of their own: columns of length about 1, prices and right-hand sides of size about 1.

    x_j = entries_j w_j,   objective = worth × (objective of w)   ⇒   y_j = worth / entries_j × (price of w_j)

Tolerances then mean the same for metres and millimetres. All factors are powers of two, which round nothing, so a
problem in other such units has the same answer to the bit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.optimize.solution import Solution


def power_of_two(size: Any) -> Any:
    """The power of two nearest to each size in ratio; 1 where the size is 0."""
    share, exponent = np.frexp(size)
    exponent = np.minimum(exponent - (share < np.sqrt(0.5)), 1023)
    return np.where(np.asarray(size) > 0, np.ldexp(1.0, exponent), 1.0)[()]


def column_units(A: np.ndarray) -> tuple[np.ndarray, float]:
    """For each column the power of two that makes it about 1 long, and a typical one; columns of zeros have that."""
    common = float(power_of_two(np.abs(A).max()))
    lengths = np.linalg.norm(A / common, axis=0)  # squares must not overflow
    some = lengths > 0
    typical = float(power_of_two(np.median(lengths[some]))) if some.any() else 1.0
    return 1 / np.where(some, power_of_two(lengths), typical) / common, 1 / typical / common


class Units(NamedTuple):
    entries: np.ndarray  # (d,) of x
    common: float  # a typical one of them
    worth: float  # of the objective

    def inside(self, settings: dict[str, Any]) -> dict[str, Any]:
        """Settings of `admm` given in the caller's units."""
        changed = dict(settings)
        if "rho" in changed:
            changed["rho"] = changed["rho"] * self.common**2 / self.worth
        if changed.get("dual") is not None:
            changed["dual"] = np.asarray(changed["dual"], dtype=np.float64) * (self.entries / self.worth)
        return changed

    def outside(self, found: Solution) -> Solution:
        """The answer in the caller's units; residuals and penalties by the typical unit."""
        length, slope = self.common, self.worth / self.common
        factors = {"primal": length, "primal_limit": length, "dual": slope, "dual_limit": slope, "rho": slope / length}
        return found._replace(
            x=found.x * self.entries,
            z=found.z * self.entries,
            dual=found.dual * (self.worth / self.entries),
            primal_residual=found.primal_residual * length,
            dual_residual=found.dual_residual * slope,
            rho=found.rho * factors["rho"],
            trace=[{name: value * factors[name] for name, value in row.items()} for row in found.trace],
        )
