"""Grants that are probably wrong, grants that are probably missing, and users who fit no role, under fitted roles.

P(wrong | x_ij = 1) = Σ_L q_iL [no role of L grants j] P(wrong | c, M), where c of the M users with the roles L have j
(user i among both): more of them than noise accounts for make it a habit of that group, no error (habit.py).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import bdtrc, gammaln, xlog1py, xlogy
from sklearn.utils.validation import check_is_fitted

from unmix.roles.access.grants import dense_pieces
from unmix.roles.classical.best_assignment import boolean_product
from unmix.roles.explanation.habit import learn_habits, surest

LEAST_PROBABILITY = 1e-6  # role sets less probable than this are left out


class Improbable(NamedTuple):
    """One entry of X: ``probability`` of being wrong (or missing), ``peers`` with the same roles, ``having`` it."""

    user: int
    permission: int
    probability: float
    risk: float
    peers: int
    having: int
    n_roles: int
    reason: str


class Misfit(NamedTuple):
    """A user whose entries differ from the roles more often than chance would have it."""

    user: int
    deviations: int
    expected: float
    p_value: float
    n_roles: int


class _View(NamedTuple):
    X: np.ndarray
    q: np.ndarray  # (users, sets)
    granted: np.ndarray  # (sets, permissions), by the Boolean roles
    place: np.ndarray  # the most probable set of each user
    sizes: np.ndarray  # roles in it
    extra_rate: float  # of ones where no role grants
    missing_rate: float  # of zeros where a role grants


def _view(model: Any, X: Any) -> _View:
    check_is_fitted(model)
    rows = np.concatenate([np.asarray(piece, dtype=np.float64) for piece in dense_pieces(model._rows(X))])
    if hasattr(model, "set_probability"):
        sets, q = np.asarray(model.role_sets_, dtype=np.float64), np.asarray(model.set_probability(X), np.float64)
    else:
        held = np.asarray(model.transform(X), dtype=np.float64)
        sets, place = np.unique(held, axis=0, return_inverse=True)
        q = np.eye(len(sets))[place.ravel()]
    granted = boolean_product(sets, model.roles_)
    place = q.argmax(axis=1)
    chance = q @ granted
    extra = float((rows * (1 - chance)).sum() + 0.5) / float((1 - chance).sum() + 1)
    missing = float(((1 - rows) * chance).sum() + 0.5) / float(chance.sum() + 1)
    return _View(rows, q, granted, place, sets.sum(axis=1)[place].astype(int), extra, missing)


def _probabilities(view: _View, wrong_ones: bool) -> np.ndarray:
    """The formula above for all entries, or its mirror image for zeros; 0 where the entry has the other value."""
    value = view.X if wrong_ones else 1 - view.X
    outside = (1 - view.granted if wrong_ones else view.granted) > 0.5
    mass, having = view.q.sum(axis=0), view.q.T @ value
    cells = outside & (mass > 0.5)[:, None]
    habits = learn_habits(having[cells], np.broadcast_to(mass[:, None], having.shape)[cells])
    found = np.zeros(value.shape)
    for index in np.flatnonzero(view.q.max(axis=0, initial=0) > LEAST_PROBABILITY):
        users = np.flatnonzero(view.q[:, index] > LEAST_PROBABILITY)
        rows, columns = np.nonzero(value[users] * outside[index])
        own = view.q[users[rows], index]
        # the user is a full member of the group in question
        ones, size = np.maximum(having[index, columns] - own, 0) + 1, np.maximum(mass[index] - own, 0) + 1
        found[users[rows], columns] += own * np.minimum(habits.wrong(ones, size), surest(size - 1))
    return found


def _ranked(view: _View, wrong_ones: bool, risk: Any, most: int | None) -> list[Improbable]:
    probability = _probabilities(view, wrong_ones)
    d = view.X.shape[1]
    weight = np.ones(d) if risk is None else np.asarray(risk, dtype=np.float64)
    if weight.shape != (d,):
        raise ValueError(f"risk has shape {weight.shape}; give one number for each of the {d} permissions")
    risks = probability * weight
    users, permissions = np.nonzero(risks > 0)
    order = np.lexsort((permissions, users, -risks[users, permissions]))[:most]
    same = np.bincount(view.place, minlength=len(view.granted))
    counts = np.zeros(view.granted.shape)
    np.add.at(counts, view.place, view.X)
    entries = []
    for user, permission in zip(users[order].tolist(), permissions[order].tolist()):
        group = view.place[user]
        peers = int(same[group]) - 1
        having = int(counts[group, permission] - view.X[user, permission])
        n_roles = int(view.sizes[user])
        words = reason(peers, having, n_roles)
        p, r = float(probability[user, permission]), float(risks[user, permission])
        entries.append(Improbable(user, permission, p, r, peers, having, n_roles, words))
    return entries


def reason(peers: int, having: int, n_roles: int, kind: str = "role") -> str:
    """Why an entry stands out.

    >>> reason(43, 0, 5), reason(1, 1, 1)
    ('none of the 43 other users with the same 5 roles has it', 'the only other user with the same role has it')
    """
    same = f"with the same {f'{n_roles} roles' if n_roles > 1 else 'role'}" if n_roles else f"without a {kind}"
    if peers == 0:
        return f"there is no other user {same}"
    if peers == 1:
        return f"the only other user {same} {'has it' if having else 'does not have it'}"
    number = {0: "none", peers: "all"}.get(having, str(having))
    return f"{number} of the {peers} other users {same} {'have' if having > 1 else 'has'} it"


def improbable_grants(model: Any, X: Any, *, risk: Any = None, most: int | None = None) -> list[Improbable]:
    """Grants by their probability of being wrong, times the ``risk`` of the permission, the worst first.

    Parameters
    ----------
    model : fitted Boolean estimator
        `MultiAssignmentClustering` knows how sure the roles of each user are; with others they are taken as sure.
    X : matrix of 0 and 1, users × permissions
    risk : array of shape (d,), optional
        How bad a wrong grant of each permission is.
    most : int, optional
        Return the first so many.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.roles import HammingKMeans, improbable_grants
    >>> X = np.repeat([[1, 1, 1, 0, 0], [0, 0, 0, 1, 1]], 9, axis=0)
    >>> X[2, 4] = 1
    >>> worst = improbable_grants(HammingKMeans(2, random_state=0).fit(X), X)[0]
    >>> worst.user, worst.permission, worst.reason
    (2, 4, 'none of the 8 other users with the same role has it')
    """
    return _ranked(_view(model, X), True, risk, most)


def missing_grants(model: Any, X: Any, *, risk: Any = None, most: int | None = None) -> list[Improbable]:
    """Entries without a grant by the probability that the user should have one; all else as `improbable_grants`."""
    return _ranked(_view(model, X), False, risk, most)


def misfits(model: Any, X: Any, *, level: float = 0.01) -> list[Misfit]:
    """Users who fit no role: more deviations than noise makes, at ``level`` after correction for their number.

    The number of deviations is compared with the sum of two binomials, one for entries the roles grant and one for
    the others. Users without a role who have permissions are among them when these are too many for noise.
    """
    view = _view(model, X)
    granted = view.granted[view.place]
    wrong = np.abs(view.X - granted).sum(axis=1).astype(int)
    found = []
    for user, deviations in enumerate(wrong.tolist()):
        inside = int(granted[user].sum())
        outside = granted.shape[1] - inside
        chance = _tail(deviations, (inside, view.missing_rate), (outside, view.extra_rate))
        if chance * len(wrong) <= level:
            expected = inside * view.missing_rate + outside * view.extra_rate
            found.append(Misfit(user, deviations, expected, chance, int(view.sizes[user])))
    return sorted(found, key=lambda misfit: (misfit.p_value, misfit.user))


def _tail(least: int, first: tuple[int, float], second: tuple[int, float]) -> float:
    """P(A + B ≥ least) for binomials A and B."""
    if least == 0:
        return 1.0
    n, p = first
    a = np.arange(n + 1.0)
    log_law = gammaln(n + 1) - gammaln(a + 1) - gammaln(n - a + 1) + xlogy(a, p) + xlog1py(n - a, -p)
    more = bdtrc(np.minimum(least - a - 1, second[0]), *second)  # P(B > least - a - 1)
    return float(np.clip(np.exp(log_law) @ more, 0.0, 1.0))
