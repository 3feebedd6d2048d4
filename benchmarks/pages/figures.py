"""What pages say about time: a name, what is timed in words, the page, and the work itself."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

root = Path(__file__).parents[2]


class Figure(NamedTuple):
    """A time on a page. `prepare` makes the work, which is then timed; `warm` does it once before, untimed."""

    name: str
    what: str
    page: str
    prepare: Callable[[], Callable[[], object]]
    warm: bool = True


def explore_penguins() -> Callable[[], object]:
    """The command in processes of its own, on a cache of kernels that stays between two calls of one benchmark."""
    folder = Path(tempfile.gettempdir()) / f"unmix-pages-{os.getpid()}"
    settings = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "kernels"), "PYTHONPATH": str(root / "src")}
    command = [sys.executable, "-m", "unmix", "explore", str(root / "examples" / "penguins.csv"), "--quiet"]
    return lambda: subprocess.run([*command, "--out", str(folder / "out")], env=settings, check=True)


def components(n_rows: int, n_columns: int, rank: int) -> Callable[[], object]:
    from unmix.decomposition import select_components

    rng = np.random.default_rng(0)
    X = 3 * rng.normal(size=(n_rows, rank)) @ rng.normal(size=(rank, n_columns)) + rng.normal(size=(n_rows, n_columns))
    return lambda: select_components(X, random_state=0)


def soft_clusters(n_rows: int) -> Callable[[], object]:
    from unmix.cluster import SoftKMeans
    from unmix.datasets import blobs

    X = blobs(n_rows, 2, 100, random_state=0)[0]
    return lambda: SoftKMeans(100, random_state=0).fit(X)


def approximation_sets() -> Callable[[], object]:
    from unmix.validation import ApproximationSetCoding

    rng = np.random.default_rng(0)
    objects = 5.0 * np.eye(3, 10)[np.arange(10_000) % 3]
    first, second = (objects + rng.normal(size=objects.shape) for _ in range(2))
    return lambda: ApproximationSetCoding().measure(first, second, 3, np.random.default_rng(0))


FIRST, SETS = "docs/first_use.md", "docs/methods/approximation_sets.md"
COUNT, SOFT = "docs/methods/number_of_components.md", "docs/methods/soft_kmeans.md"
FIGURES = [
    Figure("explore_first", "`unmix explore examples/penguins.csv`, nothing compiled", FIRST, explore_penguins, False),
    Figure("explore_again", "the same with kernels compiled", FIRST, explore_penguins, False),
    Figure("components_300", "`select_components`, 300 × 70, rank 5", COUNT, lambda: components(300, 70, 5)),
    Figure("components_1200", "`select_components`, 1,200 × 280, rank 40", COUNT, lambda: components(1200, 280, 40)),
    Figure("components_5000", "`select_components`, 5,000 × 500, rank 40", COUNT, lambda: components(5000, 500, 40)),
    Figure("soft_20000", "`SoftKMeans(100)`, 20,000 × 2", SOFT, lambda: soft_clusters(20_000), False),
    Figure("soft_100000", "`SoftKMeans(100)`, 100,000 × 2", SOFT, lambda: soft_clusters(100_000), False),
    Figure("sets_10000", "`ApproximationSetCoding`, 10,000 × 10, one K", SETS, approximation_sets, False),
]
