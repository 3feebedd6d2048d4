"""How an estimator takes a hostile input: what it answers, or what it says."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

METHODS = ("predict", "transform", "predict_proba", "score_samples", "score")
# Sentences of libraries below ours that tell a user neither what was wrong here nor what to do.
RAW = ("could not convert string to float: '/", 'could not convert string to float: "/', "ufunc", "broadcast")


def answers(estimator: Any, X: Any, fit: bool, weights: Any = None) -> str | None:
    """None where all is well, else what is not."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", UserWarning)
        try:
            given = {} if weights is None else {"sample_weight": weights}
            model = clone(estimator).fit(X, **given) if fit else estimator
            problems = list(_not_finite(model, X, fit))
        except (ValueError, TypeError, FileNotFoundError, NotImplementedError) as error:
            return _unclear(error)
        except Exception as error:
            return f"{type(error).__name__}: {str(error)[:90]} [{_place(error)}]"
    return problems[0] if problems else None


def _not_finite(model: Any, X: Any, fit: bool) -> Iterator[str]:
    """Fitted numbers and answers that are no numbers."""
    if fit:
        for name, value in vars(model).items():
            if name.endswith("_") and not name.startswith("_") and _has_nan(value):
                yield f"{name} holds NaN"
    for method in METHODS:
        if hasattr(model, method) and _has_nan(getattr(model, method)(X)):
            yield f"{method} gives NaN"


def _has_nan(value: Any) -> bool:
    value = value.data if sparse.issparse(value) else value
    if not isinstance(value, (np.ndarray, np.floating, float)):
        return False
    value = np.asarray(value)
    return value.dtype.kind == "f" and bool(np.isnan(value).any())


def _unclear(error: Exception) -> str | None:
    """A sentence of ours, or of scikit-learn's checks of input, is what was wanted; an error from deeper is not."""
    place, text = _place(error), str(error)
    ours = any(room in _file(error) for room in ("/src/unmix/", "/unmix/", "sklearn/utils", "sklearn/base"))
    if not ours or any(word in text for word in RAW) or len(text) < 12:
        return f"{type(error).__name__}: {text[:90]} [{place}]"
    return None


def _file(error: Exception) -> str:
    return Path(traceback.extract_tb(error.__traceback__)[-1].filename).as_posix()


def _place(error: Exception) -> str:
    line = traceback.extract_tb(error.__traceback__)[-1].lineno
    return "/".join(_file(error).split("/")[-3:]) + f":{line}"
