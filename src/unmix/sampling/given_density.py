"""Densities and samplers as users have them: functions of arrays, unmix's and scikit-learn's densities, scipy's laws.

    log density   X of shape (n, d)  ->  log p*(X) of shape (n,), up to a constant
    draw          (n, rng)           ->  X of shape (n, d)

Points are always rows, also in one dimension.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from inspect import signature
from numbers import Real
from typing import Any

import numpy as np

LogDensity = Callable[[np.ndarray], np.ndarray]
Draw = Callable[[int, np.random.Generator], np.ndarray]


def log_density(given: Any, name: str, *, log: bool) -> LogDensity:
    """Log-density of rows. ``log`` says what a plain function returns; objects have ``score_samples`` or ``logpdf``."""
    given = _without_names(given)
    methods = (getattr(given, name, None) for name in ("score_samples", "logpdf", "logpmf"))
    method = next((method for method in methods if method is not None), None)
    if isinstance(given, type) or (method is None and not callable(given)):
        raise ValueError(
            f"{name}={given!r} is not a density; give a function of points (n, d), or an object with score_samples"
        )
    plain = method is None and not log

    def evaluate(X: np.ndarray) -> np.ndarray:
        values = real((method or given)(X), name)
        if values.size != len(X):
            raise ValueError(f"{name} gave shape {values.shape} for points of shape {X.shape}; give one number a row")
        values = values.reshape(len(X))
        wrong = np.isnan(values) | (values == np.inf) | ((values < 0) if plain else False)
        if wrong.any():
            first = int(np.argmax(wrong))
            raise ValueError(
                f"{name} gave {values[first]:.6g} at the point {shown(X[first])}; a density is a finite number, 0 or "
                "more, and its logarithm is finite or -inf" + ("; log=True says that it is a logarithm" * plain)
            )
        if not plain:
            return values
        with np.errstate(divide="ignore"):
            return np.log(values)

    return evaluate


def drawing(given: Any, name: str) -> Draw:
    """A function (n, rng) that draws rows, from one such, or from an object with ``sample`` or ``rvs``."""
    if isinstance(given, type):
        raise ValueError(f"{name}={given!r} is a class; give one of its objects, fitted")
    if hasattr(given, "sample"):
        source = _from_sample(given)
    elif hasattr(given, "rvs"):
        source = lambda n, rng: given.rvs(size=n, random_state=rng)  # noqa: E731
    elif callable(given):
        source = given
    else:
        raise ValueError(f"{name}={given!r} cannot draw; give a function of (n, rng), or an object with sample")

    def draw(n: int, rng: np.random.Generator) -> np.ndarray:
        X = np.asarray(source(n, rng))
        X = X if _has_words(X) else real(X, name)
        X = X.reshape(n, -1) if X.ndim <= 1 and X.size % n == 0 else X
        if X.ndim != 2 or len(X) != n:
            raise ValueError(f"{name} drew an array of shape {X.shape} where {n} points, one a row, were asked for")
        return X

    return draw


def proposal_density(q: Any, *, log: bool) -> tuple[LogDensity, Draw]:
    """Both halves of q: an object that has both, or the pair (density, draw)."""
    if isinstance(q, tuple) and len(q) == 2:
        return log_density(q[0], "the density of q", log=log), drawing(q[1], "the sampler of q")
    if not any(hasattr(q, method) for method in ("sample", "rvs")):
        raise ValueError(
            f"q={q!r} cannot be drawn from; give a pair (density, draw) of functions, or an object with score_samples "
            "and sample"
        )
    return log_density(q, "q", log=log), drawing(q, "q")


def _from_sample(given: Any) -> Draw:
    """Seeds drawn from our own generator: an estimator with a fixed seed would else draw the same block every time.

    Mixtures draw component by component, so the rows are shuffled: any part of them is to follow the law.
    """
    takes_seed = "random_state" in signature(given.sample).parameters

    def draw(n: int, rng: np.random.Generator) -> np.ndarray:
        seed = int(rng.integers(2**31 - 1))
        if takes_seed:
            X = given.sample(n, random_state=seed)
        else:
            twin = copy(given)
            if hasattr(twin, "random_state"):
                twin.random_state = seed
            X = twin.sample(n)
        X = X[0] if isinstance(X, tuple) else X
        return np.asarray(X)[rng.permutation(n)]

    return draw


def _without_names(given: Any) -> Any:
    """A twin that does not ask for the names of the columns it was fitted with: points are arrays here."""
    if "feature_names_in_" not in getattr(given, "__dict__", {}):
        return given
    twin = copy(given)
    del twin.feature_names_in_
    return twin


def _has_words(X: np.ndarray) -> bool:
    """Categories may be words; f and the densities then get them as they are."""
    return X.dtype.kind in "US" or (X.dtype.kind == "O" and any(isinstance(value, str) for value in X.flat))


def real(values: Any, name: str) -> np.ndarray:
    """Numbers as float64; complex ones would lose a part."""
    values = np.asarray(values)
    if values.dtype.kind not in "biufO":
        raise ValueError(f"{name} gave values of type {values.dtype}; give real numbers")
    return values.astype(np.float64, copy=False)


def shown(point: np.ndarray) -> str:
    """A point for a message: its first coordinates."""
    inside = ", ".join(f"{value:.4g}" if isinstance(value, Real) else repr(value) for value in point[:5])
    return f"[{inside}{', …' if len(point) > 5 else ''}]"


def whole(value: Any, name: str, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, Real) or not value >= least or float(value) % 1:
        raise ValueError(f"{name}={value!r}: give a whole number from {least} up")
    return int(float(value))
