"""The discrete basis problem by association: roles are permissions that come together, chosen greedily (Asso).

a(j => j') = <x_j, x_j'> / <x_j, x_j> is the share of holders of j that hold j'; candidate j grants where a ≥ τ.
"""

from __future__ import annotations

from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from unmix.core.arguments import whole_number
from unmix.roles.access.grants import Grants, dense_pieces, join_equal, pack
from unmix.roles.classical.best_assignment import EVEN, Worth, best_role_sets, boolean_product
from unmix.roles.classical.boolean_estimator import BooleanEstimator

TAUS = np.round(np.arange(0.2, 1.01, 0.1), 1)


class Basis(NamedTuple):
    roles: np.ndarray
    gain: float
    tau: float


def association(rows: Any, weights: np.ndarray) -> np.ndarray:
    """a (d, d); a permission nobody has leads to nothing."""
    together = np.zeros((rows.shape[1], rows.shape[1]))
    begin = 0
    for piece in dense_pieces(rows):
        together += piece.T @ (piece * weights[begin : begin + len(piece), None])
        begin += len(piece)
    holders = np.diag(together).copy()
    return together / np.where(holders > 0, holders, 1)[:, None]


def as_words(rows: Any) -> np.ndarray:
    """Rows as 64-bit words."""
    packed = pack(rows)
    out = np.zeros((len(packed), -(-packed.shape[1] // 8) * 8), dtype=np.uint8)
    out[:, : packed.shape[1]] = packed
    return np.ascontiguousarray(out).view(np.uint64)


def greedy(
    rows: Any,
    weights: np.ndarray,
    candidates: np.ndarray,
    k: int,
    worth: Worth = EVEN,
    covered: np.ndarray | None = None,
) -> np.ndarray:
    """At most k candidates, each the one that gains the most at its turn; ends where none gains.

    Entries that are ``covered`` already gain and cost nothing.
    """
    from unmix.roles.classical.discrete_basis_kernel import candidate_gains, cover_with

    everything = as_words(np.ones((1, rows.shape[1])))
    ones = as_words(rows)
    zeros = ~ones & everything
    if covered is not None:
        ones, zeros = ones & ~as_words(covered), zeros & ~as_words(covered)
    masks, gains = as_words(candidates), np.zeros(len(candidates))
    chosen: list[int] = []
    users = np.arange(len(ones))
    while len(chosen) < min(k, len(candidates)):
        candidate_gains(ones, zeros, weights, users, masks, *worth, gains)
        best = int(gains.argmax())
        if gains[best] <= 0:
            break
        chosen.append(best)
        held, before = np.zeros(len(ones)), (ones.copy(), zeros.copy())
        cover_with(ones, zeros, masks[best], *worth, held)
        users = np.flatnonzero(held)  # the gains by all others stay as they are
        candidate_gains(*before, -weights, users, masks, *worth, gains)
    return candidates[chosen]


def refit(rows: np.ndarray, weights: np.ndarray, roles: np.ndarray, rounds: int, worth: Worth) -> np.ndarray:
    """Alternate: users to their best roles, and each role in turn to the permissions it should grant given the rest."""
    value = worth.of(rows) * weights[:, None]
    held = best_role_sets(rows, roles, worth=worth)
    best = gained(value, held, roles)
    for _ in range(rounds):
        new = refit_roles(value, held, roles)
        held = best_role_sets(rows, new, worth=worth)
        gain = gained(value, held, new)
        if gain <= best:
            break
        best, roles = gain, new
    return roles


def refit_roles(value: np.ndarray, held: np.ndarray, roles: np.ndarray) -> np.ndarray:
    """Each role in turn with the permissions that are worth more than nothing where no other role gives them."""
    new, depth = roles.copy(), held @ roles
    for k in range(len(new)):
        users = np.flatnonzero(held[:, k])
        others = depth[users] - new[k]
        new[k] = (value[users] * (others < 0.5)).sum(axis=0) > 0
        depth[users] = others + new[k]
    return new


def gained(value: np.ndarray, held: np.ndarray, roles: np.ndarray) -> float:
    """R = w⁺ #(ones covered) - w⁻ #(zeros covered), over weighted users."""
    return float((value * boolean_product(held, roles)).sum())


def find_basis(
    rows: Any, weights: np.ndarray, k: int, *, taus: list[float] | None = None, worth: Worth = EVEN, rounds: int = 20
) -> Basis:
    """At most k roles by the best of the thresholds, refitted; one empty role where none gains."""
    share, dense = association(rows, weights), np.concatenate(list(dense_pieces(rows)))
    value = worth.of(dense) * weights[:, None]
    found, seen = [], set()
    for tau in TAUS.tolist() if taus is None else taus:
        candidates = join_equal((share >= tau - 1e-12).astype(np.float64), None).rows
        roles = greedy(rows, weights, candidates, k, worth)
        if roles.tobytes() not in seen:
            seen.add(roles.tobytes())
            found.append(Basis(roles, gained(value, best_role_sets(dense, roles, worth=worth), roles), tau))
    best = max(found, key=lambda basis: basis.gain)
    roles = refit(dense, weights, best.roles, rounds, worth) if len(best.roles) else np.zeros((1, rows.shape[1]))
    return Basis(roles, gained(value, best_role_sets(dense, roles, worth=worth), roles), best.tau)


class DiscreteBasis(BooleanEstimator):
    """Boolean factorization of small error: the discrete basis problem (DBPsolver, Asso).

    Maximises ``R = w⁺ #(ones covered) - w⁻ #(zeros covered)`` over n_roles Boolean roles U and assignments Z; covered
    is what Z ⊗ U grants, and with w⁺ = w⁻ this is the least error ``|X - Z ⊗ U|``. Candidates are the rows of the
    matrix of associations cut at τ. Roles are taken one by one, each the candidate that adds most to R over the users
    for whom it adds; counted on bits, O(n d² / 64) a role. Then users and roles are refitted in turn as long as R
    rises. Users, those of the fit and new ones, get the roles of largest R, the best of all sets up to twelve roles.

    Parameters
    ----------
    n_roles : int, default=4
        The number of roles, K.
    tau : float in (0, 1] or "auto", default="auto"
        Least association. "auto" tries 0.2, 0.3 … 1 and keeps the largest R.
    reward, penalty : float, default=1
        w⁺ and w⁻. Only their ratio matters: twice the penalty is the care of one who would rather leave out two grants
        than give one too many.
    refit : int, default=20
        Most rounds of refitting; 0 is the greedy choice alone.
    threshold : float or None, default=None
        Entries above it are grants. None expects 0 and 1, and warns where other values are cut at one half.

    Attributes
    ----------
    roles_ : ndarray of shape (n_roles, d)
        Fewer than asked for where no further role gains.
    assignments_ : ndarray of shape (n, n_roles)
    tau_ : float
    gain_ : float
        R over the users of the fit, each with its weight.
    error_ : float
        Number of differing entries, users with their weights, whatever w⁺ and w⁻ are.
    n_features_in_ : int

    References
    ----------
    Miettinen, Mielikäinen, Gionis, Das & Mannila, The discrete basis problem, IEEE TKDE 20 (2008).

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.roles import DiscreteBasis
    >>> X = [[1, 1, 0, 0], [1, 1, 1, 1], [0, 0, 1, 1], [1, 1, 0, 0]]
    >>> model = DiscreteBasis(2).fit(X)
    >>> model.roles_.astype(int)
    array([[1, 1, 0, 0],
           [0, 0, 1, 1]])
    >>> model.error_
    0.0
    """

    def __init__(self, n_roles=4, *, tau="auto", reward=1.0, penalty=1.0, refit=20, threshold=None):
        self.n_roles = n_roles
        self.tau = tau
        self.reward = reward
        self.penalty = penalty
        self.refit = refit
        self.threshold = threshold

    def _learn(self, grants: Grants, seed: int) -> np.ndarray:
        taus = None if isinstance(self.tau, str) else [float(self.tau)]
        rows, weights = grants.counted
        found = find_basis(rows, weights, self.n_roles, taus=taus, worth=self._worth, rounds=self.refit)
        granted = boolean_product(best_role_sets(rows, found.roles, worth=self._worth), found.roles)
        ones, covered = weights @ np.asarray(rows.sum(axis=1)).ravel(), weights @ granted.sum(axis=1)
        agreed = weights @ np.asarray((rows * granted).sum(axis=1)).ravel()
        self.tau_ = found.tau
        self.gain_ = float(self.reward * agreed - self.penalty * (covered - agreed))
        self.error_ = float(ones + covered - 2 * agreed)  # |x - g| = x + g - 2 x g for bits
        return found.roles

    @property
    def _worth(self) -> Worth:
        self._check_worth()  # they may have been changed since, or come from a file
        return Worth.like(float(self.reward), float(self.penalty))

    def _assign(self, rows: Any) -> np.ndarray:
        return best_role_sets(rows, self.roles_.astype(np.float64), worth=self._worth)

    def _complete(self, rows: Any, shown: np.ndarray) -> np.ndarray:
        roles = self.roles_.astype(np.float64)
        return boolean_product(best_role_sets(rows, roles, shown, worth=self._worth), roles)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if not (self.tau == "auto" if isinstance(self.tau, str) else isinstance(self.tau, Real) and 0 < self.tau <= 1):
            raise ValueError(f"tau={self.tau!r}: give a number above 0 and up to 1, or 'auto'")
        self._check_worth()
        whole_number("refit", self.refit, 0)

    def _check_worth(self) -> None:
        for name in ("reward", "penalty"):
            value = getattr(self, name)
            if not isinstance(value, Real) or not 0 < value < np.inf:
                raise ValueError(f"{name}={value!r}: give a number above 0")
