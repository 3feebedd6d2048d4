"""Compiled moves of single objects, the body chosen by the type of the state.

    move_costs(state, i, share, out)   out[c] <- R(i in c) - R(without i); `share` (k,) is where i is now
    shift(state, i, c, amount)         add `amount` of object i to cluster c

A label change is a shift by -1 and one by +1; a mean field moves fractions. So samplers and sequential mean fields run
on the same two kernels, and a cost brings them once: `register(State, move_costs, shift)`.

The cache on disk knows only the files that the file of a kernel imports, so a sampler compiled against an older cost
would be loaded after that cost was edited. `packed` therefore hands kernels a copy of the state whose class is named
after its fields and a digest of the files involved; `__getattr__` makes such a class again from its name alone, which
is all the cache keeps of it.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from numba import njit
from numba.extending import overload

from unmix.core.compiled.kernel_cache import source_digest

PREFIX = "Packed"
_bodies: dict[type, tuple[Any, Any]] = {}
_origin: dict[type, type] = {}
_classes: dict[str, type] = {}


def register(kind: type, move_costs: Callable[..., None], shift: Callable[..., None]) -> None:
    """Say how objects move in states of this class; both are plain functions that numba can compile."""
    _bodies[kind] = njit(nogil=True)(move_costs), njit(nogil=True)(shift)
    _packed_class.cache_clear()


def _body(kind: type, which: int) -> Any:
    try:
        return _bodies[_origin.get(kind, kind)][which]
    except KeyError:
        raise TypeError(f"no moves are registered for states of class {kind.__name__}; call register first") from None


def move_costs(state: Any, i: int, share: Any, out: Any) -> None:
    """out[c] <- R(i in c) - R(without i)."""
    _body(type(state), 0)(state, i, share, out)


def shift(state: Any, i: int, c: int, amount: float) -> None:
    """Add `amount` of object i to cluster c."""
    _body(type(state), 1)(state, i, c, amount)


# called by kernels only, and part of them: handed over by value, the arrays of a state cost more than most moves; and
# the moves of any cost may make arrays, whether the kernel around them does or not
INNER = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "forceinline": True, "_nrt": True}


# the body itself is what is compiled, whatever its arguments are called: a function around it would be one more
@overload(move_costs, strict=False, jit_options=INNER)
def _compiled_move_costs(state, i, share, out):  # type: ignore[no-untyped-def]
    return _body(state.instance_class, 0).py_func


@overload(shift, strict=False, jit_options=INNER)
def _compiled_shift(state, i, c, amount):  # type: ignore[no-untyped-def]
    return _body(state.instance_class, 1).py_func


def packed(state: Any) -> Any:
    """The state as kernels see it; the arrays are shared."""
    kind: Any = type(state)
    return _packed_class(kind)(*state)


@lru_cache
def _packed_class(kind: Any) -> Any:
    modules = sorted({part.__module__ for part in (kind, *_bodies.get(kind, ()))} | {__name__})
    found = __getattr__("__".join([PREFIX, *kind._fields, source_digest(modules)[:12]]))
    _origin[found] = kind
    return found


def __getattr__(name: str) -> Any:
    if name.startswith(PREFIX + "__"):
        fields = name.split("__")[1:-1]
        return _classes.setdefault(name, namedtuple(name, fields, module=__name__))  # type: ignore[misc]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
