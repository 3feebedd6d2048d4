"""A folder of results: written beside its place, then put there as a whole, so that two writers never mix.

A folder that holds more than results is not moved away: it gets the new files one by one, and keeps its own.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from unmix.core.storage.abandoned import remove_abandoned
from unmix.core.storage.archive import sync_folder
from unmix.core.storage.swap import swap

ABANDONED = r"\.unmix-(\d+)-\w+"  # half written; not those moved aside, which may be the only copy
TRIES = 10  # times that somebody else may put a folder there in the same moment


class Results(NamedTuple):
    """Which files a command writes: patterns of the one that tells its folders, and of all."""

    mark: str
    names: str

    def are_in(self, directory: Path) -> bool:
        return any(re.fullmatch(self.mark, name) for name in os.listdir(directory))

    def are_all_of(self, directory: Path) -> bool:
        return all(re.fullmatch(self.names, name) for name in os.listdir(directory))


def is_foreign(directory: Path, results: Results) -> bool:
    """Whether there is a folder with something in it, and not of an earlier run."""
    return directory.is_dir() and any(directory.iterdir()) and not results.are_in(directory)


@contextmanager
def replacing_folder(directory: Path, results: Results) -> Iterator[Path]:
    """A folder to write to whose files are in ``directory`` when all are complete, and nowhere if anything fails."""
    directory = Path(os.path.realpath(directory))
    missing = [parent for parent in directory.parents if not parent.exists()]
    directory.parent.mkdir(parents=True, exist_ok=True)
    inside = directory.is_dir() and not may_be_moved(directory, results)
    beside = directory if inside else directory.parent
    remove_abandoned(beside, ABANDONED)
    scratch = Path(tempfile.mkdtemp(dir=beside, prefix=f".unmix-{os.getpid()}-"))
    try:
        yield scratch
        for path in scratch.rglob("*"):
            sync_file(path) if path.is_file() else sync_folder(path)
        sync_folder(scratch)
        put_files(scratch, directory) if inside else put_folder(scratch, directory)
        sync_folder(beside)
    except BaseException:
        shutil.rmtree(scratch, ignore_errors=True)
        with suppress(OSError):
            for parent in missing:  # the innermost first; one that somebody uses by now stays
                parent.rmdir()
        raise


def may_be_moved(directory: Path, results: Results) -> bool:
    """All in it is of an earlier run, and nobody stands in it or is kept from naming it anew."""
    here = Path.cwd()
    free = directory != here and directory not in here.parents and not os.path.ismount(directory)
    return free and os.access(directory.parent, os.W_OK | os.X_OK) and results.are_all_of(directory)


def put_files(scratch: Path, directory: Path) -> None:
    for path in sorted(scratch.iterdir()):
        if path.is_dir() and (directory / path.name).is_dir():
            shutil.rmtree(directory / path.name)  # of an earlier run: a folder does not take the place of a full one
        os.replace(path, directory / path.name)
    scratch.rmdir()


def put_folder(scratch: Path, directory: Path) -> None:
    """Give the folder its name; what had it goes away, and comes back if that fails."""
    umask = os.umask(0)
    os.umask(umask)
    scratch.chmod(0o777 & ~umask)  # mkdtemp makes it private
    old = scratch.with_name(f"{scratch.name}-old")
    for attempt in range(TRIES):
        try:
            os.rename(scratch, directory)  # also over an empty folder
            break
        except OSError:
            if attempt == TRIES - 1 or not directory.is_dir():
                raise
            if swap(scratch, directory):
                old = scratch
                break
            exchange(scratch, directory, old)
            if not scratch.exists():
                break
    shutil.rmtree(old, ignore_errors=True)


def exchange(scratch: Path, directory: Path, old: Path) -> None:
    """In two steps, where the system has no better: between them a process that is killed leaves neither name."""
    shutil.rmtree(old, ignore_errors=True)
    try:
        with suppress(FileNotFoundError):  # somebody else has just taken it away
            os.rename(directory, old)
        os.rename(scratch, directory)
    except BaseException as error:
        with suppress(OSError):  # somebody else has put a folder there: his is whole too
            os.rename(old, directory)
        if not isinstance(error, OSError):
            raise


def sync_file(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
