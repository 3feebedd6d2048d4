"""From the name of an inference to a step, and a refusal that says what can be done instead.

The names are those of the classes that `unmix.inference` exports, as they would be written in a variable.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from unmix.inference.deterministic_step import DeterministicAnnealing
from unmix.inference.mean_field import MeanField
from unmix.inference.saddle_point import SaddlePoint
from unmix.inference.sampler import Gibbs, Metropolis, SimulatedAnnealing
from unmix.inference.step import Step, is_step, refuse_unless_fit

INFERENCES: dict[str, Callable[[int | None], Step]] = {
    "mean_field": lambda sweeps: MeanField("parallel", max_sweeps=sweeps or 50),
    "deterministic_annealing": lambda sweeps: DeterministicAnnealing("parallel", max_sweeps=sweeps or 50),
    "sequential_mean_field": lambda sweeps: MeanField("sequential", max_sweeps=sweeps or 50),
    "simulated_annealing": lambda sweeps: SimulatedAnnealing(sweeps or 10),
    "gibbs": lambda sweeps: Gibbs(sweeps or 10),
    "metropolis": lambda sweeps: Metropolis(sweeps or 20),
    "heat_bath": lambda sweeps: Metropolis(sweeps or 20, heat_bath=True),
}

FEW: dict[str, Callable[[int | None], Step]] = {  # that few costs can be followed by
    "laplace": lambda sweeps: SaddlePoint(max_sweeps=sweeps or 500),
}


def make_step(inference: Any, cost: Any, own: Sequence[str] = (), sweeps: int | None = None) -> Step | None:
    """The step of that name or the step given, None for a name that the caller follows in a way of its `own`.

    What is not known, or cannot follow the cost, is refused with what can. `sweeps` replaces the usual number of them.
    """
    if isinstance(inference, str) and inference in own:
        return None
    known = INFERENCES | FEW
    possible = [*own, *(name for name, make in known.items() if isinstance(cost, make(None).requires))]
    names = ", ".join(repr(name) for name in dict.fromkeys(possible))
    named = f"one of {names}, or " if names else ""
    instead = f"give {named}a Step such as unmix.inference.MetropolisHastings(), which needs no more than the cost"
    if isinstance(inference, str) and inference in known:
        step = known[inference](sweeps)
    elif is_step(inference):
        step = inference
    else:
        raise ValueError(f"inference={inference!r} is not known; {instead}")
    try:
        refuse_unless_fit(step, cost)
    except TypeError as reason:
        raise ValueError(f"inference={inference!r} cannot follow this cost: {reason}; {instead}") from None
    return step


def make_restartable(inference: Any, cost: Any, sweeps: int | None = None) -> Step:
    """As `make_step`, for callers whose cost changes while it is cooled."""
    step = make_step(inference, cost, (), sweeps)
    if not hasattr(step, "restart"):
        names = ", ".join(map(repr, INFERENCES))
        raise ValueError(
            f"inference={inference!r} cannot restart from shares, and this cost changes while it is cooled: give the "
            f"step a method restart(q), or one of {names}"
        )
    assert step is not None
    return step
