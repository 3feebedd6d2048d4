"""Generalization ability: new users show some permissions, get roles by them, and the roles predict the rest.

G = mean over new users i of Σ_{j hidden} |x_ij - x̂_ij| / (number hidden); Frank, Buhmann & Basin, SACMAT 2010.
"""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from unmix.core.arguments import whole_number
from unmix.core.canonical import canonical
from unmix.core.random import spawn
from unmix.roles.access.grants import is_sparse


class Generalization(NamedTuple):
    """``error`` is G; ``over`` the part of it that gives too much, ``under`` the part that gives too little."""

    error: float
    over: float
    under: float


def generalization(
    model: Any, X: Any, *, truth: Any = None, shown: float = 0.5, n_repeats: int = 5, random_state: int = 0
) -> Generalization:
    """Generalization ability of fitted roles on the new users X.

    Parameters
    ----------
    model : fitted Boolean estimator
    X : matrix of 0 and 1, new users × permissions
    truth : matrix like X, optional
        What predictions are compared with, where it is known without noise; X otherwise.
    shown : float, default=0.5
        Share of the permissions by which the users get their roles, the same ones for all users of a repeat.
    n_repeats : int, default=5
        Numbers of draws of the shown permissions.
    random_state : int, default=0

    Returns
    -------
    Generalization
        The error G, and its two parts: over-entitlement and under-entitlement, as shares of the hidden entries.
    """
    if not isinstance(shown, Real) or not 0 < shown < 1:
        raise ValueError(f"shown={shown!r}: give a share between 0 and 1")
    whole_number("n_repeats", n_repeats, 1)
    dense = _dense(X if truth is None else truth)
    d = dense.shape[1]
    if d < 2:
        raise ValueError("X has one permission; generalization shows some and predicts others, so give two or more")
    n_shown = min(max(round(shown * d), 1), d - 1)
    over = under = 0.0
    for repeat in range(n_repeats):
        mask = np.zeros(d, dtype=bool)
        mask[spawn(random_state, repeat).permutation(d)[:n_shown]] = True
        guess = np.asarray(model.complete(X, mask))[:, ~mask] > 0.5
        hidden = dense[:, ~mask] > 0.5
        over += float((guess & ~hidden).mean()) / n_repeats
        under += float((~guess & hidden).mean()) / n_repeats
    return Generalization(over + under, over, under)


class RoleNumber(NamedTuple):
    """The number chosen, all numbers tried, their errors (numbers, folds), and the estimator fitted to all users."""

    n_roles: int
    candidates: list[int]
    errors: np.ndarray
    estimator: Any


def select_n_roles(
    estimator: Any,
    X: Any,
    candidates: Iterable[int] = range(1, 11),
    *,
    n_folds: int = 5,
    shown: float = 0.5,
    random_state: int = 0,
) -> RoleNumber:
    """The number of roles that predicts new users best.

    Users are left out in turn and predicted by the roles of the others (`generalization`). Of all numbers whose mean
    error is within one standard error (over folds) of the least, the smallest is chosen.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.roles import HammingKMeans, select_n_roles
    >>> X = np.repeat([[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]], 10, axis=0)
    >>> select_n_roles(HammingKMeans(random_state=0), X, [1, 2, 3]).n_roles
    2
    """
    numbers = sorted(set(candidates))
    if not numbers:
        raise ValueError("candidates is empty: give at least one number of roles")
    whole_number("n_folds", n_folds, 2)
    X = canonical(X) if is_sparse(X) else _dense(X)
    n = X.shape[0]
    if n < n_folds:
        raise ValueError(f"n_folds={n_folds}, but there are {n} users; ask for fewer folds")
    fold = spawn(random_state, 10**6).permutation(np.arange(n) % n_folds)
    errors = np.empty((len(numbers), n_folds))
    for f in range(n_folds):
        for row, number in enumerate(numbers):
            model = clone(estimator).set_params(n_roles=number).fit(X[fold != f])
            errors[row, f] = generalization(model, X[fold == f], shown=shown, random_state=random_state + f).error
    means = errors.mean(axis=1)
    doubt = np.sqrt(errors.var(axis=1, ddof=1).mean() / n_folds)  # pooled: that of one number rests on few folds
    within = means <= means.min() + doubt + 1e-12
    chosen = numbers[int(np.flatnonzero(within)[0])]
    return RoleNumber(chosen, numbers, errors, clone(estimator).set_params(n_roles=chosen).fit(X))


def _dense(X: Any) -> np.ndarray:
    return X.toarray() if is_sparse(X) else np.asarray(X)
