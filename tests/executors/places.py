"""Where each estimator keeps a table that is larger than one memory, found out by fitting it to one.

The table is a file, and the memory that is free is made to look smaller than it: whoever needs all rows at once is
refused, whoever passes over blocks or looks at a sample is not. `python -m tests.executors.places` writes the table of
docs/scale.md.
"""

from __future__ import annotations

import pickle
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import polars as pl

from tests.relations.subjects import SUBJECTS
from unmix.algorithms.rows import presentation
from unmix.core import memory
from unmix.core.blocks import LocalBlocks
from unmix.core.threads import one_blas_thread
from unmix.io.read import read_path  # noqa: F401  it asks for the free memory by a name of its own

ROWS = (120_000, 260_000)  # the second is more than any sample that is drawn, and tried where the first is held whole
ITERATIONS = 2  # what is sent is the same in each
FREE = 0.7  # of the bytes of the table
WINDOW = 2**17  # entries that an online rule holds: fewer than a user would give it, as the table is small
PAGE = Path(__file__).parents[2] / "docs" / "scale.md"
PASSES, SAMPLE, WHOLE, SQUARE = "passes over blocks", "passes, and a sample", "all rows in one memory", "n × n matrix"


class Place(NamedTuple):
    """What a fit was seen to do: passes over all rows, and at most how many bytes went to a task and came back."""

    kind: str
    n_passes: int = 0
    sent: int = 0
    returned: int = 0
    sample: int = 0  # rows of the table that were brought here


def place_of(name: str) -> Place:
    """Of one subject, by a fit to a file; what needs a square matrix is not tried."""
    if SUBJECTS[name].square:
        return Place(SQUARE)
    found = place_at(name, ROWS[0])
    return place_at(name, ROWS[1]) if found.kind == WHOLE else found


def place_at(name: str, n: int) -> Place:
    X = np.ascontiguousarray(SUBJECTS[name].table(n, np.random.default_rng(0)), np.float64)
    with tempfile.TemporaryDirectory() as folder, watching(X.shape) as seen:
        pl.DataFrame(X, schema=[f"c{j}" for j in range(X.shape[1])]).write_parquet(f"{folder}/x.parquet")
        try:
            fit(name, f"{folder}/x.parquet", int(FREE * X.nbytes))
        except MemoryError:
            return Place(WHOLE, sample=n)
    sample = max(seen["rows"], default=0)
    held = sample >= n or not seen["sent"]  # without a pass it was read whole
    kind = WHOLE if held else SAMPLE if sample else PASSES
    return Place(kind, len(seen["sent"]), max(seen["sent"], default=0), max(seen["returned"], default=0), sample)


def fit(name: str, path: str, free: int) -> None:
    model = SUBJECTS[name].make(1.0)
    if "max_iter" in model.get_params():
        model.set_params(max_iter=ITERATIONS)
    window = patch.object(presentation, "WINDOW_ENTRIES", WINDOW)
    with patch.object(memory, "free_bytes", lambda: free), window, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(path)


@contextmanager
def watching(shape: tuple[int, int]) -> Iterator[dict[str, list[int]]]:
    """Sizes of what passes over all rows send and return, and of what is taken from them."""
    seen: dict[str, list[int]] = {"sent": [], "returned": [], "rows": []}
    each, take = LocalBlocks._each, LocalBlocks.take

    def watched(self: LocalBlocks, f: Any, shared: Any, rows: Any, seed: Any, keep: Any) -> None:
        whole, largest = self.shape[0] == shape[0], 0

        def kept(leaf: int, result: Any) -> None:
            nonlocal largest
            if whole and leaf % 5 == 0:
                largest = max(largest, len(pickle.dumps(result)))
                picked = getattr(result, "parts", None)
                if isinstance(picked, tuple) and picked and np.ndim(picked[0]) == 2:
                    seen["rows"].append(len(picked[0]) * self.n_leaves)
            keep(leaf, result)

        each(self, f, shared, rows, seed, kept)
        if whole:
            seen["sent"].append(len(pickle.dumps(shared)))
            seen["returned"].append(largest)

    def taken(self: LocalBlocks, indices: Any) -> np.ndarray:
        if self.shape[0] == shape[0]:
            seen["rows"].append(len(indices))
        return take(self, indices)

    with patch.object(LocalBlocks, "_each", watched), patch.object(LocalBlocks, "take", taken), one_blas_thread():
        yield seen


def table(places: dict[str, Place]) -> str:
    lines = ["| estimator | place | to a task | from a leaf |", "|---|---|---|---|"]
    for name, place in places.items():
        kind = f"{place.kind} of about {place.sample:,} rows" if place.kind == SAMPLE else place.kind
        sizes = ("", "") if place.kind in (WHOLE, SQUARE) else (size(place.sent), size(place.returned))
        lines.append(f"| {name} | {kind} | {sizes[0]} | {sizes[1]} |")
    return "\n".join(lines)


def size(n: int) -> str:
    return f"{n} B" if n < 1000 else f"{n / 1000:.0f} kB" if n < 1e6 else f"{n / 1e6:.1f} MB"


def kinds_on_page() -> dict[str, str]:
    """The kind that the page gives for each subject."""
    text = PAGE.read_text(encoding="utf-8")
    body = text[text.index("<!-- places -->") : text.index("<!-- end of places -->")]
    rows = [line.split("|") for line in body.splitlines() if line.startswith("| ") and "estimator" not in line]
    return {row[1].strip(): row[2].strip().split(" of ")[0] for row in rows}


def write(places: dict[str, Place]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    start, end = text.index("<!-- places -->"), text.index("<!-- end of places -->")
    PAGE.write_text(f"{text[:start]}<!-- places -->\n\n{table(places)}\n\n{text[end:]}", encoding="utf-8")


def main() -> None:
    found = {}
    for name in SUBJECTS:
        found[name] = place_of(name)
        print(f"{name}: {found[name]}", flush=True)
    write(found)


if __name__ == "__main__":
    main()
