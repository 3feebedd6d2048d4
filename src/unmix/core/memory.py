"""How much memory this process may still take: what the machine has left, and what limits leave to it.

A process that takes more is killed without a word, or meets errors in any line; so what needs much asks first.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

GROUPS = Path("/sys/fs/cgroup")
# Files of a group of processes, in the two ways Linux has them: what it may take, and what it takes.
GROUP_FILES = (("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes"))
SAID_FROM = 2**30  # bytes from which on it is said that so much is brought here


def memory_bytes() -> int:
    """Of this machine; without bound where it does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 2**63


def free_bytes() -> int:
    """What can be asked for without being refused or killed, as far as the system says."""
    found = [memory_bytes()]
    with suppress(OSError, ValueError):
        found.append(1024 * _number_after("MemAvailable:", Path("/proc/meminfo")))
    found += _left_to_groups()
    found += _left_to_process()
    return max(min(found), 0)


def _number_after(word: str, file: Path) -> int:
    for line in file.read_text().splitlines():
        if line.startswith(word):
            return int(line.split()[1])
    raise ValueError(word)


def _left_to_groups() -> Iterator[int]:
    """Of every group of processes (as containers are) that this one is in, and those around it."""
    with suppress(OSError):
        lines = Path("/proc/self/cgroup").read_text().splitlines()
        for line in lines:
            _, kind, place = line.split(":", 2)
            if kind in ("", "memory"):
                inner = (GROUPS / "memory" if kind else GROUPS) / place.lstrip("/")
                for folder in (inner, *(parent for parent in inner.parents if parent.is_relative_to(GROUPS))):
                    yield from _left_in(folder)


def _left_in(folder: Path) -> Iterator[int]:
    for most, used in GROUP_FILES:
        with suppress(OSError, ValueError):  # "max" is no number and no limit
            yield int((folder / most).read_text()) - int((folder / used).read_text())


def _left_to_process() -> Iterator[int]:
    """Of the limits of this process itself (ulimit)."""
    try:
        import resource
    except ImportError:  # another system than Unix
        return
    for limit, word in ((resource.RLIMIT_AS, "VmSize:"), (resource.RLIMIT_DATA, "VmData:")):
        most = resource.getrlimit(limit)[0]
        if most != resource.RLIM_INFINITY:
            with suppress(OSError, ValueError):
                yield most - 1024 * _number_after(word, Path("/proc/self/status"))


def ask_for_room(shape: tuple[int, int], dtype: Any) -> None:
    """Refuse what does not fit into the memory that is free; say so of what is large."""
    need, free = shape[0] * shape[1] * dtype.itemsize, free_bytes()
    rows = f"{shape[0]:,} rows of {shape[1]} columns take {in_words(need)}"
    if need > free:
        raise MemoryError(
            f"this method needs all rows in one memory: {rows}, and {in_words(free)} are free here; give some of the "
            "rows, or take a method that passes over blocks of rows (docs/scale.md)"
        )
    if need >= SAID_FROM:
        warnings.warn(f"all rows are brought into one memory: {rows}", UserWarning, stacklevel=4)


def in_words(size: float) -> str:
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
