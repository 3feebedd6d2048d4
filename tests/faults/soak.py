"""Many explorations in one process: memory stays flat, no file stays open, no thread and no temporary file is left."""

from __future__ import annotations

import gc
import os
import resource
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

from tests.faults.commands import TABLE
from tests.faults.part import Case

FLAT = 24 * 2**20  # bytes that may stay after the first explorations; one kept table of findings each would be more


def memory() -> int:
    """Bytes of this process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def open_files() -> set[str]:
    """What this process holds open, but for what Python opens to look."""
    held = set()
    for name in os.listdir("/proc/self/fd"):
        try:
            held.add(os.readlink(f"/proc/self/fd/{name}"))
        except OSError:
            continue
    return {name for name in held if not name.startswith("/proc/")}


def soak(folder: Path, short: bool) -> Iterator[Case]:
    from unmix import explore

    path = folder / "x.csv"
    path.write_text(TABLE)
    total, warm = (12, 4) if short else (100, 20)
    temporary = set(os.listdir(tempfile.gettempdir()))
    for number in range(total):
        explore(path, max_k=3, seed=number).save(folder / "out")
        gc.collect()
        if number == warm - 1:
            before, files, threads = memory(), open_files(), threading.active_count()
    grown = memory() - before
    yield f"memory after {warm} and {total} explorations", None if grown < FLAT else f"{grown / 2**20:.0f} MiB more"
    left = open_files() - files
    yield f"open files after {total}", f"{sorted(left)[:4]}" if left else None
    more = threading.active_count() - threads
    yield f"threads after {total}", f"{more} more" if more > 0 else None
    stays = {name for name in set(os.listdir(tempfile.gettempdir())) - temporary if name.startswith("unmix-")}
    yield f"temporary files after {total}", f"{sorted(stays)[:4]}" if stays else None
