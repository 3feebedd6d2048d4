"""Fits both defaults to the same random tables and tells how often each is likelier, by how much, and at what cost.

Likelihoods are those of the rows that were fitted, from the parameters by one formula. scikit-learn adds 1e-6 to every
variance in the units of the data, unmix keeps variances above 1e-6 of the column's: so the tables are fitted as they
are, and once more in columns of variance 1, where both floors are the same. A fit that is likelier on the rows fitted,
but not on fresh ones of the same law, and in which a component has fewer rows than it needs for a shape, won by
collapsing; those are counted.
"""

import argparse
import time
import warnings
from typing import Any, NamedTuple

import numpy as np
from sklearn.mixture import GaussianMixture as PeerMixture
from threadpoolctl import threadpool_limits

from benchmarks.gaussian_mixture.objective import evaluate
from benchmarks.random_mixtures.tables import draw_table
from unmix import execution
from unmix.density import GaussianMixture

CLEAR = 0.01  # nats a row
KINDS = {"full": 200, "tied": 100, "diag": 100, "spherical": 100}  # tables


class Outcome(NamedTuple):
    ahead: float  # nats a row by which unmix is likelier
    fresh: float  # the same on fresh rows
    collapsed: bool  # whether the likelier one has a component of too few rows
    seconds: np.ndarray  # of unmix and scikit-learn
    tells: str


def outcome(seed: int, kind: str, equal_units: bool) -> Outcome:
    table = draw_table(seed)
    unit = table.rows.std(axis=0) if equal_units else 1.0
    rows, fresh = table.rows / unit, table.fresh / unit
    ours, own_time = timed(GaussianMixture(table.k, covariance_type=kind, random_state=0), rows)
    peer, peer_time = timed(PeerMixture(table.k, covariance_type=kind, random_state=0), rows)
    ahead, later = (value(ours, X) - value(peer, X) for X in (rows, fresh))
    fewest = len(rows) * (ours if ahead > 0 else peer).weights_.min()
    needed = rows.shape[1] + 1 if kind == "full" else 2
    return Outcome(ahead, later, bool(fewest < 2 * needed), np.array([own_time, peer_time]), f"{seed}: {table.tells}")


def timed(model: Any, X: np.ndarray) -> tuple[Any, float]:
    begun = time.process_time()
    model.fit(X)
    return model, time.process_time() - begun


def value(model: Any, X: np.ndarray) -> float:
    (k, d), given = model.means_.shape, np.asarray(model.covariances_)
    shapes = {
        "full": lambda: given,
        "tied": lambda: np.repeat(given[None], k, axis=0),
        "diag": lambda: np.einsum("ci,ij->cij", given, np.eye(d)),
        "spherical": lambda: given[:, None, None] * np.eye(d),
    }
    there = model.weights_ > 0
    return -evaluate((model.weights_[there], model.means_[there], shapes[model.covariance_type]()[there]), X)


def tell(name: str, outcomes: list[Outcome]) -> None:
    ahead = np.array([each.ahead for each in outcomes])
    by_collapse = np.array([each.collapsed and each.ahead * each.fresh < 0 for each in outcomes])
    below, above = ahead < -CLEAR, ahead > CLEAR
    own_time, peer_time = np.sum([each.seconds for each in outcomes], axis=0)
    print(
        f"\n{name}, {len(outcomes)} tables: unmix below on {below.sum()} ({below.mean():.1%}), above on {above.sum()}"
    )
    print(f"  by collapse: {(below & by_collapse).sum()} of those below, {(above & by_collapse).sum()} of those above")
    print(f"  CPU: unmix {own_time:.1f} s, scikit-learn {peer_time:.1f} s")
    for each in sorted(outcomes, key=lambda each: each.ahead)[: min(4, below.sum())]:
        print(f"  {each.ahead:+.3f} (fresh rows {each.fresh:+.3f})  table {each.tells}", flush=True)


def main(options: argparse.Namespace) -> None:
    warnings.simplefilter("ignore")
    print(f"\n# random mixtures: likelihood of the default fits, clear if by more than {CLEAR} nats a row")
    with threadpool_limits(1), execution(threads=1):
        for kind, count in KINDS.items():
            if options.only not in kind:
                continue
            outcome(0, kind, False)  # compiled kernels are loaded here
            for equal_units in (False, True):
                tables = range(count // 10 if options.quick else count)
                units = "columns of variance 1" if equal_units else "units over six decades"
                tell(f"{kind}, {units}", [outcome(seed, kind, equal_units) for seed in tables])
