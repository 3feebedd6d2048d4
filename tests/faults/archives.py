"""Damaged and crafted models and checkpoints: refused in one sentence, or the same to the bit; never a crash."""

from __future__ import annotations

import signal
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import unmix
from tests.faults.child import in_child
from tests.faults.damage import crafted, damaged
from tests.faults.part import Case, is_sentence, short_of
from tests.forms import spread
from tests.relations.subjects import SUBJECTS
from unmix.shell.persistence import CLASSES

ITERATIONS = 50  # of fits that are cut off and taken up again
METHODS = ("predict", "transform", "predict_proba", "score_samples")
PLAIN = (ValueError, TypeError, NotImplementedError)  # what a user's own input may raise too


def subjects(short: bool) -> list[str]:
    names = [name for name, subject in SUBJECTS.items() if type(subject.make(1.0)).__name__ in CLASSES]
    return sorted(names, key=spread)[:3] if short else names


def table_of(name: str) -> np.ndarray:
    return SUBJECTS[name].table(SUBJECTS[name].n, np.random.default_rng(0))


def estimator(name: str, iterations: int) -> Any:
    """At most so many: what is tried does not hang on how far a fit comes, and hundreds of fits take minutes."""
    made = SUBJECTS[name].make(1.0)
    if "max_iter" in made.get_params():
        made.set_params(max_iter=min(made.max_iter or iterations, iterations))
    return made


def bits(value: Any) -> Any:
    """What can be compared: arrays as bytes, models as their attributes."""
    if hasattr(value, "tocsr"):
        value = value.toarray()
    if isinstance(value, np.ndarray):
        return (value.dtype.str, value.shape, value.tobytes())
    if isinstance(value, list | tuple):
        return [bits(part) for part in value]
    return repr(value)


def fitted_bits(model: Any) -> dict[str, Any]:
    return {name: bits(value) for name, value in vars(model).items() if name.endswith("_") and name != "trace_"}


def models(folder: Path, short: bool) -> Iterator[Case]:
    """Each in a process of its own, as a crash is what is looked for."""
    for name in subjects(short):
        ended = in_child(lambda name=name: list(_model_cases(name, folder, short)))
        yield from told(f"model {name}", ended)


def checkpoints(folder: Path, short: bool) -> Iterator[Case]:
    for name in subjects(short):
        ended = in_child(lambda name=name: list(_checkpoint_cases(name, folder, short)))
        yield from told(f"checkpoint {name}", ended)


def told(what: str, ended: Any) -> Iterator[Case]:
    if ended.signal is not None:
        yield what, f"the process ended by {signal.Signals(ended.signal).name}"
    elif ended.error is not None:
        yield what, ended.error
    else:
        yield from ((f"{what}, {case}", problem) for case, problem in ended.value)


def _model_cases(name: str, folder: Path, short: bool) -> Iterator[Case]:
    warnings.simplefilter("ignore")
    X, path = table_of(name), folder / "model.unmix"
    SUBJECTS[name].make(1.0).fit(X).save(path)
    whole, expected = path.read_bytes(), fitted_bits(unmix.load(path))
    for case, data in damaged(whole, 2 if short else 6):
        path.write_bytes(data)
        yield case, _loaded_wrong(path, expected)
    for case, data in crafted(whole, 8 if short else 60):
        path.write_bytes(data)
        yield f"crafted {case}", _used_wrong(path, X)


def _loaded_wrong(path: Path, expected: dict[str, Any]) -> str | None:
    try:
        found = fitted_bits(unmix.load(path))
    except Exception as error:
        return _unclear(error, path)
    return None if found == expected else "a damaged file was loaded as another model"


def _used_wrong(path: Path, X: np.ndarray) -> str | None:
    """A crafted model may answer oddly, but it must answer or refuse."""
    try:
        model = unmix.load(path)
    except Exception as error:
        return _unclear(error, path)
    for method in METHODS:
        try:
            getattr(model, method, lambda X: None)(X)
        except PLAIN:
            continue
        except Exception as error:
            return f"{method}: {short_of(error)}"
    return None


def _unclear(error: Exception, path: Path) -> str | None:
    clear = isinstance(error, ValueError) and path.name in str(error) and is_sentence(str(error))
    return None if clear else short_of(error)


class StopHereError(Exception):
    """Raised by an observer, to leave a checkpoint behind."""


def _checkpoint_cases(name: str, folder: Path, short: bool) -> Iterator[Case]:
    warnings.simplefilter("ignore")
    X, path = table_of(name), folder / "fit.checkpoint"
    path.unlink(missing_ok=True)  # of a process before that did not come to its end
    expected = fitted_bits(estimator(name, ITERATIONS).fit(X))

    def stop(record: Any) -> None:
        if path.exists():
            raise StopHereError

    try:
        with unmix.execution(checkpoint=path, checkpoint_seconds=0, observe=stop):
            estimator(name, ITERATIONS).fit(X)
    except StopHereError:
        pass
    if not path.exists():
        return  # a fit in one go saves nothing
    whole = path.read_bytes()
    for case, data in damaged(whole, 1 if short else 3):
        path.write_bytes(data)
        yield case, _resumed_wrong(name, X, path, expected)
    for case, data in crafted(whole, 6 if short else 30):
        path.write_bytes(data)
        yield f"crafted {case}", _resumed_wrong(name, X, path, None)
    path.unlink(missing_ok=True)


def _resumed_wrong(name: str, X: np.ndarray, path: Path, expected: dict[str, Any] | None) -> str | None:
    """The values of a crafted state are believed, so that only a damaged one must give the same bits."""
    try:
        with unmix.execution(checkpoint=path):
            model = estimator(name, ITERATIONS).fit(X)
    except Exception as error:
        crafted_state = expected is None and isinstance(error, (*PLAIN, ArithmeticError, np.linalg.LinAlgError))
        return None if crafted_state else _unclear(error, path)
    if expected is not None and fitted_bits(model) != expected:
        return "a damaged checkpoint was resumed to another model"
    return None
