"""A small use of what is no estimator: the choice of a model, criteria, role mining, spins, chains, maps judged.

They are imported where they are used: a use compiles what it needs and no more.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from unmix.cli.example_tables import SMALL, groups, links, noisy_access, tangled_access

LONGEST = 20.0  # seconds of one search; what compiles meanwhile counts


def family(name: str) -> Any:
    return import_module(f"unmix.{name}")


def select() -> None:
    """The choice of a number of clusters and of mixture components."""
    from unmix.validation import select as choose

    for model in (family("cluster").KMeans(random_state=0), family("density").GaussianMixture(random_state=0)):
        choose(model, groups(SMALL), range(1, 5), random_state=0)


def criteria() -> None:
    """Criteria that have kernels of their own."""
    from unmix.costs.squared_distance import SquaredDistance
    from unmix.validation import PosteriorAgreement, Silhouette, posterior_agreement, sampled_approximation_sets
    from unmix.validation import select as choose

    X = groups(SMALL)
    looked_at = [Silhouette(), PosteriorAgreement()]
    choose(family("cluster").KMeans(random_state=0), X, range(2, 4), criteria=looked_at, random_state=0)
    posterior_agreement(SquaredDistance(), X, X[::-1].copy(), 3)
    sampled_approximation_sets(SquaredDistance(), X[:40], X[40:80], 2, np.random.default_rng(0), n_walkers=10)


def mine() -> None:
    """Covers and the fewest roles, of access that is not solved at a glance; inference is an estimator."""
    from unmix.roles import mine as search

    held = noisy_access(60)
    for objective in ("roles", "edges", "wsc"):
        search(held, objective=objective, time_limit=LONGEST)
    search(held, "fewest", delta=2, time_limit=LONGEST)
    search(held, "fewest", n_roles=4, time_limit=LONGEST)
    search(held, "auto", time_limit=LONGEST)
    search(tangled_access(), time_limit=LONGEST)


def ising() -> None:
    """Spins with dense and with sparse couplings."""
    from scipy import sparse

    from unmix.cluster import IsingModel, max_cut
    from unmix.cluster.ising import grid_couplings

    grid = sparse.csr_array(grid_couplings((6, 6)))
    for J in (grid, grid.toarray()):
        model = IsingModel(J)
        for inference in ("simulated_annealing", "heat_bath", "mean_field"):
            model.ground_state(inference=inference, n_init=2, n_sweeps=5, random_state=0)
        model.marginals(0.3, n_samples=100, random_state=0)
    max_cut(links(SMALL), random_state=0)


def chains() -> None:
    """The walk of a Markov chain."""
    from unmix.sampling import MarkovChain

    MarkovChain(np.full((3, 3), 1 / 3)).simulate(10, random_state=0)


def maps() -> None:
    """How far a map in two dimensions is to be trusted."""
    embedding, X = family("embedding"), groups(SMALL)
    for table in (X, np.tile(X, 5)):  # few columns have a tree
        embedding.distortion(table, X[:, :2])
        embedding.false_neighbors(table, X[:, :2])


FUNCTIONS: dict[str, Callable[[], None]] = {use.__name__: use for use in (select, criteria, mine, ising, chains, maps)}
