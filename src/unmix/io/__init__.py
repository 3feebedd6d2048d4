"""One registry of file formats, from which every part of the package reads tables, signals and images."""

from importlib import import_module
from typing import Any

# Public names and the module that defines each, imported when one is first used: polars takes a while to load.
_home = {
    "DataSet": "data_set.data_set",
    "Format": "base.registry",
    "ImageFile": "readers.image",
    "Matrix": "matrix",
    "NoSuchFileError": "base.errors",
    "Table": "in_memory.table",
    "TableError": "base.errors",
    "as_matrix": "matrix",
    "endings": "base.registry",
    "formats": "base.registry",
    "open_source": "read",
    "read_image": "readers.image",
    "read_table": "read",
    "register": "base.registry",
    "unregister": "base.registry",
    "write_image": "readers.image",
}

__all__ = sorted(_home)


def __getattr__(name: str) -> Any:
    if name not in _home:
        raise AttributeError(f"module 'unmix.io' has no attribute {name!r}")
    return getattr(import_module(f"unmix.io.{_home[name]}"), name)


def __dir__() -> list[str]:
    return __all__
