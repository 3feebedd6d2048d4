"""What a fitted model says, and when two answers are one: groups have no names, components no order and no sign."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment


class Asked(NamedTuple):
    """Rows that a model is asked about: those at `places` of the table it was fitted to."""

    rows: Any
    places: np.ndarray


class Answer(NamedTuple):
    """A question to a model, how its answers are compared, and what they become in another unit."""

    ask: Callable[[Any, Asked], Any]
    differ: Callable[[np.ndarray, np.ndarray], float]
    rescale: Callable[[np.ndarray, float, int], np.ndarray]
    of_rows: bool = True  # one line of the answer for each row asked about
    of_columns: bool = False  # one column of the answer for each column of the table
    of_fit: bool = False  # about the rows of the fitted table alone, not about any rows one asks about


def difference(a: np.ndarray, b: np.ndarray) -> float:
    """The largest difference, as a share of the largest value."""
    if a.shape != b.shape or not np.array_equal(np.isfinite(a), np.isfinite(b)):
        return np.inf
    a, b = (np.where(np.isfinite(x), x, 0.0).astype(float) for x in (a, b))
    return float(np.abs(a - b).max(initial=0.0) / (max(np.abs(a).max(initial=0.0), np.abs(b).max(initial=0.0)) or 1.0))


def moved(a: np.ndarray, b: np.ndarray) -> float:
    """The share of pairs of rows that are together in one labelling and apart in the other."""
    if len(a) != len(b):
        return np.inf
    return float(np.mean(np.equal.outer(a, a) != np.equal.outer(b, b)))


def unmatched(a: np.ndarray, b: np.ndarray) -> float:
    """The difference once columns of `b` are put in the order, and given the signs, that agree best with `a`."""
    if a.shape != b.shape or not (np.isfinite(a).all() and np.isfinite(b).all()):
        return np.inf
    a, b = a.astype(float), b.astype(float)
    size = max(np.abs(a).max(initial=0.0), np.abs(b).max(initial=0.0)) or 1.0
    alike = (a / size).T @ (b / size)
    _, order = linear_sum_assignment(-np.abs(alike))
    signs = np.where(alike[np.arange(len(order)), order] < 0, -1.0, 1.0)
    return difference(a, b[:, order] * signs)


def apart(a: np.ndarray, b: np.ndarray) -> float:
    """The difference between the distances of rows, for coordinates that may be turned."""
    return difference(*(np.linalg.norm(x[:, None].astype(float) - x, axis=2) for x in (a, b)))


def power(exponent: float) -> Callable[[np.ndarray, float, int], np.ndarray]:
    return lambda value, factor, d: value * factor**exponent


def log_density(value: np.ndarray, factor: float, d: int) -> np.ndarray:
    return value - d * np.log(factor)


def grouping(method: str = "predict") -> Answer:
    if method == "labels_":
        return Answer(lambda model, asked: model.labels_[asked.places], moved, power(0), of_fit=True)
    return Answer(lambda model, asked: getattr(model, method)(asked.rows), moved, power(0))


def rows(
    method: str, exponent: float = 1, differ: Callable[..., float] = difference, of_columns: bool = False
) -> Answer:
    return Answer(
        lambda model, asked: getattr(model, method)(asked.rows), differ, power(exponent), of_columns=of_columns
    )


def number(name: str, exponent: float) -> Answer:
    return Answer(lambda model, asked: np.atleast_1d(getattr(model, name)), difference, power(exponent), of_rows=False)


def fitted_rows(
    name: str, exponent: float, differ: Callable[..., float] = difference, of_columns: bool = False
) -> Answer:
    """An attribute with a line for each row of the fitted table."""
    return Answer(
        lambda model, asked: np.asarray(getattr(model, name))[asked.places],
        differ,
        power(exponent),
        of_columns=of_columns,
        of_fit=True,
    )


def reconstruction(exponent: float = 1) -> Answer:
    """The rows as the model has them: the same whatever order, sign or size its components have."""
    return Answer(
        lambda model, asked: model.inverse_transform(model.transform(asked.rows)),
        difference,
        power(exponent),
        of_columns=True,
    )


def predicted_ratings() -> Answer:
    """All ratings of the users asked about; a table with gaps is asked for in full."""

    def ask(model: Any, asked: Asked) -> np.ndarray:
        users, items = np.indices((len(asked.places), model.n_features_in_))
        return model.predict(asked.places[users.ravel()], items.ravel()).reshape(users.shape)

    return Answer(ask, difference, power(1), of_columns=True, of_fit=True)


def density(per_unit: bool = True) -> Answer:
    """Log density, which is per unit of the table; log probabilities of levels are not."""
    rescale = log_density if per_unit else power(0)
    return Answer(lambda model, asked: model.score_samples(asked.rows), difference, rescale)


def choice() -> Answer:
    """Which grid point a criterion prefers."""
    return Answer(lambda model, asked: np.array([model.choice_]), difference, power(0), of_rows=False)


def criterion_values() -> Answer:
    """How far the values of a criterion lie from the best: differences of log likelihoods have no unit."""

    def ask(model: Any, asked: Asked) -> np.ndarray:
        return model.values_ - np.nanmin(model.values_)

    return Answer(ask, difference, power(0), of_rows=False)
