"""Held-out entries of a table, told from the others.

blocks    X = [A B; C D] by rows and columns. The model is fitted on D; codes of the rows of D and B follow from it;
          regressing C on the codes of D tells A from those of B:  Â = Z_B Z_D⁺ C  (for an SVD Â = B D_k⁺ C).
          Gabriel 2002; Owen and Perry 2009 (SVD, NMF); Fu and Perry 2020 (K-means, codes = clusters).
missing   entries are made NaN, for models that can take NaN, and read off the reconstruction (Wold 1978).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import get_tags

from unmix.validation.evidence.density import turned_back
from unmix.validation.fits.no_structure import labels_rows, predicts_entries
from unmix.validation.fits.refit import labels_of, transfer
from unmix.validation.fits.weighted_refit import weighted_refit


def takes_missing(estimator: Any) -> bool:
    """It can be fitted on NaN and tells what should be there."""
    predicted = hasattr(estimator, "inverse_transform") or predicts_entries(estimator)
    return predicted and takes_gaps(ignoring(estimator))


def ignoring(estimator: Any) -> Any:
    """The same model, to which NaN are cells that were not observed, where it (or a step of it) has the choice."""
    if not hasattr(estimator, "get_params"):
        return estimator
    words = {name: value for name, value in estimator.get_params().items() if name.rpartition("__")[2] == "missing"}
    refusing = [name for name, value in words.items() if isinstance(value, str) and value == "error"]
    return clone(estimator).set_params(**dict.fromkeys(refusing, "ignore")) if refusing else estimator


def takes_gaps(estimator: Any) -> bool:
    """It can be fitted on NaN."""
    try:
        return bool(get_tags(estimator).input_tags.allow_nan)
    except (AttributeError, TypeError):
        return False


def block_errors(
    estimator: Any, X: np.ndarray, rows: np.ndarray, columns: np.ndarray, seed: int, weight: np.ndarray | None = None
) -> np.ndarray:
    """Squared errors of the block A = X[rows][:, columns] (masks), told from the rest."""
    A, B = X[np.ix_(rows, columns)], X[np.ix_(rows, ~columns)]
    C, D = X[np.ix_(~rows, columns)], X[np.ix_(~rows, ~columns)]
    known_weight = None if weight is None else weight[~rows]
    model = weighted_refit(estimator, D, seed, known_weight)
    known, new, intercept = codes(model, D, B)
    if intercept:
        known, new = (np.column_stack([np.ones(len(Z)), Z]) for Z in (known, new))
    if known_weight is not None:
        known, C = (np.sqrt(known_weight)[:, None] * table for table in (known, C))
    return (A - new @ np.linalg.lstsq(known, C, rcond=None)[0]) ** 2


def codes(model: Any, X: np.ndarray, X_new: np.ndarray) -> tuple[np.ndarray, np.ndarray, bool]:
    """Codes of fitted and new rows, and whether the model adds a constant to what they say."""
    if hasattr(model, "inverse_transform") and hasattr(model, "transform"):
        Z, Z_new = (np.asarray(model.transform(rows), dtype=np.float64) for rows in (X, X_new))
        return Z, Z_new, bool(np.any(turned_back(model, np.zeros((1, Z.shape[1]), dtype=X.dtype))))
    if hasattr(model, "predict_proba"):
        return model.predict_proba(X), model.predict_proba(X_new), False
    if not labels_rows(model):
        if not hasattr(model, "transform"):
            raise TypeError(
                f"{type(model).__name__} has neither codes (transform) nor labels to predict hidden entries from; "
                "give CrossValidation('rows')"
            )
        Z, Z_new = (np.asarray(model.transform(rows), dtype=np.float64) for rows in (X, X_new))
        return Z, Z_new, True
    labels = labels_of(model, X)
    names = np.unique(labels)
    carried = transfer(model, X, labels, X_new)
    return (labels[:, None] == names).astype(float), (carried[:, None] == names).astype(float), False


def missing_errors(
    estimator: Any, X: np.ndarray, hidden: np.ndarray, seed: int, weight: np.ndarray | None = None
) -> np.ndarray:
    """Squared errors of the hidden entries (a mask), told by a model of the others."""
    table = np.where(hidden, np.nan, X)
    model = weighted_refit(ignoring(estimator), table, seed, weight)
    if hasattr(model, "held_out_errors"):  # which knows how columns of several kinds compare
        return np.asarray(model.held_out_errors(X, hidden, sample_weight=weight)[hidden])
    predicted = model.predict(table) if predicts_entries(model) else turned_back(model, model.transform(table))
    return (X - predicted)[hidden] ** 2
