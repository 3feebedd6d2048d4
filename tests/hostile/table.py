"""Estimators × inputs."""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import has_fit_parameter

from tests.hostile.inputs import FITTED, NEW, WEIGHTS
from tests.hostile.outcome import answers
from tests.relations.subjects import SUBJECTS

SUBJECT_NAMES = list(SUBJECTS)
CASES = [*FITTED, *NEW, *WEIGHTS]


@cache
def _good(name: str) -> tuple[np.ndarray, Any]:
    """The good table, and the model fitted to it."""
    subject = SUBJECTS[name]
    X = subject.table(subject.n, np.random.default_rng(0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return X, subject.make(1.0).fit(X)


def outcome(name: str, case: str, folder: Path) -> str | None:
    """None where the estimator took it well: by a right answer or by a clear sentence."""
    X, model = _good(name)
    if case in WEIGHTS:
        if not has_fit_parameter(model, "sample_weight"):
            return None
        return answers(SUBJECTS[name].make(1.0), X, True, WEIGHTS[case](len(X)))
    made = (FITTED | NEW)[case](np.array(X), folder)
    return answers(SUBJECTS[name].make(1.0) if case in FITTED else model, made, case in FITTED)
