"""What a run has finished so far, kept in a folder: run again after a sudden end, it goes on from there, bit for bit.

Explore consists of many parts that know nothing of each other (resamples, reference tables, parts of the rows, folds);
each is written as soon as it is made (`unmix.validation.fits.cache`). A separation saves the state of its search.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import unmix

LEAST_SECONDS = 0.02  # a part that took less is made anew: writing it takes some milliseconds


@contextmanager
def going_on(folder: Path, file: Path, settings: dict[str, Any]) -> Iterator[int]:
    """Parts made inside are kept, and those of an earlier run with the same table and settings taken: how many."""
    from unmix.validation.fits.cache import Memory, remembering

    folder.mkdir(parents=True, exist_ok=True)
    with file.open("rb") as table:
        digest = hashlib.file_digest(table, "sha256").hexdigest()
    memory = Memory(folder, "explore", repr([versions(), digest, sorted(settings.items())]), LEAST_SECONDS)
    with remembering(memory):
        yield sum(1 for _ in memory.folder.glob("*.zip"))


def versions() -> list[str]:
    """Of what the numbers come from: parts of another version are not taken."""
    import numpy as np
    import scipy
    import sklearn

    return [unmix.__version__, np.__version__, scipy.__version__, sklearn.__version__]
