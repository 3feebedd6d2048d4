"""Every estimator with a table it suits, the size to begin with, and the growth that its method needs.

`needs` are powers: {"n": 1, "k": 2} says that time must grow as n · k². A side that is missing is not varied. Factor
models whose sweeps to convergence depend on how hard the table is get a fixed number of them.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.growth import tables
from unmix.cluster import (
    CorrelationClustering,
    GraphPartition,
    GrowingKMeans,
    HistogramClustering,
    InformationBottleneck,
    KMeans,
    LeastAngleClustering,
    MiniBatchKMeans,
    PairwiseClustering,
    ParametricDistributionalClustering,
    SmoothKMeans,
    SoftKMeans,
)
from unmix.decomposition import (
    NMF,
    PCA,
    CollaborativeFilter,
    DictionaryLearning,
    MiniBatchDictionaryLearning,
    RobustPCA,
    SemiNMF,
    SparseCoder,
    TruncatedSVD,
    select_components,
)
from unmix.density import Gaussian, GaussianMixture, GlidingHistogram, HistogramDensity, KernelDensity
from unmix.embedding import ConstantShiftEmbedding, LocallyLinearEmbedding, PairwiseSOM, SelfOrganizingMap
from unmix.roles import (
    CompleteMiner,
    DiscreteBasis,
    FastMiner,
    HammingKMeans,
    MultiAssignmentClustering,
    RoundedSVD,
    SingleAssignmentClustering,
    SVDDenoiser,
)
from unmix.separation import JADE, FastICA, Infomax, OnlineICA, SecondOrderICA
from unmix.validation import select

Work = Callable[[np.ndarray, int], Any]


@dataclass(frozen=True)
class Subject:
    work: Work  # of a table and a number of parts
    table: Callable[[int, int, int, np.random.Generator], np.ndarray]
    needs: dict[str, float]
    start: dict[str, int] = field(default_factory=lambda: {"n": 1000, "d": 4, "k": 4})
    for_parts: dict[str, int] = field(default_factory=lambda: {"n": 10_000})  # other sides while parts grow

    def sizes(self, side: str, decades: int) -> list[dict[str, int]]:
        base = {**self.start, **self.for_parts} if side == "k" else self.start
        return [{**base, side: self.start[side] * 10**more} for more in range(decades + 1)]


def fit(make: Callable[[int], Any]) -> Work:
    return lambda X, k: make(k).fit(X)


def density_of(make: Callable[[], Any]) -> Work:
    """Fitted, and asked about at most a thousand rows: some densities do their work when asked."""
    return lambda X, k: make().fit(X).score_samples(X[:1000])


SWEEPS = 10
LINEAR = {"n": 1, "d": 1, "k": 1}
PAIRED = {"n": 1, "d": 1, "k": 2}  # products of all pairs of components; of divergences in every row, by its weights
SQUARE = {"n": 2, "k": 1}  # in the number of objects: the table holds all pairs
PAIRS = {"n": 50, "d": 1, "k": 3}
ACCESS = {"n": 100, "d": 30, "k": 4}
FACTORS = {"n": 1000, "d": 20, "k": 3}
WIDE = {"n": 2000, "d": 500}

SUBJECTS: dict[str, Subject] = {
    "KMeans": Subject(fit(lambda k: KMeans(k, random_state=0)), tables.groups, LINEAR),
    "MiniBatchKMeans": Subject(fit(lambda k: MiniBatchKMeans(k, random_state=0)), tables.groups, LINEAR),
    "GrowingKMeans": Subject(
        fit(lambda k: GrowingKMeans(1e-9, max_clusters=k, random_state=0)), tables.groups, {"n": 1, "d": 1, "k": 2}
    ),
    "SoftKMeans": Subject(fit(lambda k: SoftKMeans(k, random_state=0)), tables.groups, LINEAR),
    "SmoothKMeans": Subject(
        lambda X, k: SmoothKMeans(k, neighbors=(len(X) // 10, 10), random_state=0).fit(X), tables.groups, LINEAR
    ),
    "LeastAngleClustering": Subject(fit(lambda k: LeastAngleClustering(k, random_state=0)), tables.groups, LINEAR),
    "PairwiseClustering": Subject(
        fit(lambda k: PairwiseClustering(k, metric="precomputed", random_state=0)),
        tables.pairs,
        SQUARE,
        PAIRS,
        {"n": 1000},
    ),
    "GraphPartition": Subject(
        fit(lambda k: GraphPartition(k, random_state=0, metric="precomputed")),
        tables.affinities,
        SQUARE,
        PAIRS,
        {"n": 1000},
    ),
    "CorrelationClustering": Subject(
        fit(lambda k: CorrelationClustering(k, random_state=0, metric="precomputed")),
        tables.similarities,
        SQUARE,
        PAIRS,
        {"n": 1000},
    ),
    "HistogramClustering": Subject(fit(lambda k: HistogramClustering(k, random_state=0)), tables.counts, LINEAR),
    "InformationBottleneck": Subject(
        fit(lambda k: InformationBottleneck(k, random_state=0)),
        tables.counts,
        {"n": 2, "d": 1, "k": 1},  # it begins with all mergers of two rows
        {"n": 100, "d": 10, "k": 4},
        {"n": 1000},
    ),
    "ParametricDistributionalClustering": Subject(
        fit(lambda k: ParametricDistributionalClustering(k, random_state=0)),
        tables.counts,
        LINEAR,
        {"n": 100, "d": 10, "k": 3},
        {"n": 1000},
    ),
    "PCA": Subject(fit(lambda k: PCA(k, random_state=0)), tables.low_rank, LINEAR, FACTORS, WIDE),
    "TruncatedSVD": Subject(fit(lambda k: TruncatedSVD(k, random_state=0)), tables.low_rank, LINEAR, FACTORS, WIDE),
    "RobustPCA": Subject(
        fit(lambda k: RobustPCA()), tables.gross_errors, {"n": 1, "d": 2}, {"n": 100, "d": 20, "k": 2}
    ),
    "CollaborativeFilter": Subject(
        fit(lambda k: CollaborativeFilter(k, max_iter=SWEEPS, random_state=0)),
        tables.ratings,
        {"n": 1, "d": 1, "k": 3},  # a system of k equations a row
        {"n": 300, "d": 50, "k": 2},
        {"n": 2000, "d": 400},
    ),
    "NMF": Subject(fit(lambda k: NMF(k, max_iter=SWEEPS, random_state=0)), tables.amounts, PAIRED, FACTORS, WIDE),
    "NMF kullback-leibler": Subject(
        fit(lambda k: NMF(k, beta_loss="kullback-leibler", max_iter=SWEEPS, random_state=0)),
        tables.amounts,
        PAIRED,
        {"n": 300, "d": 20, "k": 3},
        {"n": 500, "d": 400},
    ),
    "NMF itakura-saito": Subject(
        fit(lambda k: NMF(k, beta_loss="itakura-saito", max_iter=SWEEPS, random_state=0)),
        tables.amounts,
        PAIRED,
        {"n": 300, "d": 20, "k": 3},
        {"n": 500, "d": 400},
    ),
    "SemiNMF": Subject(fit(lambda k: SemiNMF(k, max_iter=SWEEPS, random_state=0)), tables.groups, PAIRED),
    "SparseCoder": Subject(
        lambda X, k: SparseCoder(transform_n_nonzero_coefs=k).fit_transform(X),
        tables.sparse_combinations,
        {"n": 1, "d": 2, "k": 1},  # a product with d atoms of d entries each
        {"n": 300, "d": 32, "k": 2},
        {"n": 300, "d": 400},
    ),
    "DictionaryLearning": Subject(
        fit(
            lambda k: DictionaryLearning(
                k, fit_algorithm="ksvd", transform_n_nonzero_coefs=3, max_iter=10, random_state=0
            )
        ),
        tables.sparse_combinations,
        LINEAR,
        {"n": 500, "d": 16, "k": 8},
        {"n": 4000},
    ),
    "MiniBatchDictionaryLearning": Subject(
        fit(
            lambda k: MiniBatchDictionaryLearning(
                k, fit_algorithm="omp", transform_n_nonzero_coefs=3, max_iter=5, tol=0, random_state=0
            )
        ),
        tables.sparse_combinations,
        {"n": 1, "d": 1, "k": 2},  # products of all pairs of atoms
        {"n": 500, "d": 16, "k": 8},
        {"n": 4000},
    ),
    "Gaussian": Subject(fit(lambda k: Gaussian()), tables.groups, {"n": 1, "d": 2}),
    "GaussianMixture": Subject(
        fit(lambda k: GaussianMixture(k, random_state=0)),
        tables.groups,
        {"n": 1, "d": 2, "k": 1},
        {"n": 1000, "d": 2, "k": 3},
    ),
    "GaussianMixture diag": Subject(
        fit(lambda k: GaussianMixture(k, covariance_type="diag", random_state=0)), tables.groups, LINEAR
    ),
    "KernelDensity": Subject(
        density_of(lambda: KernelDensity("likelihood", random_state=0)),
        tables.groups,
        {"n": 1},
        {"n": 1000, "d": 2, "k": 3},
    ),
    "GlidingHistogram": Subject(
        density_of(lambda: GlidingHistogram(random_state=0)), tables.groups, {"n": 1}, {"n": 1000, "d": 2, "k": 3}
    ),
    "HistogramDensity": Subject(
        density_of(HistogramDensity), tables.groups, {"n": 1, "d": 1}, {"n": 1000, "d": 1, "k": 3}
    ),
    "SelfOrganizingMap": Subject(
        fit(lambda k: SelfOrganizingMap((1, k), random_state=0)), tables.groups, LINEAR, {"n": 1000, "d": 4, "k": 10}
    ),
    "PairwiseSOM": Subject(
        fit(lambda k: PairwiseSOM((1, k), metric="precomputed", random_state=0)),
        tables.pairs,
        SQUARE,
        PAIRS,
        {"n": 1000},
    ),
    "LocallyLinearEmbedding": Subject(
        fit(lambda k: LocallyLinearEmbedding(2, n_neighbors=10)),
        tables.roll,
        {"n": 1.5, "d": 1},  # factors of a matrix of links in a plane
        {"n": 300, "d": 3, "k": 1},
    ),
    "ConstantShiftEmbedding": Subject(
        fit(lambda k: ConstantShiftEmbedding(2, metric="precomputed")), tables.pairs, {"n": 3}, PAIRS
    ),
    "FastICA": Subject(
        fit(lambda k: FastICA(random_state=0)), tables.sources, {"n": 1, "d": 2}, {"n": 2000, "d": 2, "k": 2}
    ),
    "Infomax": Subject(
        fit(lambda k: Infomax(max_iter=SWEEPS, random_state=0)),
        tables.sources,
        {"n": 1, "d": 2},
        {"n": 2000, "d": 2, "k": 2},
    ),
    "OnlineICA": Subject(
        fit(lambda k: OnlineICA(random_state=0)), tables.sources, {"n": 1, "d": 2}, {"n": 2000, "d": 2, "k": 2}
    ),
    "JADE": Subject(fit(lambda k: JADE()), tables.sources, {"n": 1}, {"n": 2000, "d": 8, "k": 8}),
    "SecondOrderICA": Subject(
        fit(lambda k: SecondOrderICA()), tables.series, {"n": 1, "d": 3}, {"n": 2000, "d": 2, "k": 2}
    ),
    "MultiAssignmentClustering": Subject(
        fit(lambda k: MultiAssignmentClustering(k, random_state=0)),
        tables.access,
        LINEAR,
        ACCESS,
        {"n": 2000, "d": 400},
    ),
    "SingleAssignmentClustering": Subject(
        fit(lambda k: SingleAssignmentClustering(k, random_state=0)),
        tables.access,
        LINEAR,
        ACCESS,
        {"n": 2000, "d": 400},
    ),
    "DiscreteBasis": Subject(
        fit(lambda k: DiscreteBasis(k)), tables.access, {"n": 1, "d": 2, "k": 1}, ACCESS, {"n": 2000, "d": 400}
    ),  # a candidate for every permission
    "HammingKMeans": Subject(
        fit(lambda k: HammingKMeans(k, random_state=0)), tables.access, LINEAR, ACCESS, {"n": 2000, "d": 400}
    ),
    "RoundedSVD": Subject(
        fit(lambda k: RoundedSVD(k)), tables.access, {"n": 1, "d": 2, "k": 1}, ACCESS, {"n": 2000, "d": 400}
    ),
    "SVDDenoiser": Subject(fit(lambda k: SVDDenoiser(random_state=0)), tables.access, {"n": 1, "d": 2}, ACCESS),
    "FastMiner": Subject(
        fit(lambda k: FastMiner(k)), tables.access, {"n": 2, "d": 1}, ACCESS
    ),  # it intersects all pairs of users
    "CompleteMiner": Subject(fit(lambda k: CompleteMiner(k)), tables.access, {"d": 1}, ACCESS),
    "select_components": Subject(
        lambda X, k: select_components(X, random_state=0),
        tables.low_rank,
        {"n": 1, "d": 2, "k": 1},
        {"n": 300, "d": 20, "k": 2},
        {"n": 1000, "d": 300},
    ),
    "select (KMeans)": Subject(
        lambda X, k: select(KMeans(random_state=0), X, range(1, 6), random_state=0), tables.groups, {"n": 1, "d": 1}
    ),
}
