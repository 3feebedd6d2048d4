"""Ising models: spins that agree or disagree, their energy, their Gibbs distribution and their ground state."""

from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import check_random_state

from unmix.cluster.binary_image import denoise_binary_image
from unmix.cluster.maximum_cut import MaxCut, max_cut
from unmix.cluster.shared.couplings import check_symmetric, grid_couplings
from unmix.core.arguments import one_of
from unmix.costs.ising import IsingData, energies
from unmix.inference.ising.annealing import sample_ising
from unmix.inference.ising.exact import enumerate_states
from unmix.inference.ising.ground_state import Search, ground_state
from unmix.inference.ising.marginals import Marginals, sample_marginals
from unmix.inference.ising.mean_field import MeanField, mean_field

__all__ = ["IsingModel", "MaxCut", "denoise_binary_image", "grid_couplings", "max_cut"]

RULES = ("heat_bath", "metropolis")


class GroundState(NamedTuple):
    """The best state found, -1 and +1, and its energy."""

    spins: np.ndarray
    energy: float


class IsingModel:
    """An Ising model with couplings `J` and field `h`.

    The energy of spins ``s_i`` of -1 and +1 is ``E(s) = -½ sᵀ J s - hᵀ s``, their Gibbs distribution
    ``p(s) ∝ exp(-β E(s))``.

    `ground_state` anneals: sweeps of single flips with running fields while β rises, many runs side by side, then
    crosses the results by renormalisation. A flip costs one row of J, a spin that stays about two nanoseconds.

    Parameters
    ----------
    J : array or sparse matrix of shape (n, n)
        Symmetric with zero diagonal; positive entries want spins to agree. Sparse ones are not made dense unless more
        than a sixteenth of the entries are there.
    h : array of shape (n,), optional
        The field each spin wants to follow; zero if not given.

    References
    ----------
    Kirkpatrick, Gelatt & Vecchi, *Optimization by simulated annealing*, Science 220, 1983.
    Houdayer & Martin, *Renormalization for discrete optimization*, Physical Review Letters 83, 1999.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.cluster import IsingModel
    >>> ring = np.roll(np.eye(5), 1, axis=1)
    >>> model = IsingModel(-(ring + ring.T), h=[0.5, 0, 0, 0, 0])  # neighbours want to differ, five cannot all
    >>> model.ground_state(random_state=0).energy
    -3.5
    >>> round(model.log_partition(beta=1.0), 4)
    5.4587
    >>> model.mean_field(beta=0.2, random_state=0).free_energy >= -model.log_partition(beta=0.2) / 0.2
    True
    """

    def __init__(self, J: Any, h: Any = None) -> None:
        self.J = check_symmetric(J, "J")
        if self.J.diagonal().any():
            raise ValueError("J has entries on its diagonal; s_i² is always 1, so set them to 0")
        n = self.J.shape[0]
        self.h = np.zeros(n) if h is None else np.array(h, dtype=np.float64)
        if self.h.shape != (n,) or not np.isfinite(self.h).all():
            raise ValueError(f"h has shape {self.h.shape}; give {n} finite numbers, one a spin")

    @property
    def _data(self) -> IsingData:
        return IsingData(self.J, self.h)

    def energy(self, spins: Any) -> Any:
        """E of one state (n,), a float, or of many (m, n), an array."""
        spins = np.asarray(spins)
        if spins.ndim not in (1, 2) or spins.shape[-1] != len(self.h) or not np.isin(spins, (-1, 1)).all():
            raise ValueError(f"spins are -1 or +1, {len(self.h)} a state; got an array of shape {spins.shape}")
        found = energies(self._data, np.atleast_2d(spins))
        return float(found[0]) if spins.ndim == 1 else found

    def ground_state(
        self,
        *,
        inference: Any = "simulated_annealing",
        n_init: int = 20,
        n_sweeps: int = 1000,
        beta_range: tuple[float, float] | None = None,
        schedule: str = "linear",
        rule: str = "metropolis",
        generations: int = 0,
        random_state: Any = None,
    ) -> GroundState:
        """The state of least energy that was found.

        Parameters
        ----------
        inference : str or Step, default="simulated_annealing"
            "simulated_annealing": annealed flips by `rule`; "metropolis", "gibbs" and "heat_bath" name the rule too.
            "mean_field", "sequential_mean_field" or "deterministic_annealing": annealed means, one spin at a time.
            "graph_cut": the exact minimum cut, for couplings of 0 or more. "enumeration": all states, for n ≤ 20. A
            step of `unmix.inference` is followed by the engine, which sees spins as labels 0 and 1.
        n_init : int, default=20
            Independent runs.
        n_sweeps : int, default=1000
            Sweeps a run, one at each β.
        beta_range : pair of float, optional
            First and last β; by default from the sizes of the fields: ½ over the large ones to 5 over the small ones.
        schedule : {"linear", "geometric", "logarithmic"}
            How β goes from first to last. The logarithmic one rises from the first as ``log(t + 2)``, wherever it ends.
        rule : {"metropolis", "heat_bath"}
            Flips are accepted with probability min(1, exp(-β D)) or 1 / (1 + exp(β D)).
        generations : int, default=0
            Generations of renormalised offspring after the runs: slower, and much better on hard models.
        random_state : int, RandomState or None
        """
        seed = int(check_random_state(random_state).randint(2**31))
        search = Search(inference, n_init, n_sweeps, beta_range, schedule, rule, generations)
        runs = ground_state(self._data, search, seed)
        return GroundState(runs.spins[0], float(runs.energy[0]))

    def sample(
        self,
        n_samples: int = 1,
        *,
        beta: float = 1.0,
        rule: str = "heat_bath",
        burn_in: int = 100,
        thin: int = 1,
        random_state: Any = None,
    ) -> np.ndarray:
        """States (n_samples, n) of a Markov chain whose stationary distribution is ``p(s) ∝ exp(-β E(s))``.

        `burn_in` sweeps go first, `thin` sweeps lie between two states. Neighbouring states are dependent.
        With ``rule="metropolis"`` a coin decides in each sweep whether a spin is asked, so that the chain is aperiodic.
        """
        one_of("rule", rule, tuple(RULES))
        if n_samples < 1 or burn_in < 0 or thin < 1:
            raise ValueError(f"n_samples={n_samples} and thin={thin} are at least 1, burn_in={burn_in} at least 0")
        seed = int(check_random_state(random_state).randint(2**31))
        return sample_ising(self._data, _positive(beta), rule, n_samples, burn_in, thin, seed)

    def marginals(
        self,
        beta: float = 1.0,
        *,
        n_samples: int = 1000,
        n_chains: int = 2,
        burn_in: int = 100,
        rule: str = "heat_bath",
        random_state: Any = None,
    ) -> Marginals:
        """Means of the spins at β by sampling: ``magnetization``, and ``probabilities`` of +1.

        The mean of each spin given all others is taken over `n_samples` states of each of `n_chains` chains; ``r_hat``
        and ``effective_sample_size`` of the energy say whether to believe it. Without a field a state and its opposite
        are equally probable and all means are 0: a chain that has not yet seen both sides only shows where it is.
        """
        one_of("rule", rule, tuple(RULES))
        if n_samples < 4 or n_chains < 1 or burn_in < 0:
            raise ValueError(
                f"n_samples={n_samples} is at least 4, n_chains={n_chains} at least 1, burn_in={burn_in} at least 0"
            )
        seed = int(check_random_state(random_state).randint(2**31))
        options = {"chains": n_chains, "n_samples": n_samples, "burn_in": burn_in}
        return sample_marginals(self._data, _positive(beta), rule=rule, seed=seed, **options)

    def log_partition(self, beta: float = 1.0) -> float:
        """log Σ_s exp(-β E(s)), exactly, for at most 20 spins."""
        return enumerate_states(self._data, _positive(beta)).log_partition

    def magnetization(self, beta: float = 1.0) -> np.ndarray:
        """Exact means of the spins, for at most 20; P(s_i = 1) is (1 + mean) / 2."""
        return enumerate_states(self._data, _positive(beta)).magnetization

    def mean_field(
        self, beta: float = 1.0, *, max_iter: int = 1000, tol: float = 1e-8, random_state: Any = None
    ) -> MeanField:
        """Independent spins closest to the Gibbs distribution: ``magnetization`` and ``free_energy`` ≥ -log Z / β."""
        start = check_random_state(random_state).uniform(-0.1, 0.1, len(self.h))
        return mean_field(self._data, _positive(beta), start, max_iter=max_iter, tol=tol)


def _positive(beta: float) -> float:
    if not (np.isfinite(beta) and beta > 0):
        raise ValueError(f"beta={beta!r} is not a positive finite number")
    return float(beta)
