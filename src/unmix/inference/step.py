"""What follows a Gibbs distribution p(c) ∝ exp(-R(c)/T) at one temperature after another.

A step names the part of a cost it needs, begins somewhere, and visits temperatures. Its state is a NamedTuple of
arrays; the running sums of the cost are made anew at each visit, so that rounding cannot pile up and a run that is
resumed goes on to the bit.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np

from unmix.costs.base import Cost, HasFields, HasMoves, HasPrototypes, HasVectors

PARTS = ("requires", "begin", "visit", "shares")  # of a Step
NEEDS = {
    HasPrototypes: "prototypes (distances, statistics, prototypes)",
    HasFields: "mean fields (fields, expected)",
    HasMoves: "moves of single objects (state, and kernels registered for it)",
    HasVectors: "vectors whose sums it squares (vectors)",
    Cost: "a definition (total)",
}


class Visit(NamedTuple):
    """What was seen at one temperature; what a step cannot tell is NaN."""

    cost: float  # mean over the distribution, or over the sweeps
    variance: float  # of the cost
    entropy: float  # in nats
    moved: float  # share of objects that changed in a sweep, or the last change of a share
    sweeps: int
    bound: bool = True  # whether cost - T entropy is never below the free energy of the Gibbs distribution

    def measured(self, temperature: float) -> dict[str, float]:
        """For the trace: with the free energy <R> - T H, if it bounds that, and the specific heat Var(R) / T²."""
        values = {"temperature": temperature, "cost": self.cost, "moved": self.moved, "sweeps": float(self.sweeps)}
        if np.isfinite(self.entropy):
            name = "free_energy" if self.bound else "approximate_free_energy"
            values |= {"entropy": self.entropy, name: self.cost - temperature * self.entropy}
        if np.isfinite(self.variance) and temperature > 0:
            spread = max(self.variance, 0.0) ** 0.5 / temperature
            values["specific_heat"] = spread * spread  # T² may underflow, and a power would raise where this is inf
        return values


class Step(Protocol):
    """Anything with `requires`, `begin`, `visit` and `shares`; `restart` where it samples, or where costs change.

    `requires` is a capability of `unmix.costs.base`, or a tuple of which one will do. A step that is itself a
    distribution tells its entropy at every visit. One that samples tells NaN; at a last temperature above zero its
    visits are its draws, unless it offers a `walk` and `draws` of its own (chains.py). `hot(cost, data, k)` may say
    where cooling begins. Parameters of its constructor are kept under their names, so that a model can be saved.
    """

    requires: Any

    def begin(self, cost: Any, data: Any, k: int, rng: np.random.Generator) -> Any:
        """A state from which to follow the distribution; hot, unless a start is given otherwise."""

    def visit(
        self, cost: Any, data: Any, state: Any, temperature: float, rng: np.random.Generator
    ) -> tuple[Any, Visit]:
        """Come to equilibrium at this temperature, from the state of the last one."""

    def shares(self, state: Any) -> np.ndarray:
        """(n, k): the probability of each label; one-hot where the state is a labelling."""

    def restart(self, q: np.ndarray) -> Any:
        """A state at these shares: where a sampler stays at a temperature, or the cost changes while it is cooled."""


def is_step(inference: Any) -> bool:
    """Whether it is a step, of anyone's; a class is none."""
    return not isinstance(inference, (str, type)) and all(hasattr(inference, part) for part in PARTS)


def refuse_unless_fit(step: Step, cost: Any) -> None:
    """Say in words why this step cannot follow this cost."""
    if isinstance(cost, step.requires):
        return
    kinds = step.requires if isinstance(step.requires, tuple) else (step.requires,)
    offered = [NEEDS[kind].split(" (")[0] for kind in (HasPrototypes, HasFields, HasMoves) if isinstance(cost, kind)]
    needed = " or ".join(NEEDS.get(kind, kind.__name__) for kind in kinds)
    raise TypeError(
        f"{type(step).__name__} needs {needed} from a cost; {type(cost).__name__} offers "
        f"{' and '.join(offered) or 'only its definition'}"
    )
