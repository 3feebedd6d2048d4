"""Multi-assignment clustering: roles under noise, every user with a set of them, by annealed EM."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from unmix.core.arguments import whole_number, zero_or_more
from unmix.roles.access.grants import Grants
from unmix.roles.classical.boolean_estimator import BooleanEstimator
from unmix.roles.classical.role_sets import in_order, largest_that_fits, role_sets
from unmix.roles.noise.annealed_roles import (
    FIRST_NOISE,
    Data,
    Fit,
    anneal_roles,
    basis_parameters,
    em_at_temperature,
    extend,
)
from unmix.roles.noise.boolean_stage import fit_boolean_roles
from unmix.roles.noise.common_permissions import product_form
from unmix.roles.noise.many_roles import chosen_sets
from unmix.roles.noise.mixture_noise import EDGE, Parameters, chances, log_joint, respond, row_pieces
from unmix.roles.noise.role_moves import improve

MANY_ROLES = 20  # from here on, role sets are those users ask for: there is no annealing over all of them


class MultiAssignmentClustering(BooleanEstimator):
    """Multi-assignment clustering (MAC) with the mixture noise model.

    A user with the set L of roles has permission j with probability

    ``p(x_j = 1 | L) = ε r + (1 - ε) (1 - Π_{k in L} β_kj)``:

    with probability ε the entry is noise (and then granted with probability r), otherwise the OR of what the roles
    grant, role k with probability 1 - β_kj. β, ε, r and the share π_L of every role set maximise the likelihood
    ``Σ_i w_i log Σ_L π_L Π_j p(x_ij | L)``, with some users added to each set. Roles are where β < 1/2.

    EM over all sets of up to ``max_roles_per_user`` roles, annealed from a temperature at which no set is preferred
    down to 1, and followed by moves that drop the role missed least and split the one that fits worst. Last comes EM
    with β of 0 and 1, where ε and r are counted, not shared with β. The E step is one matrix product, O(n d s) for s
    role sets; the M step is EM over the hidden causes of each bit and never lowers the likelihood.

    From twenty roles on, the sets are those that users choose in a Boolean fit of small error, which begins with what
    users have in common, and only the last EM is done, from the noise counted there. Nothing is drawn or annealed
    there, so ``n_init``, ``cooling`` and ``random_state`` have no effect. O(n d) a role, and O(n d s) for the s sets
    that were chosen.

    Parameters
    ----------
    n_roles : int, default=4
        The number of roles.
    max_roles_per_user : int, default=3
        M, the most roles one user can hold.
    n_init : int, default=2
        Annealings from different starts, in turn with little and with much noise. Of these and of EM from the roles of
        `DiscreteBasis` the most likely is kept. Without effect from twenty roles on.
    cooling : float, default=0.8
        Factor between temperatures, below 1. Without effect from twenty roles on.
    moves : int, default=20
        Most moves between optima at the end; 0 is annealing alone. From twenty roles on, most exchanges of the roles
        missed least for others, at most ten.
    max_iter : int, default=100
        Most steps of EM at the last temperature.
    tol : float, default=1e-5
        EM ends when the log-likelihood rises by less than this a user.
    max_sets : int, default=5000
        Where there are more role sets, the largest sets are found by extending those that carry weight; from twenty
        roles on, they are those that most users choose.
    threshold : float or None, default=None
        Entries above it are grants. None expects 0 and 1, and warns where other values are cut at one half.
    random_state : int, RandomState or None, default=None
        Decides the starts; an integer gives the same roles again.

    Attributes
    ----------
    roles_ : ndarray of shape (n_roles, d)
        Permissions of each role, 0 and 1; the role most held first.
    assignments_ : ndarray of shape (n, n_roles)
        The most probable set of roles of each user, 0 and 1.
    absence_ : ndarray of shape (n_roles, d)
        β before it is rounded, the probability that the role does not grant the permission; from twenty roles on, 0
        and 1 but for 1e-9.
    noise_ : float
        ε, the share of entries that are noise.
    noise_granted_ : float
        r, the share of noisy entries that are 1.
    role_sets_ : ndarray of shape (s, n_roles)
    set_weights_ : ndarray of shape (s,)
        π, the share of each role set.
    log_likelihood_ : float
        Of the data.
    n_iter_ : int
        Steps of EM at the end.
    trace_ : list of dict
    n_features_in_ : int

    References
    ----------
    Streich, Frank, Basin & Buhmann, Multi-assignment clustering for Boolean data, ICML 2009.
    Frank, Streich, Basin & Buhmann, Multi-assignment clustering for Boolean data, JMLR 13 (2012).

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.roles import MultiAssignmentClustering
    >>> X = np.array([[1, 1, 0, 0, 0]] * 8 + [[0, 0, 1, 1, 0]] * 8 + [[1, 1, 1, 1, 0]] * 8)
    >>> X[0, 4] = 1  # an exception
    >>> model = MultiAssignmentClustering(2, random_state=0).fit(X)
    >>> model.roles_[np.lexsort(model.roles_.T)].astype(int)
    array([[1, 1, 0, 0, 0],
           [0, 0, 1, 1, 0]])
    >>> model.inverse_transform(model.assignments_)[0].astype(int)
    array([1, 1, 0, 0, 0])
    """

    _n_noise_parameters = 2  # ε and r

    def __init__(
        self,
        n_roles=4,
        *,
        max_roles_per_user=3,
        n_init=2,
        cooling=0.8,
        moves=20,
        max_iter=100,
        tol=1e-5,
        max_sets=5000,
        threshold=None,
        random_state=None,
    ):
        self.n_roles = n_roles
        self.max_roles_per_user = max_roles_per_user
        self.n_init = n_init
        self.cooling = cooling
        self.moves = moves
        self.max_iter = max_iter
        self.tol = tol
        self.max_sets = max_sets
        self.threshold = threshold
        self.random_state = random_state

    def _learn(self, grants: Grants, seed: int) -> np.ndarray:
        data = Data(*grants.counted)
        if self.n_roles >= MANY_ROLES:
            data = Data(product_form(data.rows), data.weights)
            soft = chosen_sets(data, self.n_roles, self.max_roles_per_user, self.max_sets, self.moves)
        else:
            soft = self._best_annealed(data, seed)
        roles, hard, likelihood = fit_boolean_roles(data, soft, self.max_iter, self.tol)
        return self._keep(hard, roles, soft.parameters.absent, likelihood)

    def _best_annealed(self, data: Data, seed: int) -> Fit:
        options = {"most": self.max_iter, "tol": self.tol, "learn_noise": True}
        largest = largest_that_fits(self.n_roles, self.max_roles_per_user, self.max_sets)
        sets = role_sets(self.n_roles, largest)
        fits = [self._one_fit(data, sets, options, seed, start) for start in range(self.n_init)]
        fits.append(self._from_basis(data, sets, options))
        return min(fits, key=lambda fit: fit.cost)

    def _one_fit(self, data: Data, sets: np.ndarray, options: dict[str, Any], seed: int, start: int) -> Fit:
        noise = FIRST_NOISE[start % len(FIRST_NOISE)]
        cooled = anneal_roles(data, sets, noise=noise, learn_noise=True, cooling=self.cooling, seed=seed + start)
        fit = em_at_temperature(data, sets, cooled, **{**options, "tol": max(self.tol, 1e-3)})
        return self._finish(data, improve(data, fit, self.moves, options), options)

    def _from_basis(self, data: Data, sets: np.ndarray, options: dict[str, Any]) -> Fit:
        """From the roles of least error: where annealing took a wrong branch, they are often the better start."""
        start = basis_parameters(data, sets)
        return self._finish(data, em_at_temperature(data, sets, start, **options), options)

    def _finish(self, data: Data, fit: Fit, options: dict[str, Any]) -> Fit:
        fit = extend(data, fit, self.max_roles_per_user, self.max_sets, options)
        return em_at_temperature(data, fit.sets, fit.parameters, **options)

    def _keep(self, fit: Fit, roles: np.ndarray, absent: np.ndarray, likelihood: float) -> np.ndarray:
        order = np.argsort(-(fit.mass @ fit.sets), kind="stable")
        sets = in_order(fit.sets[:, order])
        self.absence_ = absent[order].astype(self._fit_dtype)
        self.role_sets_ = fit.sets[:, order][sets].astype(self._fit_dtype)
        self.noise_, self.noise_granted_ = float(fit.parameters.noise), float(fit.parameters.granted)
        self.set_weights_ = np.exp(fit.parameters.log_prior)[sets]
        self.log_likelihood_, self.n_iter_ = likelihood, fit.iterations
        return roles[order]

    def _parameters(self) -> Parameters:
        absent = np.where(self.roles_ > 0.5, EDGE, 1 - EDGE)
        return Parameters(absent, self.noise_, self.noise_granted_, np.log(self.set_weights_))

    def _respond(self, rows: Any, shown: np.ndarray | None = None) -> np.ndarray:
        joint = log_joint(rows, self.role_sets_.astype(np.float64), self._parameters(), shown)
        return respond(joint, 1.0)[0]

    def _assign(self, rows: Any) -> np.ndarray:
        pieces = row_pieces(rows, len(self.role_sets_))
        best = [self._respond(piece).argmax(axis=1) for piece in pieces]
        return self.role_sets_[np.concatenate(best)] if best else np.empty((0, self.n_roles_))

    def _complete(self, rows: Any, shown: np.ndarray) -> np.ndarray:
        return self._granted(self._respond(rows, shown)) > 0.5

    def _granted(self, q: np.ndarray) -> np.ndarray:
        """Probability that the roles, not noise, grant each permission."""
        return q @ (1 - chances(self.role_sets_.astype(np.float64), self._parameters())[0])

    def set_probability(self, X):
        """Probability (n, s) of each role set of ``role_sets_``."""
        check_is_fitted(self)
        return self._respond(self._rows(X)).astype(self._fit_dtype)

    def grant_probability(self, X):
        """Probability (n, d) that the roles of the user grant the permission, noise left out."""
        check_is_fitted(self)
        return self._granted(self._respond(self._rows(X))).astype(self._fit_dtype)

    @property
    def n_parameters_(self):
        """Free numbers: the roles, the weights of role sets and the noise, for `BIC` and the like."""
        check_is_fitted(self)
        return self.roles_.size + len(self.set_weights_) - 1 + self._n_noise_parameters

    def score_samples(self, X):
        """Log-likelihood of each user."""
        check_is_fitted(self)
        return -respond(log_joint(self._rows(X), self.role_sets_.astype(np.float64), self._parameters()), 1.0)[1]

    def _check_parameters(self) -> None:
        super()._check_parameters()
        for name in {"max_roles_per_user", "n_init", "max_iter", "max_sets"} & set(self.get_params()):
            whole_number(name, getattr(self, name), 1)
        whole_number("moves", self.moves, 0)
        if not isinstance(self.cooling, Real) or not 0 < self.cooling < 1:
            raise ValueError(f"cooling={self.cooling!r}: give a number between 0 and 1")
        zero_or_more("tol", self.tol)
