"""The engine: Gibbs distributions of clustering costs, followed from high temperature to low by any step."""

from importlib import import_module
from typing import Any

from unmix.inference.anneal import anneal  # at once: the name is that of its module too

# Other public names and the module that defines each, imported when the name is first used.
_home = {
    "Adaptive": "cooling",
    "Annealed": "anneal",
    "DeterministicAnnealing": "deterministic_step",
    "Gibbs": "sampler",
    "MeanField": "mean_field",
    "Metropolis": "sampler",
    "MetropolisHastings": "sampler",
    "SaddlePoint": "saddle_point",
    "SimulatedAnnealing": "sampler",
    "Solution": "presets",
    "Step": "step",
    "Visit": "step",
    "effective_sample_size": "convergence",
    "enumerate_labellings": "enumerate",
    "integrate_log_partition": "log_partition",
    "laplace": "log_partition",
    "make_step": "named_steps",
    "r_hat": "convergence",
    "solve": "presets",
}

__all__ = ["anneal", *sorted(_home)]


def __getattr__(name: str) -> Any:
    if name in _home:
        return getattr(import_module(f"{__name__}.{_home[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
