"""Public names of a package, imported when one is first used: who needs one estimator does not wait for all of them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any


class Package(ModuleType):
    """A package whose names are found in the modules of `_homes`."""

    _homes: dict[str, str]

    def __getattr__(self, name: str) -> Any:
        if name not in self._homes:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        value = getattr(import_module(self._homes[name]), name)
        self.__dict__[name] = value
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        """A module is not put in the place of the function it is named after."""
        if name not in self._homes or not isinstance(value, ModuleType):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._homes})


def on_first_use(package: str, names: Mapping[str, str]) -> None:
    """`names` has for each module the public names that stand in it, with spaces between them."""
    module = sys.modules[package]
    module.__dict__["_homes"] = {name: home for home, found in names.items() for name in found.split()}
    module.__class__ = Package
