"""Half an hour of explorations in one process: memory stays flat, no file, thread, child or temporary file is left."""

from __future__ import annotations

import gc
import os
import resource
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import polars as pl

from tests.faults.commands import TABLE, invoke
from tests.faults.part import Case

FLAT = (
    24 * 2**20
)  # bytes that may stay between early and late explorations; one kept table of findings each would be more
MINUTES, FEWEST = 30, 100  # both are reached in the whole form
EXAMPLES = Path(__file__).parents[2] / "examples"


class Held(NamedTuple):
    """What a process holds of the system: bytes in memory, open files with how often, threads, children."""

    memory: int
    files: Counter[str]
    threads: int
    children: int


def held() -> Held:
    gc.collect()
    with open("/proc/self/statm") as file:
        memory = int(file.read().split()[1]) * resource.getpagesize()
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return Held(memory, open_files(), threading.active_count(), len(children))


def open_files() -> Counter[str]:
    """What this process holds open and how often, but for what Python opens to look."""
    found: Counter[str] = Counter()
    for name in os.listdir("/proc/self/fd"):
        try:
            found[os.readlink(f"/proc/self/fd/{name}")] += 1
        except OSError:
            continue
    return Counter({name: times for name, times in found.items() if not name.startswith("/proc/")})


def write_tables(folder: Path) -> list[Path]:
    """Small tables of different kinds: numbers, text and gaps, more columns than rows, one in Parquet, one refused."""
    rng = np.random.default_rng(0)
    (folder / "plain.csv").write_text(TABLE)
    (folder / "penguins.csv").write_bytes((EXAMPLES / "penguins.csv").read_bytes())
    wide = pl.DataFrame(
        rng.normal(size=(30, 60)) + np.repeat([[0], [4]], 15, axis=0), schema=[f"c{j}" for j in range(60)]
    )
    wide.write_csv(folder / "wide.csv")
    groups = pl.DataFrame(rng.normal(size=(600, 4)) + rng.integers(0, 3, (600, 1)) * 6, schema=list("abcd"))
    groups.write_parquet(folder / "groups.parquet")
    (folder / "refused.csv").write_text('""\n""\n')
    return [folder / name for name in ("plain.csv", "penguins.csv", "wide.csv", "groups.parquet", "refused.csv")]


def ways(folder: Path) -> list[Callable[[int], Any]]:
    """From Python with a file and with a frame, and as the command, each over the results of the time before."""
    from unmix import explore

    def python(path: Path, number: int) -> None:
        explore(path, max_k=3, seed=number).save(folder / f"out-{path.stem}")

    def frame(path: Path, number: int) -> None:
        explore(pl.read_csv(path), max_k=3, seed=number).save(folder / "out-frame")

    def command(path: Path, number: int) -> None:
        words = ["explore", path.name, "--max-k", "3", "--seed", str(number), "--out", f"out-{path.stem}"]
        result = invoke(words, folder)
        assert result.exit_code == (2 if path.stem == "refused" else 0), result.output

    plain, penguins, wide, groups, refused = write_tables(folder)
    pairs = (
        (python, plain),
        (command, penguins),
        (python, groups),
        (frame, plain),
        (command, wide),
        (command, refused),
    )
    return [lambda number, way=way, path=path: way(path, number) for way, path in pairs]


def explored(folder: Path, short: bool) -> list[Held]:
    """What was held after each exploration."""
    all_ways, end = ways(folder), time.monotonic() + (0 if short else 60 * MINUTES)
    found: list[Held] = []
    while len(found) < (12 if short else FEWEST) or time.monotonic() < end:
        all_ways[len(found) % len(all_ways)](len(found))
        found.append(held())
    return found


def soak(folder: Path, short: bool) -> Iterator[Case]:
    (folder / "temporary").mkdir()
    with patch.object(tempfile, "tempdir", str(folder / "temporary")):
        found = explored(folder, short)
    n, warm = len(found), len(found) // (2 if short else 5)
    early, late = found[warm : warm + n // 4], found[-(n // 4) :]
    grown = median(one.memory for one in late) - median(one.memory for one in early)
    sizes = (
        f"{early[0].memory / 2**20:.0f} MiB after {warm + 1} and {late[-1].memory / 2**20:.0f} after {n} explorations"
    )
    yield f"memory, {sizes}", None if grown < FLAT else f"{grown / 2**20:.0f} MiB more"
    left = found[-1].files - found[warm].files
    yield f"open files after {n}", f"{sorted(left)[:4]}" if left else None
    for what in ("threads", "children"):
        more = getattr(found[-1], what) - getattr(found[warm], what)
        yield f"{what} after {n}", f"{more} more" if more > 0 else None
    stays = sorted(os.listdir(folder / "temporary"))
    yield f"temporary files after {n}", f"{stays[:4]}" if stays else None
