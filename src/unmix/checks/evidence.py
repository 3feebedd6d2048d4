"""What the checks share: reports of broken promises, what two values are compared by, and whether one was changed."""

from __future__ import annotations

import hashlib
import warnings
from typing import Any

import numpy as np

from unmix.costs.base import n_objects

DEEPEST = 8  # parts within parts that are looked at
TOLERANCE = 1e-6  # of the size of what is compared


def require(kept: Any, broken: str) -> None:
    """Raise an AssertionError with this sentence unless the promise is kept; `python -O` does not silence it."""
    if not bool(kept):
        raise AssertionError(broken)


def require_close(found: Any, true: Any, broken: str, scale: float = 0.0) -> None:
    """Equal up to rounding, relative to the larger of `scale` and the true values."""
    found, true = np.asarray(found, np.float64), np.asarray(true, np.float64)
    require(found.shape == true.shape, f"{broken}: shape {found.shape}, expected {true.shape}")
    require(np.isfinite(found).all(), f"{broken}: {np.count_nonzero(~np.isfinite(found))} values are NaN or infinite")
    worst = float(np.abs(found - true).max(initial=0.0))
    size = max(float(np.abs(true).max(initial=0.0)), scale)
    require(worst <= TOLERANCE * size or worst == 0, f"{broken}: they differ by up to {worst:.3g}")


def fingerprint(value: Any, depth: int = 0) -> Any:
    """Equal for equal contents: says whether a call has changed what it was given."""
    if depth > DEEPEST or value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        return value if depth <= DEEPEST else type(value).__name__
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        content = array.tolist() if array.dtype.hasobject else array.tobytes()
        return array.dtype.str, array.shape, hashlib.blake2b(repr(content).encode()).hexdigest()
    if isinstance(value, dict):
        return tuple((str(name), fingerprint(part, depth + 1)) for name, part in sorted(value.items(), key=str))
    if isinstance(value, (list, tuple)):
        return type(value).__name__, tuple(fingerprint(part, depth + 1) for part in value)
    if hasattr(value, "__dict__"):
        return type(value).__name__, fingerprint(vars(value), depth + 1)
    return type(value).__name__


def changed_parts(before: Any, after: Any) -> str:
    """Names of the attributes in which two fingerprints of an object's `vars` differ."""
    old, new = dict(before), dict(after)
    names = [name for name in {**old, **new} if old.get(name) != new.get(name) or (name in old) != (name in new)]
    return ", ".join(sorted(names))


class Examined:
    """A block in which a part is put to the test: what it raises is a broken promise, warnings are no answer."""

    def __init__(self, words: str) -> None:
        self.words = words

    def __enter__(self) -> Examined:
        self.quiet = warnings.catch_warnings()
        self.quiet.__enter__()
        warnings.simplefilter("ignore")
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.quiet.__exit__(None, None, None)
        if isinstance(error, Exception) and not isinstance(error, AssertionError):
            raise AssertionError(f"{self.words} raises {type(error).__name__}: {error}") from error


class Unchanged:
    """A block in which nothing given may change: each is named, and a change is reported with the name of the call."""

    def __init__(self, call: str, **given: Any) -> None:
        self.call, self.given = call, given

    def __enter__(self) -> Unchanged:
        self.before = {name: fingerprint(value) for name, value in self.given.items()}
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            for name, value in self.given.items():
                same = fingerprint(value) == self.before[name]
                require(same, f"{self.call} changes {name} in place; work on a copy")


class HoldsParameters:
    """A block in which a part may learn nothing: it holds parameters, never data."""

    def __init__(self, part: Any) -> None:
        self.part = part

    def __enter__(self) -> HoldsParameters:
        self.before = fingerprint(getattr(self.part, "__dict__", {}))
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        after = fingerprint(getattr(self.part, "__dict__", {}))
        if kind is None and after != self.before:
            raise AssertionError(
                f"{type(self.part).__name__} keeps something of what it was called with "
                f"({changed_parts(self.before, after)}): a part holds parameters, never data, so that it can be sent "
                "to a worker and used again; return what must be carried"
            )


def take_objects(data: Any, index: np.ndarray) -> Any:
    """These objects of the data of a cost, or None where the data cannot be taken apart object by object."""
    if hasattr(data, "shape"):
        return data[index]
    parts, n = getattr(data, "_fields", ()), n_objects(data)
    held = [getattr(data, name) for name in parts]
    if parts and all(isinstance(part, np.ndarray) and len(part) == n and part.shape[1:] != (n,) for part in held):
        return type(data)(*(part[index] for part in held))
    return None


def leaves(stats: Any) -> list[np.ndarray]:
    """The arrays of statistics, in order; what is None counts for nothing."""
    if stats is None:
        return []
    if isinstance(stats, tuple):
        return [leaf for part in stats for leaf in leaves(part)]
    if hasattr(stats, "__dict__"):
        return [leaf for part in vars(stats).values() for leaf in leaves(part)]
    return [np.asarray(stats)]
