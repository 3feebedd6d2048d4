"""Draws docs/assets/foetal-ecg.png by examples/foetal_ecg.py (needs ../shared/data)."""

import contextlib
import io
import runpy
import warnings
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from unmix.separation import GaussianSourcesWarning

ROOT = Path(__file__).parents[2]
DATA = ROOT / ".." / "shared" / "data" / "ica" / "foetal_ecg.npz"
PAGE = "methods/foetal_ecg.md"
EXAMPLE = runpy.run_path(str(ROOT / "examples" / "foetal_ecg.py"))


def shown() -> dict:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore", GaussianSourcesWarning)  # the page tells of it
        EXAMPLE["main"](DATA)
    return {"on the page": printed.getvalue().splitlines()}


def figures() -> dict[str, Figure]:
    X = np.load(DATA)["X"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GaussianSourcesWarning)
        return {"foetal-ecg": EXAMPLE["draw"](X, *EXAMPLE["separate"](X))}
