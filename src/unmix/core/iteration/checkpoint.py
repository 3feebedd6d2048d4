"""Saving the state of a fit and taking it up again, on any executor.

A checkpoint is one zip file of a JSON description and plain arrays: what is being fitted to which data, and the state
of every stage so far.  It is written under a temporary name, synced and renamed, so it is whole or it is not there.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import time
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from unmix.core.blocks import RowBlocks, Rows
from unmix.core.iteration.trace import Record
from unmix.core.storage.archive import REFUSALS, read_archive, reason, write_archive

SCHEMA = 2


class CheckpointError(ValueError):
    """A file that this fit cannot go on from."""


class Stage(NamedTuple):
    """How far one loop of a fit has come."""

    state: Any
    finished: bool
    records: list[Any]


class Checkpoint:
    """The file of one fit. ``identity`` says what is fitted to what; a file of another fit is refused."""

    def __init__(self, path: Path, identity: dict[str, Any], seconds: float) -> None:
        if not path.parent.is_dir():
            raise ValueError(f"checkpoint={str(path)!r}: its folder does not exist; make it first")
        self.path, self.identity, self._seconds = path, identity, seconds
        self._saved = time.monotonic()
        self.stages: list[Stage] = self._load()
        self.resumed = bool(self.stages)

    def save(self, index: int, stage: Stage) -> None:
        """Keep a stage; it goes to disk when it is finished or when enough time has passed."""
        self.stages[index:] = [stage]
        if stage.finished or time.monotonic() - self._saved >= self._seconds:
            arrays: list[np.ndarray] = []
            body = [encode(tuple(s), arrays) for s in self.stages]
            self._write({"schema": SCHEMA, "identity": self.identity, "stages": body}, arrays)
            self._saved = time.monotonic()

    def _write(self, document: dict[str, Any], arrays: list[np.ndarray]) -> None:
        try:
            write_archive(self.path, document, arrays)
        except OSError as error:  # a full disk must not cost the work itself
            words = f"checkpoint: {error.strerror}; the fit goes on, and can be resumed from what was saved before"
            warnings.warn(words, RuntimeWarning, stacklevel=2)

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)

    def _load(self) -> list[Stage]:
        if not self.path.exists():
            return []
        try:
            document, arrays = read_archive(self.path)
            found, body = document["identity"], document["stages"]
            if document["schema"] != SCHEMA:
                raise ValueError(f"its schema is {document['schema']!r}, this version reads {SCHEMA}")
            different = [name for name in self.identity if found.get(name) != self.identity[name]]
            stages = [] if different else [as_stage(decode(stage, arrays)) for stage in body]
        except (*REFUSALS, ImportError) as error:
            raise self.refusal(reason(error)) from error
        if different or found != self.identity:
            raise CheckpointError(
                f"{self.path} is the checkpoint of another fit (different {', '.join(different)}); "
                "give another path, or remove it to start anew"
            )
        return stages

    def stage(self, index: int, start: Any) -> Stage:
        """A stage that was saved, which must be made as the state is that its loop starts from."""
        stage = self.stages[index]
        if not alike(stage.state, start):
            raise self.refusal(f"stage {index + 1} in it is no state of this fit")
        return stage

    def refusal(self, why: str) -> CheckpointError:
        return CheckpointError(f"{self.path} is not a checkpoint that can be resumed ({why}); remove it to start anew")


def as_stage(content: Any) -> Stage:
    """ValueError for what is no stage: a state, whether it is finished, and records of its iterations."""
    if not isinstance(content, tuple) or len(content) != len(Stage._fields):
        raise ValueError("a stage in it lacks a part")
    stage = Stage(*content)
    records = isinstance(stage.records, list) and all(isinstance(record, Record) for record in stage.records)
    if not records or not isinstance(stage.finished, bool):
        raise ValueError("a stage in it has parts of another kind")
    return stage


def alike(value: Any, start: Any, fixed: bool = False) -> bool:
    """Whether a state has the type, and its arrays the dtype and all lengths but the first, of the one it grew from.

    A state with ``fixed_shapes`` keeps the first lengths too, as do the states in it; one with a method ``consistent``
    compares them with each other. What starts as None, or is None for a while, may be anything; an array that starts
    empty may grow on all sides.
    """
    if value is None or start is None or hasattr(start, "gather"):  # rows that stay on the workers of a cluster
        return True
    if isinstance(start, tuple) and hasattr(start, "_fields"):
        if type(value) is not type(start):
            return False
        fixed = fixed or getattr(start, "fixed_shapes", False)
        parts = all(alike(v, s, fixed) for v, s in zip(value, start, strict=True))
        consistent = getattr(value, "consistent", lambda: True)
        return parts and bool(consistent())
    if isinstance(start, tuple | list | dict | str):
        return isinstance(value, type(start))
    if np.ndim(start) == 0:
        return isinstance(value, int | float | np.generic)
    if not isinstance(value, np.ndarray) or value.dtype.kind != start.dtype.kind or value.ndim != start.ndim:
        return False
    return not start.size or value.shape[not fixed :] == start.shape[not fixed :]


class Digests(NamedTuple):
    """Digests of leaves, joined in leaf order where other statistics are added."""

    parts: tuple[str, ...]

    def merge(self, other: Digests) -> Digests:
        return Digests(self.parts + other.parts)


def fingerprint(X: RowBlocks, rows: Rows = None) -> str:
    """A digest of every entry, the same wherever the data are kept."""
    digests = X.reduce(_digest, rows=rows).parts
    return hashlib.sha256(f"{X.shape} {X.dtype} {' '.join(digests)}".encode()).hexdigest()


def _digest(block: Any, rows: Any) -> Digests:
    sparse = hasattr(block, "tocsr")
    parts = [block.data, block.indices.astype(np.int64), block.indptr.astype(np.int64)] if sparse else [block]
    aligned = rows if isinstance(rows, tuple) else () if rows is None else (rows,)
    digest = hashlib.blake2b(digest_size=16)
    for part in (*parts, *aligned):
        digest.update(np.ascontiguousarray(part).data)
    return Digests((digest.hexdigest(),))


def encode(value: Any, arrays: list[np.ndarray]) -> Any:
    """JSON for a tree of tuples, lists, dicts, numbers, strings and arrays."""
    if isinstance(value, np.ndarray):
        arrays.append(value)
        return {"array": len(arrays) - 1}
    if isinstance(value, np.generic) or hasattr(value, "gather"):  # rows that stay on the workers of a cluster
        return encode(np.asarray(value), arrays)
    if isinstance(value, tuple):
        kind = f"{type(value).__module__}:{type(value).__qualname__}" if hasattr(value, "_fields") else ""
        return {"tuple": [encode(v, arrays) for v in value], "type": kind}
    if isinstance(value, list):
        return {"list": [encode(v, arrays) for v in value]}
    if isinstance(value, dict):
        return {"dict": [[k, encode(v, arrays)] for k, v in value.items()]}
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return {"float": value.hex()}
    raise TypeError(f"a state may hold numbers, strings, arrays and tuples of them, not {type(value).__name__}")


def decode(value: Any, arrays: list[np.ndarray]) -> Any:
    if not isinstance(value, dict):
        return value
    if "array" in value:
        array = arrays[value["array"]]
        return array[()] if array.ndim == 0 else array
    if "float" in value:
        return float.fromhex(value["float"])
    if "list" in value:
        return [decode(v, arrays) for v in value["list"]]
    if "dict" in value:
        return {k: decode(v, arrays) for k, v in value["dict"]}
    fields = [decode(v, arrays) for v in value["tuple"]]
    return _named_tuple(value["type"])(*fields) if value["type"] else tuple(fields)


def _named_tuple(name: str) -> Any:
    """A NamedTuple of this package by its name; anything else is refused."""
    module, _, qualified = name.partition(":")
    if module.split(".")[0] == "unmix" and "." not in qualified:
        kind = getattr(importlib.import_module(module), qualified, None)
        if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
            return kind
    raise ValueError(f"it names the type {json.dumps(name)}, which is no state of unmix")
