"""How kernels are compiled: the one place that says it.

    @kernel
    def total(values): ...

    @kernel(fastmath={"contract"})
    def product(a, b): ...

Kernels release the interpreter's lock and are kept on disk (`core/compiled/kernel_cache.py`). They are called from
Python and from each other, never through a C function pointer, so that wrapper is not
made: 4 to 8 % of the time to compile. One that makes no array says so, and its references to arrays are not counted:
in a loop over the arrays of a tuple that takes as long as the loop's own work.
With NUMBA_DISABLE_JIT=1 a kernel is the plain function.
"""

from __future__ import annotations

import gc
from functools import partial
from typing import Any

from numba import njit, types
from numba.core.event import Event, Listener, register
from numba.core.registry import cpu_target

from unmix.core.compiled.compiling import tell_compiling
from unmix.core.compiled.kernel_cache import has_kernels, keep_on_disk


def kernel(function: Any = None, /, *, makes_arrays: bool = True, **options: Any) -> Any:
    """Compile `function` at its first call for each signature; ``options`` are those of `numba.njit`.

    What a kernel calls may make arrays where it does not, as long as it returns none.
    """
    if function is None:
        return partial(kernel, makes_arrays=makes_arrays, **options)
    compiled = njit(nogil=True, no_cfunc_wrapper=True, _nrt=makes_arrays, **options)(function)
    if hasattr(compiled, "py_func"):
        keep_on_disk(compiled)
        compiled.get_call_template = partial(call_without_literals, compiled.get_call_template)
    return compiled


def call_without_literals(template: Any, args: Any, kws: Any) -> Any:
    """The 0 of an inner call ``f(x, 0)``, or of a counter that begins there, is an integer like any other.

    Left to itself numba compiles `f` for the literal and, if it is called so too, once more for an integer.
    """
    return template(tuple(map(types.unliteral, args)), {name: types.unliteral(kind) for name, kind in kws.items()})


def prepare_compiler() -> None:
    """What numba loads before it compiles, a fifth of a second: done before a fork, it is done once.

    Kernels that lie on disk need none of it.
    """
    if has_kernels():
        return
    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()


class _Compiling(Listener):
    """Tells observers, and pauses garbage collection: compiling makes many objects and no garbage worth the search.

    numba compiles one kernel at a time in a process; the kernels it calls compile inside.
    """

    depth = 0
    collecting = False

    def on_start(self, event: Event) -> None:
        if self.depth == 0:
            self.collecting = gc.isenabled()
            gc.disable()
        self.depth += 1
        function = event.data["dispatcher"].py_func
        if str(function.__module__).startswith("unmix."):  # not what numba compiles of its own
            tell_compiling(function.__name__)

    def on_end(self, event: Event) -> None:
        self.depth -= 1
        if self.depth == 0 and self.collecting:
            gc.enable()


register("numba:compile", _Compiling())
