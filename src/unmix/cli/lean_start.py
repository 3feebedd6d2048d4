"""scikit-learn imports scipy.stats and pandas as it loads, and no command uses either: half of the time to start.

scipy.stats is then imported when somebody asks for one of its names. pandas is hidden from scikit-learn alone, which
takes it for not installed; frames of pandas that a reader brings are handled without it.
"""

from __future__ import annotations

import sys
from importlib import import_module
from threading import RLock
from types import ModuleType
from typing import Any

_replacing = RLock()


class Deferred(ModuleType):
    """Stands for a module until one of its names is used."""

    def __getattr__(self, name: str) -> Any:
        with _replacing:
            if sys.modules.get(self.__name__) is self:
                del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


def load_scikit_learn() -> None:
    """Import it without what it does not need here; nothing to do where it is loaded already."""
    if "sklearn" in sys.modules:
        return
    sys.modules.setdefault("scipy.stats", Deferred("scipy.stats"))
    hidden = "pandas" not in sys.modules
    if hidden:
        sys.modules["pandas"] = None  # type: ignore[assignment]
    try:
        import_module("sklearn.base")
    finally:
        if hidden:
            del sys.modules["pandas"]
