"""Single-assignment clustering: a mixture of Bernoulli rows, every user with one role, by annealed EM."""

from __future__ import annotations

import numpy as np

from unmix.roles.access.grants import Grants
from unmix.roles.classical.role_sets import role_sets
from unmix.roles.noise.annealed_roles import Data, Fit, anneal_roles, em_at_temperature
from unmix.roles.noise.mixture_noise import EDGE, Parameters
from unmix.roles.noise.multi_assignment_clustering import MultiAssignmentClustering
from unmix.roles.noise.role_moves import improve


class SingleAssignmentClustering(MultiAssignmentClustering):
    """Probabilistic clustering with one role a user (SAC).

    ``p(x | k) = Π_j (1 - β_kj)^x_j β_kj^(1 - x_j)``, the model of multi-assignment clustering with role sets of one
    role and no separate noise: what does not fit makes β less sure. Annealed EM as there, O(n d k) a step.

    Parameters
    ----------
    n_roles : int, default=4
        The number of roles.
    n_init : int, default=1
        Annealings from different starts, of which the most likely is kept.
    cooling : float, default=0.8
        Factor between temperatures, below 1.
    moves : int, default=20
        Most moves between optima at the end; 0 is annealing alone.
    max_iter : int, default=100
        Most steps of EM at the last temperature.
    tol : float, default=1e-5
        EM ends when the log-likelihood rises by less than this a user.
    threshold : float or None, default=None
        Entries above it are grants. None expects 0 and 1, and warns where other values are cut at one half.
    random_state : int, RandomState or None, default=None
        Decides every draw; an integer gives the same roles again.

    Attributes
    ----------
    roles_ : ndarray of shape (n_roles, d)
    assignments_ : ndarray of shape (n, n_roles)
        One 1 a row.
    absence_ : ndarray of shape (n_roles, d)
        β, the probability that a user of the role does not have the permission.
    set_weights_ : ndarray of shape (n_roles,)
    log_likelihood_ : float
    n_iter_ : int
    n_features_in_ : int

    References
    ----------
    Streich, Frank, Basin & Buhmann, Multi-assignment clustering for Boolean data, ICML 2009.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.roles import SingleAssignmentClustering
    >>> X = np.repeat([[1, 1, 0, 0], [0, 0, 1, 1]], 5, axis=0)
    >>> X[0, 3] = 1
    >>> SingleAssignmentClustering(2, random_state=0).fit(X).roles_.astype(int).tolist()
    [[0, 0, 1, 1], [1, 1, 0, 0]]
    """

    _n_noise_parameters = 0

    def __init__(
        self,
        n_roles=4,
        *,
        n_init=1,
        cooling=0.8,
        moves=20,
        max_iter=100,
        tol=1e-5,
        threshold=None,
        random_state=None,
    ):
        self.n_roles = n_roles
        self.n_init = n_init
        self.cooling = cooling
        self.moves = moves
        self.max_iter = max_iter
        self.tol = tol
        self.threshold = threshold
        self.random_state = random_state

    def _learn(self, grants: Grants, seed: int) -> np.ndarray:
        data, sets = Data(*grants.counted), role_sets(self.n_roles, 1, empty=False)
        fit = min((self._start(data, sets, seed + s) for s in range(self.n_init)), key=lambda fit: fit.cost)
        return self._keep(fit, fit.parameters.absent < 0.5, fit.parameters.absent, fit.log_likelihood)

    def _start(self, data: Data, sets: np.ndarray, seed: int) -> Fit:
        options = {"most": self.max_iter, "tol": self.tol, "learn_noise": False}
        start = anneal_roles(data, sets, noise=0.0, learn_noise=False, cooling=self.cooling, seed=seed)
        return improve(data, em_at_temperature(data, sets, start, **options), self.moves, options)

    def _parameters(self) -> Parameters:
        absent = np.clip(self.absence_.astype(np.float64), EDGE, 1 - EDGE)
        return Parameters(absent, 0.0, 0.5, np.log(self.set_weights_))
