"""unmix takes data apart into the structure that made it, and says how much of that structure is real."""

from importlib import import_module
from typing import Any

__version__ = "0.1.0.dev0"  # of a clone as it lies there; a build has that of its tag (hatch_build.py)

# Public names and the module that defines each; a module is imported when one of its names is first used.
_home = {
    "assign": "unmix.exploration.assignment.assign",
    "compare": "unmix.exploration.comparison.compare",
    "execution": "unmix.core.execution",
    "explore": "unmix.exploration.explore",
    "load": "unmix.shell.persistence",
    "register": "unmix.shell.registered",
}
_subpackages = {
    "checks",
    "cluster",
    "costs",
    "datasets",
    "decomposition",
    "density",
    "embedding",
    "images",
    "inference",
    "information",
    "io",
    "optimize",
    "plot",
    "roles",
    "sampling",
    "separation",
    "validation",
}

__all__ = ["__version__", *sorted(_home), *sorted(_subpackages)]


def __getattr__(name: str) -> Any:
    if name in _home:
        return getattr(import_module(_home[name]), name)
    if name in _subpackages:
        return import_module(f"unmix.{name}")
    raise AttributeError(f"module 'unmix' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
