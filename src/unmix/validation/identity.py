"""What a piece of work depends on, as text: equal text, equal work.

Models are written as their class and parameters, arrays as a digest of their bytes, functions as their name and code.
Whatever cannot be written so is refused, because two different things must never share a text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import FunctionType
from typing import Any

import numpy as np


def describe(value: Any) -> str:
    """Text that is equal for equal values only."""
    if value is None or isinstance(value, bool | int | float | complex | str | bytes | np.generic):
        return f"{type(value).__name__}:{value!r}"
    if isinstance(value, np.ndarray):
        return f"array:{value.dtype.str}:{value.shape}:{digest_of(value)}"
    if isinstance(value, list | tuple):
        return f"{_name(type(value))}({', '.join(map(describe, value))})"
    if isinstance(value, Mapping):
        return f"dict({', '.join(f'{describe(key)}: {describe(item)}' for key, item in value.items())})"
    if isinstance(value, set | frozenset):
        return f"set({', '.join(sorted(map(describe, value)))})"
    if isinstance(value, type):
        return f"class:{_name(value)}"
    if isinstance(value, FunctionType):
        return _function(value)
    return _object(value)


def digest_of(array: np.ndarray) -> str:
    if array.dtype.hasobject:
        return describe(array.tolist())
    return hashlib.blake2b(np.ascontiguousarray(array).data, digest_size=16).hexdigest()


def _object(value: Any) -> str:
    if hasattr(value, "get_params"):
        return f"{_name(type(value))}({describe(value.get_params(deep=False))})"
    if is_dataclass(value):
        return f"{_name(type(value))}({describe({f.name: getattr(value, f.name) for f in fields(value)})})"
    if isinstance(value, np.random.RandomState):
        return f"RandomState({describe(value.get_state())})"
    if isinstance(value, np.random.Generator):
        return f"Generator({describe(value.bit_generator.state)})"
    raise TypeError(
        f"cache: what was found with {value!r} could not be told from what was found with another "
        f"{type(value).__name__}; make it a dataclass or an estimator, or leave cache out"
    )


def _function(value: FunctionType) -> str:
    code = value.__code__
    inner = [part.co_code if hasattr(part, "co_code") else part for part in code.co_consts]
    closed_over = [cell.cell_contents for cell in value.__closure__ or ()]
    parts = [code.co_code, inner, code.co_names, value.__defaults__, value.__kwdefaults__, closed_over]
    return f"function:{value.__module__}.{value.__qualname__}({describe(parts)})"


def _name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"
