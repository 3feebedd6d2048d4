"""Maximum cut: two groups of nodes with as much weight as possible on the edges between them."""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from unmix.cluster.shared.couplings import check_symmetric, without_diagonal
from unmix.costs.ising import IsingData
from unmix.inference.ising.annealing import beta_range
from unmix.inference.ising.ground_state import Search, ground_state

SURE_SIZE = 20  # so few nodes are enumerated
LARGE, DENSE = 500, 8  # more nodes and edges a node: blocks that turn as one are rare, and slow cooling is better
FAST_SCHEDULE = (30, 1000, (1.0, 1.0))  # runs, sweeps, and factors of the first and the last beta of a general model
SLOW_SCHEDULE = (12, 8000, (2.0, 1.2))  # with four sweeps a node at most


@dataclass(frozen=True)
class MaxCut:
    """The side of each node, 0 or 1 (that of the first node is 0), and the weight of the edges cut."""

    labels_: np.ndarray
    cut_: float


def max_cut(
    W: Any,
    *,
    n_init: int | None = None,
    n_sweeps: int | None = None,
    generations: int = 20,
    time_limit: float | None = None,
    random_state: Any = None,
) -> MaxCut:
    """Split the nodes of a weighted graph so that the edges between the two sides weigh as much as possible.

    Maximises ``Σ_i<j W_ij [c_i ≠ c_j]``, the ground state of an Ising model with J = -W. Up to 20 nodes every split is
    looked at. Otherwise annealed runs make a population, whose offspring turn blocks of nodes on which parents agree
    (renormalisation) until three generations bring nothing better. The largest cut is hard to find and to prove: the
    answer is a very good cut, not a certified one.

    Parameters
    ----------
    W : array or sparse matrix of shape (n, n)
        Symmetric weights of either sign; the diagonal does not count.
    n_init : int, optional
        Annealed runs, and the size of the population: by default 30, and 12 for more than 500 nodes with more than 8
        neighbours on average, where few slow runs are better than many fast ones.
    n_sweeps : int, optional
        Sweeps a run: by default 1000, and four a node, 8000 at most, where runs are slow. Twice as many take twice as
        long.
    generations : int, default=20
        The largest number of generations of offspring; 0 is annealing alone.
    time_limit : float, optional
        Start all over, and keep the best, as long as fewer seconds have passed. Results then depend on the machine.
    random_state : int, RandomState or None

    Returns
    -------
    result : MaxCut
        With ``labels_`` (n,), 0 or 1, and ``cut_``.

    References
    ----------
    Karp, *Reducibility among combinatorial problems*, 1972; Houdayer & Martin, Physical Review Letters 83, 1999.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.cluster import max_cut
    >>> square = np.array([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]])
    >>> result = max_cut(square, random_state=0)
    >>> result.labels_, result.cut_
    (array([0, 1, 0, 1], dtype=int32), 4.0)
    """
    W = without_diagonal(check_symmetric(W, "W"))
    if time_limit is not None and not time_limit >= 0:
        raise ValueError(f"time_limit={time_limit!r} is not a number of seconds; give 0 or more, or None")
    rng, n = check_random_state(random_state), W.shape[0]
    inference = "enumeration" if n <= SURE_SIZE else "simulated_annealing"
    data, begin = IsingData(-W, np.zeros(n)), time.monotonic()
    runs, sweeps, betas = _effort(data)
    n_init, n_sweeps = runs if n_init is None else n_init, sweeps if n_sweeps is None else n_sweeps
    search = Search(inference, n_init, n_sweeps, betas, generations=generations)
    best = MaxCut(np.zeros(n, np.int32), 0.0)  # no edge cut: what is left when all weights are negative
    while True:
        spins = ground_state(data, search, int(rng.randint(2**31))).spins[0]
        labels = (spins != spins[0]).astype(np.int32)
        found = MaxCut(labels, cut_weight(W, labels))
        best = found if found.cut_ > best.cut_ else best
        if time_limit is None or time.monotonic() - begin >= time_limit:
            return best


def _effort(data: IsingData) -> tuple[int, int, tuple[float, float]]:
    """Runs, sweeps a run, and the first and the last beta."""
    n, (first, last) = len(data.h), beta_range(data)
    edges = data.J.nnz if hasattr(data.J, "tocsr") else np.count_nonzero(data.J)
    runs, sweeps, (hotter, colder) = SLOW_SCHEDULE if n > LARGE and edges > DENSE * n else FAST_SCHEDULE
    return runs, min(sweeps, max(FAST_SCHEDULE[1], 4 * n)), (hotter * first, colder * last)


def cut_weight(W: Any, labels: np.ndarray) -> float:
    """Σ_i<j W_ij [c_i ≠ c_j]."""
    side = labels.astype(np.float64)
    if hasattr(W, "tocsr"):
        return float(side @ (W @ (1.0 - side)))
    return float(W[np.ix_(labels == 1, labels == 0)].sum())
