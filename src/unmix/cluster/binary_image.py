"""Restoration of a binary image: pixels follow what was seen and agree with their neighbours."""

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from unmix.cluster.shared.couplings import grid_couplings
from unmix.core.arguments import one_of
from unmix.costs.ising import IsingData
from unmix.inference.ising.ground_state import Search, ground_state
from unmix.inference.ising.marginals import sample_marginals
from unmix.inference.ising.mean_field import mean_field

MEANS = ("mean_field", "sequential_mean_field")  # at β = 1
CHAINS = {"gibbs": "heat_bath", "heat_bath": "heat_bath", "metropolis": "metropolis"}  # at β = 1, and their rules
METHODS = ("graph_cut", "simulated_annealing", "deterministic_annealing", *MEANS, *CHAINS)


def denoise_binary_image(
    image: Any,
    *,
    coupling: float = 1.0,
    field: float = 1.8,
    inference: str = "graph_cut",
    n_sweeps: int = 300,
    random_state: Any = None,
) -> np.ndarray:
    """Restore an image of two values of which some pixels were flipped.

    Minimises ``E(s) = -coupling Σ_<ij> s_i s_j - field Σ_i y_i s_i`` over s, where y is the image seen, as -1 and +1,
    and ``<ij>`` are neighbours along the axes. If pixels are flipped independently with probability p, the field that
    fits is ``½ log((1 - p) / p)``; for the least energy only its ratio to the coupling matters. Below a ratio of
    2 a single pixel turns when three of its four neighbours disagree; the smaller the ratio, the larger the specks (and
    the details) that go.

    Parameters
    ----------
    image : array of any dimension
        With at most two different values, which the answer has too; NaN is a pixel not seen.
    coupling : float, default=1.0
        How much neighbours want to agree; 0 or more.
    field : float, default=1.8
        How much a pixel wants to stay as it was seen; 0 or more.
    inference : str, default="graph_cut"
        "graph_cut": the exact minimum of E by maximum flow; "simulated_annealing": annealed flips;
        "deterministic_annealing": annealed means. The likelier value of each pixel at β = 1: "mean_field" (or
        "sequential_mean_field", the same here), and "gibbs", "heat_bath" or "metropolis" by a chain of states.
    n_sweeps : int, default=300
        Sweeps of the annealing, or of the chain after a tenth more to forget its start.
    random_state : int, RandomState or None

    Returns
    -------
    restored : ndarray, of the shape and type of `image`

    References
    ----------
    Geman & Geman, *Stochastic relaxation, Gibbs distributions, and the Bayesian restoration of images*, IEEE Trans.
    PAMI 6, 1984; Greig, Porteous & Seheult, *Exact maximum a posteriori estimation for binary images*, JRSS B 51, 1989.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.cluster import denoise_binary_image
    >>> image = np.zeros((12, 12), dtype=int)
    >>> image[3:9, 3:9] = 1
    >>> noisy = image.copy()
    >>> noisy[5, 5], noisy[1, 6] = 0, 1
    >>> bool((denoise_binary_image(noisy) == image).all())
    True
    """
    image = np.asarray(image)
    one_of("inference", inference, tuple(METHODS))
    for name, number in (("coupling", coupling), ("field", field)):
        if not (np.isfinite(number) and number >= 0):
            raise ValueError(f"{name}={number!r} is not a finite number of 0 or more")
    low, high, seen = _two_values(image)
    if low == high or image.ndim == 0:
        return np.full(image.shape, low, image.dtype)
    data = IsingData(grid_couplings(image.shape, coupling), float(field) * seen.ravel())
    spins = _restore(data, inference, n_sweeps, int(check_random_state(random_state).randint(2**31)))
    return np.where(spins.reshape(image.shape) > 0, high, low).astype(image.dtype)


def _two_values(image: np.ndarray) -> tuple[Any, Any, np.ndarray]:
    """The smaller value, the larger, and the pixels as -1, +1 and 0 where nothing was seen."""
    missing = np.isnan(image) if image.dtype.kind == "f" else np.zeros(image.shape, bool)
    values = np.unique(image[~missing])
    if not 1 <= len(values) <= 2 or image.dtype.kind not in "bfiu" or not np.isfinite(values.astype(float)).all():
        raise ValueError(
            f"image has {len(values)} different values of type {image.dtype}; give numbers of one or two different "
            "values, for instance image > threshold"
        )
    seen = np.where(missing, 0.0, np.where(image == values[-1], 1.0, -1.0))
    return values[0], values[-1], seen


def _restore(data: IsingData, inference: str, n_sweeps: int, seed: int) -> np.ndarray:
    if inference in MEANS:
        means = mean_field(data, 1.0, np.tanh(data.h), max_iter=200, tol=1e-3).magnetization
        return np.where(means >= 0, 1, -1)
    if inference in CHAINS:
        draws, first = max(n_sweeps, 4), n_sweeps // 10
        found = sample_marginals(data, 1.0, chains=1, n_samples=draws, burn_in=first, rule=CHAINS[inference], seed=seed)
        return np.where(found.magnetization >= 0, 1, -1)
    return ground_state(data, Search(inference, n_init=1, n_sweeps=n_sweeps), seed).spins[0]
