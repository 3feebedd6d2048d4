"""What a cell of a table may cost under a model, one loss a file. A name is imported when it is first used.

They stand side by side, because a new one is written by looking at the nearest of them.
"""

from importlib import import_module
from typing import Any

# public names and the module that defines each
_home = {
    "Absolute": "absolute",
    "Huber": "huber",
    "Indicators": "indicators",
    "KullbackLeibler": "kullback_leibler",
    "Logarithm": "logarithm",
    "Logistic": "logistic",
    "Loss": "base",
    "Multinomial": "multinomial",
    "Ordinal": "ordinal",
    "Periodic": "periodic",
    "Poisson": "poisson",
    "Quantile": "quantile",
    "Scores": "scores",
    "Squared": "squared",
    "resolve": "registry",
}

__all__ = sorted(_home)


def __getattr__(name: str) -> Any:
    if name in _home:
        return getattr(import_module(f"{__name__}.{_home[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
