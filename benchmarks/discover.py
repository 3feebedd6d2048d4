"""Finds benchmarks, data sets and solvers by the folders they lie in."""

from pathlib import Path
from types import ModuleType

folder = Path(__file__).parent


def benchmarks() -> list[str]:
    """Folders with an objective: solvers compared on data sets."""
    return sorted(path.parent.name for path in folder.glob("*/objective.py"))


def programs() -> list[str]:
    """Folders with a program of their own."""
    return sorted(path.parent.name for path in folder.glob("*/program.py"))


def parts(benchmark: str, kind: str) -> list[str]:
    """Names of the data sets or solvers of a benchmark; ours come first."""
    names = sorted(path.stem for path in (folder / benchmark / kind).glob("[!_]*.py"))
    return sorted(names, key=lambda name: name.split("_")[0] != "unmix")


def first_line(module: ModuleType) -> str:
    return (module.__doc__ or "").strip().splitlines()[0]
