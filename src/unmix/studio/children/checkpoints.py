"""What a run has finished so far, kept in a folder: run again after a sudden end, it goes on from there, bit for bit.

Explore consists of many parts that know nothing of each other (resamples, reference tables, parts of the rows, folds);
each is written as soon as it is made (`unmix.validation.fits.cache`). A separation saves the state of its search.
No run hangs on what is kept: where nothing can be, or what is there cannot be used, it is done from its beginning.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from unmix.validation.fits.cache import Memory

LEAST_SECONDS = 0.02  # a part that took less is made anew: writing it takes some milliseconds
T = TypeVar("T")


@contextmanager
def going_on(folder: Path, file: Path, settings: dict[str, Any]) -> Iterator[int]:
    """Parts made inside are kept, and those of an earlier run with the same table and settings taken: how many."""
    from unmix.validation.fits.cache import remembering

    try:
        memory = finished_parts(folder, file, settings)
    except OSError as error:
        warnings.warn(f"what this run finishes is not kept in {folder}: {error}", RuntimeWarning, stacklevel=3)
        memory = None
    with remembering(memory):
        yield 0 if memory is None else sum(1 for _ in memory.folder.glob("*.zip"))


def finished_parts(folder: Path, file: Path, settings: dict[str, Any]) -> Memory:
    from unmix.validation.fits.cache import Memory

    folder.mkdir(parents=True, exist_ok=True)
    with file.open("rb") as table:
        digest = hashlib.file_digest(table, "sha256").hexdigest()
    return Memory(folder, "explore", repr([versions(), digest, sorted(settings.items())]), LEAST_SECONDS)


def versions() -> dict[str, str]:
    """Of what the numbers come from: parts of another version are not taken."""
    import polars
    import sklearn

    from unmix.core import worker_versions

    return worker_versions.versions() | {"scikit-learn": sklearn.__version__, "polars": polars.__version__}


def going_on_or_anew(path: Path, work: Callable[[Path | None], T]) -> T:
    """What work gives with the checkpoint that is there, or without one."""
    from unmix.core.iteration.checkpoint import CheckpointError

    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
    try:
        return work(path if path.parent.is_dir() else None)
    except CheckpointError:
        with suppress(OSError):
            path.unlink()
        return work(None if path.exists() else path)
