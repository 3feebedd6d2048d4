"""scikit-learn imports packages as it loads that no command uses: half of the time to start.

scipy.stats, scipy.optimize, scipy.spatial.transform, asyncio (through joblib) and numpy.f2py (through scipy) are
imported when somebody asks for one of their names; the assignment problem stands in a small module of its own. pandas
and rich are hidden from scikit-learn alone, which takes them for not installed; frames of pandas that a reader brings
are handled without it, and no command shows its progress bars.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from threading import RLock
from types import ModuleType
from typing import Any

_replacing = RLock()
_put_off = ("scipy.stats", "scipy.optimize", "scipy.spatial.transform", "asyncio", "numpy.f2py")
_hidden = ("pandas", "rich")
_alone = {"scipy.optimize": {"linear_sum_assignment": "_lsap"}}  # names whose module needs nothing else of its package


class Deferred(ModuleType):
    """Stands for a module until one of its names is used, other than those that stand in a module alone."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._alone = _alone.get(name, {})
        spec = find_spec(name) if self._alone else None
        if spec is not None and spec.submodule_search_locations is not None:
            self.__path__ = spec.submodule_search_locations

    def __getattr__(self, name: str) -> Any:
        if name in self.__dict__.get("_alone", {}) and sys.modules.get(self.__name__) is self:
            with suppress(ImportError, AttributeError):  # a private module: another version may have another
                return getattr(import_module(f"{self.__name__}.{self._alone[name]}"), name)
        with _replacing:
            if sys.modules.get(self.__name__) is self:
                del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


def load_scikit_learn() -> None:
    """Import it without what it does not need here; nothing to do where it is loaded already."""
    if "sklearn" in sys.modules:
        return
    import numpy as np

    for name in _put_off:
        sys.modules.setdefault(name, Deferred(name))
    if isinstance(sys.modules["numpy.f2py"], Deferred):
        np.f2py = sys.modules["numpy.f2py"]  # type: ignore[attr-defined]  # `from numpy import *` asks for all names
    with _without(*_hidden):
        import_module("sklearn.base")
        with suppress(ImportError):  # scikit-learn before 1.9 has none
            import_module("sklearn.callback")


@contextmanager
def _without(*names: str) -> Iterator[None]:
    """Packages that are not loaded yet cannot be imported inside."""
    absent = [name for name in names if name not in sys.modules]
    sys.modules.update(dict.fromkeys(absent))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]


@contextmanager
def importing() -> Iterator[bool]:
    """Whether this process is a new one: then no garbage is looked for inside, nor later in what was made inside."""
    fresh = sys.modules.keys().isdisjoint({"sklearn", "numba"}) and gc.isenabled()
    if fresh:
        gc.disable()
    try:
        yield fresh
    finally:
        if fresh:
            gc.freeze()
            gc.enable()
