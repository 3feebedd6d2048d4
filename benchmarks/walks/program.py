"""Counts the files of unmix that a call enters, room by room: functions that run, not modules that are only imported.

    python -m benchmarks walks [--only NAME]

A first call of the same kind comes before, so that what is set up once in a process is not counted.
"""

import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import unmix

ROOT = Path(unmix.__file__).parent


def entered(call: Callable[[], Any]) -> list[str]:
    """Files in which a function ran, in the order in which they were entered, as paths below the package."""
    found: dict[str, None] = {}

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            found[frame.f_code.co_filename] = None

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return [str(Path(file).relative_to(ROOT)) for file in found if Path(file).is_relative_to(ROOT)]


def calls(folder: Path) -> dict[str, Callable[[], Any]]:
    """The calls that are followed, by name."""
    from unmix import cluster, decomposition, roles, validation

    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 5)) + 5 * rng.integers(3, size=(300, 1))
    P = rng.gamma(1.0, size=(300, 3)) @ rng.gamma(1.0, size=(3, 12))
    grants = rng.random((60, 20)) < 0.2
    path = folder / "table.csv"
    np.savetxt(path, X, delimiter=",", header="a,b,c,d,e", comments="")
    return {
        "KMeans().fit(X)": lambda: cluster.KMeans(3, random_state=0).fit(X),
        "PCA().fit(path)": lambda: decomposition.PCA(2).fit(path),
        "NMF().fit(X)": lambda: decomposition.NMF(3, random_state=0).fit(P),
        "SoftKMeans().fit(X)": lambda: cluster.SoftKMeans(3, random_state=0).fit(X),
        "select(KMeans(), X)": lambda: validation.select(cluster.KMeans(), X, range(1, 6), random_state=0),
        "explore(path)": lambda: unmix.explore(path),
        "roles.mine(X)": lambda: roles.mine(grants),
    }


def main(options: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, call in calls(Path(folder)).items():
            if options.only in name:
                call()
                files = entered(call)
                print(f"{name}: {len(files)} files")
                rooms = Counter(str(Path(file).parent) for file in files)
                print("   " + ", ".join(f"{room} {count}" for room, count in sorted(rooms.items())))
