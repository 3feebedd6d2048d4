"""Values of parameters and fitted attributes as JSON and plain arrays, and back, with every bit kept."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from inspect import signature
from types import FunctionType
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from unmix import constraints, inference, losses
from unmix.constraints import Constraint
from unmix.inference.step import is_step
from unmix.losses.base import Loss
from unmix.shell.registered import find, name_of

STEPS = (
    "DeterministicAnnealing", "Gibbs", "MeanField", "Metropolis", "MetropolisHastings", "SaddlePoint",
)  # fmt: skip
# Parts of a factorization, and the package that holds ours.
PARTS: dict[str, tuple[type, Any]] = {"loss": (Loss, losses), "constraint": (Constraint, constraints)}


def encode(value: Any, arrays: list[np.ndarray], where: str) -> Any:
    """JSON for numbers, strings, lists, tuples, dicts and arrays, sparse ones too. Numbers keep every bit."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float) and not isinstance(value, np.generic):
        return {"float": value.hex()}
    if isinstance(value, np.generic | np.ndarray):
        array = np.asarray(value)
        if array.dtype == object:  # column names as scikit-learn keeps them
            return {"names": [str(v) for v in array.ravel()]}
        arrays.append(array)
        return {"array": len(arrays) - 1}
    if isinstance(value, csr_array):
        parts = [value.data, value.indices, value.indptr, list(value.shape)]
        return {"csr": [encode(part, arrays, where) for part in parts]}
    if isinstance(value, list | tuple):
        return {type(value).__name__: [encode(v, arrays, where) for v in value]}
    if isinstance(value, dict):
        return {"dict": [[str(k), encode(v, arrays, f"{where}.{k}")] for k, v in value.items()]}
    if is_step(value):
        return {"step": [_name_of_step(value), encode(_settings(value, where), arrays, where)]}
    for what, (kind, home) in PARTS.items():
        if isinstance(value, kind):
            name = type(value).__name__
            known = name if getattr(home, name, None) is type(value) else name_of(type(value))
            return {what: [known, encode(_settings(value, where), arrays, where)]}
    if isinstance(value, FunctionType):
        if "<lambda>" in value.__qualname__:
            raise TypeError(f"{where} is a lambda, which has no name to be found by; define it with def")
        return {"function": name_of(value)}
    raise TypeError(
        f"{where} holds a {type(value).__name__}, which a model file cannot hold; use numbers, strings or arrays "
        "(for random_state, an integer)"
    )


def _name_of_step(step: Any) -> str:
    name = type(step).__name__
    return name if name in STEPS and type(step) is getattr(inference, name) else name_of(type(step))


def _settings(step: Any, where: str) -> dict[str, Any]:
    """What the constructor of a step was given, which a step keeps under the same names."""
    names = list(signature(type(step)).parameters)
    lost = [name for name in names if not hasattr(step, name)]
    if lost:
        raise TypeError(f"{where}: {type(step).__name__} does not keep its parameter {lost[0]!r} under that name")
    return {name: getattr(step, name) for name in names}


def decode(value: Any, arrays: list[np.ndarray], given: Sequence[Any] = ()) -> Any:
    if not isinstance(value, dict):
        if isinstance(value, int) and abs(value) > sys.float_info.max:
            raise ValueError("a whole number in it is beyond floating point")
        return value
    (kind, content), *rest = value.items()
    if rest:
        raise ValueError("a value in it has two kinds")
    match kind:
        case "float":
            return float.fromhex(content)
        case "function":
            return find(content, given, "function")
        case "step":
            name, settings = content
            made = getattr(inference, name) if name in STEPS else find(name, given, "class")
            return made(**decode(settings, arrays, given))
        case "loss" | "constraint":
            name, settings = content
            home = PARTS[kind][1]
            made = getattr(home, name) if name in home.__all__ else find(name, given, "class")
            if not (isinstance(made, type) and issubclass(made, PARTS[kind][0])):
                raise ValueError(f"it names {name!r} as a {kind}, which it is not")
            return made(**decode(settings, arrays, given))
        case "names":
            if not all(isinstance(name, str) for name in content):
                raise ValueError("a name in it is no text")
            return np.array(content, dtype=object)
        case "array":
            array = arrays[content]
            return array[()] if array.ndim == 0 else array
        case "csr":
            data, indices, indptr, shape = (decode(v, arrays, given) for v in content)
            rows = csr_array((data, indices, indptr), shape=tuple(shape))
            rows.check_format(full_check=True)
            return rows
        case "list" | "tuple":
            return {"list": list, "tuple": tuple}[kind](decode(v, arrays, given) for v in content)
        case "dict":
            return {k: decode(v, arrays, given) for k, v in content}
    raise ValueError(f"it holds a value of unknown kind {kind!r}")
