"""Parameters changed after a fit, as a file from a stranger may hold them: every method answers or refuses."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.faults.archives import ITERATIONS, METHODS, PLAIN, estimator, subjects, table_of, told
from tests.faults.child import in_child
from tests.faults.damage import HOSTILE
from tests.faults.part import Case, short_of

BEYOND_JSON: tuple[Any, ...] = (float("nan"), float("inf"), -float("inf"), b"", object())


def parameters(folder: Path, short: bool) -> Iterator[Case]:
    """Each model in a process of its own, as a crash is what is looked for."""
    for name in subjects(short):
        ended = in_child(lambda name=name: list(_cases(name)))
        yield from told(f"parameter of {name}", ended)


def _cases(name: str) -> Iterator[Case]:
    warnings.simplefilter("ignore")
    X = table_of(name)
    model = estimator(name, ITERATIONS).fit(X)
    for parameter in model.get_params(deep=False):
        for value in (*HOSTILE, *BEYOND_JSON):
            changed = copy.copy(model)
            setattr(changed, parameter, value)
            yield f"{parameter} = {str(value)[:20]!r}", used_wrong(changed, X)


def used_wrong(model: Any, X: Any) -> str | None:
    """An odd model may answer oddly, but it must answer or refuse."""
    for method in METHODS:
        try:
            getattr(model, method, lambda X: None)(X)
        except PLAIN:
            continue
        except Exception as error:
            return f"{method}: {short_of(error)}"
    return None
