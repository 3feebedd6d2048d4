"""The default inference of every clustering cost against all others by name, on the same random tables.

For each table and inference the cost that the estimator tells is compared with the least of all: the columns say by how
much the default is above it, and how often and how far each other inference is. More objects have more optima.
"""

import argparse
import warnings
from typing import Any, NamedTuple

import numpy as np

from benchmarks.steps import tables
from unmix.inference.named_steps import FEW, INFERENCES

SEED = 0
SIZES = {60: 20, 213: 20, 500: 8}  # objects, and tables of so many


class Subject(NamedTuple):
    make: Any  # an estimator of given parameters
    table: Any
    attribute: str
    sign: float = 1.0  # -1 where more is better
    others: tuple[str, ...] = tuple(INFERENCES)


class Ground:
    """The ground state of an Ising model, as an estimator is asked."""

    def __init__(self, inference: str = "simulated_annealing", random_state: int = 0) -> None:
        self.inference, self.random_state = inference, random_state

    def fit(self, J: np.ndarray) -> "Ground":
        from unmix.cluster import IsingModel

        found = IsingModel(J).ground_state(inference=self.inference, random_state=self.random_state)
        self.energy_ = found.energy
        return self


def subjects() -> dict[str, Subject]:
    from unmix import cluster, embedding

    def grid(n: int) -> tuple[int, int]:
        return (n // 10, 10) if n % 10 == 0 else (n, 1)

    return {
        "PairwiseClustering": Subject(
            lambda n, **given: cluster.PairwiseClustering(4, metric="precomputed", **given),
            tables.dissimilarities,
            "cost_",
        ),
        "PairwiseClustering, rows": Subject(
            lambda n, **given: cluster.PairwiseClustering(4, metric="sqeuclidean", **given), tables.rows, "cost_"
        ),
        "LeastAngleClustering": Subject(
            lambda n, **given: cluster.LeastAngleClustering(4, **given),
            tables.directions,
            "cost_",
            others=(*INFERENCES, *FEW),
        ),
        "CorrelationClustering": Subject(
            lambda n, **given: cluster.CorrelationClustering(**given, metric="precomputed"),
            tables.similarities,
            "cost_",
        ),
        **{
            f"GraphPartition, {balance}": Subject(
                lambda n, balance=balance, **given: cluster.GraphPartition(
                    4, balance=balance, **given, metric="precomputed"
                ),
                tables.affinities,
                "cost_",
            )
            for balance in ("normalized", "ratio")
        },
        "SoftKMeans": Subject(lambda n, **given: cluster.SoftKMeans(4, **given), tables.rows, "inertia_"),
        "HistogramClustering": Subject(
            lambda n, **given: cluster.HistogramClustering(4, **given), tables.counts, "cost_"
        ),
        "InformationBottleneck": Subject(
            lambda n, **given: cluster.InformationBottleneck(4, curve=None, **given),
            tables.counts,
            "information_",
            -1.0,
        ),
        "SmoothKMeans": Subject(
            lambda n, **given: cluster.SmoothKMeans(4, neighbors=grid(n), **given), tables.rows, "cost_"
        ),
        "PairwiseSOM": Subject(
            lambda n, **given: embedding.PairwiseSOM(5, metric="precomputed", **given), tables.dissimilarities, "cost_"
        ),
        "IsingModel": Subject(
            lambda n, **given: Ground(**given),
            tables.couplings,
            "energy_",
            others=("simulated_annealing", "mean_field"),
        ),
    }


def value(subject: Subject, table: np.ndarray, **given: Any) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of fewer clusters, for instance
        model = subject.make(len(table), random_state=SEED, **given).fit(table)
    return subject.sign * float(getattr(model, subject.attribute))


def above(subject: Subject, count: int, n: int) -> dict[str, np.ndarray]:
    """For each inference, and the default, by how many per cent it is above the best on each table."""
    found: dict[str, list[float]] = {name: [] for name in ("default", *subject.others)}
    for number in range(count):
        table = subject.table(np.random.default_rng(number), n)
        found["default"].append(value(subject, table))
        for name in subject.others:
            found[name].append(value(subject, table, inference=name))
    values = np.array(list(found.values()))
    best = values.min(axis=0)
    return dict(zip(found, 100 * (values - best) / np.maximum(np.abs(best), 1e-300), strict=True))


def main(options: argparse.Namespace) -> None:
    for n, count in ({30: 4} if options.quick else SIZES).items():
        print(f"\n# {count} tables of {n} objects each; per cent above the best inference by name")
        print(f"{'cost':28}{'default: max':>14}{'mean':>9}{'wins':>6}   others, mean")
        for name, subject in subjects().items():
            if options.only in name:
                tell(name, above(subject, count, n))


def tell(name: str, gaps: dict[str, np.ndarray]) -> None:
    default = gaps.pop("default")
    others = ", ".join(f"{other} {gap.mean():.3f}" for other, gap in gaps.items())
    wins = int((default <= 1e-7).sum())
    print(f"{name:28}{default.max():14.4f}{default.mean():9.4f}{wins:6}   {others}", flush=True)
