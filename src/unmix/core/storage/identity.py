"""What a piece of work depends on, as text: equal text, equal work.

Numbers and strings are written as they are, arrays as a digest of their bytes, models as their class and parameters. A
function is its code with all constants, its defaults, the values it closes over and those of the global names it uses;
one that an installed package defines is its name and the version of the package. Whatever cannot be written so is
refused, because two different things must never share a text.
"""

from __future__ import annotations

import dis
import functools
import hashlib
import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

# packages whose functions their name and version tell, as those of Python itself
PACKAGES = ("dask", "joblib", "numba", "numpy", "pandas", "polars", "scipy", "sklearn", "unmix")
GLOBAL = ("LOAD_GLOBAL", "LOAD_NAME")


class UnknownIdentity(TypeError):
    """Something that could not be told from another of its kind."""


def describe(value: Any) -> str:
    """Text that is equal for equal values only."""
    return _describe(value, ())


def digest_of(array: np.ndarray) -> str:
    if array.dtype.hasobject:
        return describe(array.tolist())
    return hashlib.blake2b(np.ascontiguousarray(array).data, digest_size=16).hexdigest()


def _describe(value: Any, outer: tuple[Any, ...]) -> str:
    """``outer`` holds what the value is part of: a function may use itself."""
    if value is None or isinstance(value, bool | int | float | complex | str | bytes | np.generic | type(...)):
        return f"{type(value).__name__}:{value!r}"
    if isinstance(value, np.ndarray):
        return f"array:{value.dtype.str}:{value.shape}:{digest_of(value)}"
    for place, other in enumerate(outer):
        if value is other:
            return f"within:{place}"
    outer = (*outer, value)
    if isinstance(value, list | tuple):
        return f"{_name(type(value))}({', '.join(_describe(item, outer) for item in value)})"
    if isinstance(value, Mapping):
        pairs = (f"{_describe(key, outer)}: {_describe(item, outer)}" for key, item in value.items())
        return f"dict({', '.join(pairs)})"
    if isinstance(value, set | frozenset):
        return f"set({', '.join(sorted(_describe(item, outer) for item in value))})"
    if isinstance(value, type):
        return f"class:{_class(value)}"
    found = _callable(value, outer)
    return _object(value, outer) if found is None else found


def _object(value: Any, outer: tuple[Any, ...]) -> str:
    if hasattr(value, "get_params"):
        return f"{_class(type(value))}({_describe(value.get_params(deep=False), outer)})"
    if is_dataclass(value):
        parts = {f.name: getattr(value, f.name) for f in fields(value)}
        return f"{_class(type(value))}({_describe(parts, outer)})"
    if isinstance(value, np.random.RandomState):
        return f"RandomState({_describe(value.get_state(), outer)})"
    if isinstance(value, np.random.Generator):
        return f"Generator({_describe(value.bit_generator.state, outer)})"
    if isinstance(value, np.dtype):
        return f"dtype:{value!r}"
    if hasattr(value, "tocsr") and hasattr(value, "shape"):
        rows = value.tocsr()
        return f"sparse:{_describe([rows.shape, rows.data, rows.indices, rows.indptr], outer)}"
    raise UnknownIdentity(
        f"what was found with {value!r} could not be told from what was found with another {type(value).__name__}"
    )


def _callable(value: Any, outer: tuple[Any, ...]) -> str | None:
    """Functions of every kind; None for what is none."""
    if isinstance(value, ModuleType):
        return f"module:{value.__name__}:{getattr(value, '__version__', '')}"
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if name is not None and _is_installed(module) and _by_name(module, name) is value:
        return f"function:{module}.{name}:{_version(module)}"
    if isinstance(value, functools.partial):
        return f"partial({_describe([value.func, value.args, value.keywords], outer)})"
    if isinstance(value, MethodType):
        method = value.__func__ if isinstance(value.__func__, FunctionType) else name
        return f"method({_describe([value.__self__, method], outer)})"
    if isinstance(value, np.ufunc):
        return f"ufunc:{value.__name__}:{np.__version__}"
    if isinstance(value, BuiltinFunctionType):
        owner = None if isinstance(value.__self__, ModuleType) else value.__self__
        return f"builtin:{module}.{name}:{_version(module)}({_describe(owner, outer)})"
    for inner in ("py_func", "__wrapped__"):  # compiled by numba, or wrapped by a cache
        if not isinstance(value, FunctionType) and isinstance(getattr(value, inner, None), FunctionType):
            options = getattr(value, "targetoptions", {})
            return f"{_name(type(value))}({_describe([getattr(value, inner), options], outer)})"
    return _function(value, outer) if isinstance(value, FunctionType) else None


def _function(value: FunctionType, outer: tuple[Any, ...]) -> str:
    name = f"{value.__module__}.{value.__qualname__}"
    cells = [_closed_over(cell, outer) for cell in value.__closure__ or ()]
    used = {} if _is_installed(value.__module__) else _globals(value.__code__, value.__globals__)
    parts = [value.__defaults__, value.__kwdefaults__, used]
    return f"function:{name}({_code(value.__code__, outer)}, {_describe(parts, outer)}, {cells})"


def _closed_over(cell: Any, outer: tuple[Any, ...]) -> str:
    try:
        return _describe(cell.cell_contents, outer)
    except ValueError:  # a name that has no value yet
        return "empty"


def _code(code: CodeType, outer: tuple[Any, ...]) -> str:
    """What is run, with all constants, also of functions defined inside."""
    constants = [
        _code(part, outer) if isinstance(part, CodeType) else _describe(part, outer) for part in code.co_consts
    ]
    signature = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags, code.co_varnames)
    names = (code.co_names, code.co_freevars, code.co_cellvars, signature)
    return f"code({code.co_code.hex()}, {constants}, {names})"


def _globals(code: CodeType, known: dict[str, Any]) -> dict[str, Any]:
    """The global values that code uses; of modules nobody has installed, those parts whose names it mentions."""
    used: dict[str, Any] = {}
    names = {step.argval for step in dis.get_instructions(code) if step.opname in GLOBAL}
    for name in sorted(names & known.keys()):
        used[name] = known[name]
        if isinstance(known[name], ModuleType) and not _is_installed(known[name].__name__):
            parts = vars(known[name])
            used |= {f"{name}.{part}": parts[part] for part in sorted({*code.co_names} & parts.keys())}
    for part in code.co_consts:
        if isinstance(part, CodeType):
            used |= _globals(part, known)
    return used


def _class(kind: type) -> str:
    """Its name, and the code of its methods where no version of a package stands for it."""
    own = [base for base in kind.__mro__ if base is not object and not _is_installed(base.__module__)]
    methods = [part for base in own for _, part in sorted(vars(base).items()) if isinstance(part, FunctionType)]
    code = [method.__code__ for method in methods]
    text = repr([(c.co_code.hex(), [x for x in c.co_consts if not isinstance(x, CodeType)], c.co_names) for c in code])
    return _name(kind) if not own else f"{_name(kind)}:{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def _is_installed(module: str | None) -> bool:
    package = (module or "").partition(".")[0]
    return package in PACKAGES or (package in sys.stdlib_module_names and package != "__main__")


def _version(module: str | None) -> str:
    package = sys.modules.get((module or "").partition(".")[0])
    return str(getattr(package, "__version__", sys.version_info[:2]))


def _by_name(module: Any, name: str) -> Any:
    value: Any = sys.modules.get(module)
    for part in name.split("."):
        value = getattr(value, part, None)
    return value


def _name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"
