"""A folder that remembers finished work, so that an interrupted selection goes on where it stopped.

One small file for every finished unit (a resample, a reference table) and one for every finished criterion, in a folder
named by the criterion and a digest of all it depends on. Files are archives of JSON and plain arrays
(`unmix.core.storage.archive`): written under another name and renamed, read without running anything. What was stored
is taken up bit by bit, so the answer is that of a run without interruption.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from os import PathLike
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import numpy as np

from unmix.core.iteration.checkpoint import decode, encode
from unmix.core.storage.archive import REFUSALS, read_archive, reason, write_archive

SCHEMA = 1


class Memory:
    """The finished work of one criterion on one table; `identity` is the text of all it depends on.

    What took less than `least_seconds` is not kept: to do it again takes no longer than to write it.
    """

    def __init__(self, folder: Path, name: str, identity: str, least_seconds: float = 0.0) -> None:
        self.digest = hashlib.sha256(identity.encode()).hexdigest()
        self.folder = folder / f"{re.sub(r'[^A-Za-z0-9]+', '-', name)}-{self.digest[:16]}"
        self.folder.mkdir(exist_ok=True)
        self._calls, self._least_seconds = 0, least_seconds

    def call(self, stage: str, n: int) -> str:
        """A name for the next round of n units; rounds come in the same order in every run."""
        self._calls += 1
        return f"{self._calls:03d}-{re.sub(r'[^A-Za-z0-9]+', '-', stage)}-of-{n}"

    def once(self, name: str, work: Callable[[], Any]) -> Any:
        """work(), or what it returned when it was run before; what is neither number nor array is not kept."""
        path = self.folder / f"{name}.zip"
        found, value = self._recall(path, name)
        if found:
            return value
        begun = time.perf_counter()
        value = work()
        if time.perf_counter() - begun < self._least_seconds:
            return value
        arrays: list[np.ndarray] = []
        try:
            body = encode(value, arrays)
        except TypeError:
            return value
        head = {"schema": SCHEMA, "work": self.digest, "name": name, "sum": _sum(body)}
        try:
            write_archive(path, {**head, "value": body}, arrays)
        except OSError as error:  # a full disk must not cost the work itself
            warnings.warn(f"{path} could not be written ({error}); its part is not kept", RuntimeWarning, stacklevel=2)
        return value

    def _recall(self, path: Path, name: str) -> tuple[bool, Any]:
        if not path.is_file():
            return False, None
        try:
            document, arrays = read_archive(path)
            if (document["schema"], document["work"], document["name"]) != (SCHEMA, self.digest, name):
                raise ValueError("it belongs to other work")
            if document["sum"] != _sum(document["value"]):
                raise ValueError("it was changed after it was written")
            return True, decode(document["value"], arrays)
        except (*REFUSALS, ImportError) as error:
            warnings.warn(
                f"{path} is not used ({reason(error)}); its part is computed again", RuntimeWarning, stacklevel=2
            )
            return False, None


def _sum(body: Any) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


_current: ContextVar[Memory | None] = ContextVar("unmix_memory", default=None)


def current_memory() -> Memory | None:
    return _current.get()


@contextmanager
def remembering(memory: Memory | None) -> Iterator[None]:
    """Every unit of `in_parallel` inside is remembered."""
    token = _current.set(memory)
    try:
        yield
    finally:
        _current.reset(token)


def folder_of(cache: Any, random_state: Any) -> Path | None:
    """The folder, made where it is not there."""
    if cache is None:
        return None
    if random_state is None:
        raise ValueError("cache with random_state=None would never be found again; give random_state a whole number")
    if not isinstance(cache, str | PathLike):
        raise TypeError(f"cache={cache!r} is no folder; give its path")
    folder = Path(cache)
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"cache={str(cache)!r} is a file; give a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        raise ValueError(f"cache={str(cache)!r} cannot be written to ({error}); give a folder that can") from error
