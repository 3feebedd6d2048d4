"""Every public estimator with a table it suits, in a small and quick form, and the questions put to it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.relations import tables
from tests.relations.answers import (
    Answer,
    apart,
    density,
    fitted_rows,
    grouping,
    number,
    predicted_ratings,
    reconstruction,
    rows,
    unmatched,
)
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
    Factorization,
    MiniBatchDictionaryLearning,
    RobustPCA,
    SemiNMF,
    SparseCoder,
    TruncatedSVD,
)
from unmix.density import Categorical, Gaussian, GaussianMixture, GlidingHistogram, HistogramDensity, KernelDensity
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
from unmix.validation import ColumnMeans, Constant, OneCluster


@dataclass(frozen=True)
class Subject:
    """An estimator under test.

    `make(unit)` sets parameters that are amounts of the data in that unit; `roomier(unit)` has one part more, which a
    far row can have for itself. `near` is the difference that rounding may make after all iterations.
    """

    make: Callable[[float], Any]
    table: Callable[[int, np.random.Generator], np.ndarray]
    answers: dict[str, Answer]
    n: int = 90
    near: float = 1e-7
    single: float = 1e-3  # the same in single precision
    drawn: float | None = None  # the same where other rows or numbers are drawn; as `near` if nothing is drawn
    roomier: Callable[[float], Any] | None = None
    square: bool = False
    one_scale: bool = False  # all columns are counted from one zero
    two_factors: bool = False  # each of which takes the root of the unit
    grows: bool = True  # whether a table of many leaves is fitted in moderate time
    spoil: Callable[[np.ndarray, float], np.ndarray] | None = None  # where a far entry is what a far row is elsewhere


GROUPS = {"groups": grouping()}
CENTERS = {**GROUPS, "distances to centres": rows("transform", 1, unmatched), "inertia": number("inertia_", 2)}
FACTORS = {"reconstruction": reconstruction()}
SOURCES = {**FACTORS, "sources": rows("transform", 0, unmatched)}
DENSITY = {"log density": density()}


def spoil_entry(X: np.ndarray, size: float) -> np.ndarray:
    X = X.copy()
    X[len(X) // 2, 1] = size
    return X


def access_roles(make: Callable[[], Any], **more: Any) -> Subject:
    return Subject(lambda unit: make(), tables.access, {"grants": reconstruction(0)}, grows=False, **more)


SUBJECTS: dict[str, Subject] = {
    # clusters
    "KMeans": Subject(
        lambda unit: KMeans(3, random_state=0),
        tables.groups,
        CENTERS,
        roomier=lambda unit: KMeans(4, random_state=0),
    ),
    "MiniBatchKMeans": Subject(
        lambda unit: MiniBatchKMeans(3, random_state=0),
        tables.groups,
        GROUPS,
        roomier=lambda unit: MiniBatchKMeans(4, random_state=0),
    ),
    "GrowingKMeans": Subject(
        lambda unit: GrowingKMeans(12.0 * unit**2, relative=False, random_state=0),
        tables.groups,
        CENTERS,
        roomier=lambda unit: GrowingKMeans(12.0 * unit**2, relative=False, random_state=0),
    ),
    "GrowingKMeans relative": Subject(lambda unit: GrowingKMeans(0.1, random_state=0), tables.groups, CENTERS),
    "SoftKMeans": Subject(
        lambda unit: SoftKMeans(3, cooling=0.6, random_state=0),
        tables.groups,
        CENTERS,
        roomier=lambda unit: SoftKMeans(4, cooling=0.6, random_state=0),
        grows=False,
    ),
    "SoftKMeans warm": Subject(
        lambda unit: SoftKMeans(3, temperature=4.0 * unit**2, cooling=0.6, random_state=0),
        tables.groups,
        {**GROUPS, "probabilities": rows("predict_proba", 0, unmatched)},
        near=1e-4,
        grows=False,
    ),
    "SmoothKMeans": Subject(
        lambda unit: SmoothKMeans(3, coupling=0.0, neighbors=(9, 10), random_state=0),
        tables.groups,
        GROUPS,
        roomier=None,
        grows=False,
    ),
    "PairwiseClustering": Subject(
        lambda unit: PairwiseClustering(3, random_state=0),
        tables.groups,
        {"labels": grouping("labels_"), **GROUPS},
        grows=False,
    ),
    "PairwiseClustering precomputed": Subject(
        lambda unit: PairwiseClustering(3, metric="precomputed", random_state=0),
        tables.dissimilarities,
        {"labels": grouping("labels_")},
        n=40,
        square=True,
        grows=False,
    ),
    "LeastAngleClustering": Subject(
        lambda unit: LeastAngleClustering(3, random_state=0), tables.directions, GROUPS, grows=False
    ),
    "HistogramClustering": Subject(
        lambda unit: HistogramClustering(3, cooling=0.6, random_state=0),
        tables.counts,
        {**GROUPS, "information": number("information_", 0)},
        near=1e-5,
        grows=False,
    ),
    "InformationBottleneck": Subject(
        lambda unit: InformationBottleneck(3, curve=5, n_init=2, random_state=0),
        tables.counts,
        {**GROUPS, "information": number("information_", 0)},
        near=1e-5,
        grows=False,
    ),
    "ParametricDistributionalClustering": Subject(
        lambda unit: ParametricDistributionalClustering(3, n_components=6, cooling=0.6, random_state=0),
        tables.counts,
        GROUPS,
        grows=False,
    ),
    "CorrelationClustering": Subject(
        lambda unit: CorrelationClustering(random_state=0, metric="precomputed"),
        tables.similarities,
        {"labels": grouping("labels_")},
        n=30,
        square=True,
        grows=False,
    ),
    "GraphPartition": Subject(
        lambda unit: GraphPartition(3, random_state=0, metric="precomputed"),
        tables.affinities,
        {"labels": grouping("labels_")},
        n=36,
        square=True,
        grows=False,
    ),
    # factors
    "PCA": Subject(
        lambda unit: PCA(2),
        tables.low_rank,
        {**FACTORS, "scores": rows("transform", 1, unmatched), "variances": number("explained_variance_", 2)},
    ),
    "TruncatedSVD": Subject(
        lambda unit: TruncatedSVD(2, random_state=0),
        tables.low_rank,
        {**FACTORS, "scores": rows("transform", 1, unmatched)},
    ),
    "RobustPCA": Subject(
        lambda unit: RobustPCA(),
        tables.gross_errors,
        {"low rank": fitted_rows("low_rank_", 1, of_columns=True)},
        spoil=spoil_entry,
        near=1e-5,
        grows=False,
    ),
    "CollaborativeFilter": Subject(
        lambda unit: CollaborativeFilter(1, tol=1e-8, max_iter=500, random_state=0),
        tables.ratings,
        {"ratings": predicted_ratings()},
        near=1e-3,
        one_scale=True,
        grows=False,
    ),
    "SparseCoder": Subject(
        lambda unit: SparseCoder("overcomplete_dct", transform_n_nonzero_coefs=2),
        tables.sparse_combinations,
        {"codes": rows("transform", 1)},
    ),
    "SparseCoder lasso": Subject(
        lambda unit: SparseCoder("overcomplete_dct", transform_algorithm="lasso_lars", transform_alpha=0.3 * unit),
        tables.sparse_combinations,
        {"codes": rows("transform", 1)},
        near=1e-5,
    ),
    "DictionaryLearning": Subject(
        lambda unit: DictionaryLearning(
            5, fit_algorithm="ksvd", transform_n_nonzero_coefs=2, max_iter=60, random_state=0
        ),
        tables.sparse_combinations,
        FACTORS,
        n=150,
        near=1e-3,
        grows=False,
    ),
    "DictionaryLearning at a price": Subject(
        lambda unit: DictionaryLearning(
            5, alpha=0.3 * unit, transform_algorithm="lasso_cd", max_iter=300, tol=1e-10, random_state=0
        ),
        tables.sparse_combinations,
        FACTORS,
        n=150,
        near=1e-3,
        grows=False,
    ),
    "MiniBatchDictionaryLearning": Subject(
        lambda unit: MiniBatchDictionaryLearning(
            5,
            fit_algorithm="omp",
            transform_n_nonzero_coefs=2,
            max_iter=40,
            tol=0,
            max_no_improvement=None,
            random_state=0,
        ),
        tables.sparse_combinations,
        FACTORS,
        n=150,
        near=1e-3,
        grows=False,
    ),
    "NMF": Subject(
        lambda unit: NMF(2, random_state=0, tol=1e-9, max_iter=3000),
        tables.amounts,
        FACTORS,
        near=1e-4,
        grows=False,
        two_factors=True,
    ),
    "NMF multiplicative": Subject(
        lambda unit: NMF(2, solver="mu", random_state=0, tol=1e-8, max_iter=3000),
        tables.amounts,
        FACTORS,
        near=1e-3,
        single=5e-3,  # it stops early where single precision sees no more progress
        grows=False,
        two_factors=True,
    ),
    "NMF divergence": Subject(
        lambda unit: NMF(2, beta_loss="kullback-leibler", random_state=0, tol=1e-9, max_iter=3000),
        tables.amounts,
        FACTORS,
        near=1e-4,
        grows=False,
        two_factors=True,
    ),
    "NMF ratio": Subject(
        lambda unit: NMF(2, beta_loss="itakura-saito", random_state=0, tol=1e-10, max_iter=5000),
        tables.positive_amounts,
        FACTORS,
        near=1e-3,
        grows=False,
        two_factors=True,
    ),
    "SemiNMF": Subject(
        lambda unit: SemiNMF(2, random_state=0, tol=1e-10, max_iter=3000),
        tables.signed_parts,
        FACTORS,
        near=1e-3,
        grows=False,
    ),
    "Factorization": Subject(
        lambda unit: Factorization(2),
        tables.low_rank,
        FACTORS,
        near=1e-5,  # where an expectation and maximisation stops, rounding decides
    ),
    "Factorization squared": Subject(
        lambda unit: Factorization(2, loss="squared"),
        tables.low_rank,
        {**FACTORS, "objective": number("objective_", 2)},
        near=1e-6,
    ),
    "Factorization non-negative": Subject(
        lambda unit: Factorization(
            2, loss="squared", codes="non_negative", components="non_negative", tol=1e-10, max_iter=3000
        ),
        tables.amounts,
        FACTORS,
        near=1e-4,
        grows=False,
    ),
    "Factorization absolute": Subject(
        lambda unit: Factorization(2, loss="absolute", scale="column", tol=1e-9, max_iter=3000),
        tables.low_rank,
        FACTORS,
        near=1e-3,
        grows=False,
    ),
    "Factorization clusters": Subject(
        lambda unit: Factorization(3, loss="squared", codes="one_hot", random_state=0),
        tables.groups,
        FACTORS,
        near=1e-4,  # it measures from zero: far from there digits are lost
        grows=False,
    ),
    "Factorization with holes": Subject(
        lambda unit: Factorization(1, loss="squared", unstored="missing", tol=1e-12, max_iter=3000),
        tables.holed_low_rank,
        FACTORS,
        near=1e-5,
        grows=False,
    ),
    "Factorization mixed": Subject(
        lambda unit: Factorization(
            2,
            loss=("squared", "squared", "logistic", "multinomial", "ordinal"),
            codes="ridge",
            components="ridge",
            tol=1e-10,
            max_iter=3000,
        ),
        tables.kinds,
        FACTORS,
        near=1e-5,
        grows=False,
    ),
    # densities
    "Gaussian": Subject(lambda unit: Gaussian(), tables.low_rank, DENSITY, near=1e-6),
    "GaussianMixture": Subject(
        lambda unit: GaussianMixture(3, tol=1e-10, max_iter=500, random_state=0),
        tables.groups,
        {**GROUPS, **DENSITY},
        near=1e-5,
        roomier=lambda unit: GaussianMixture(4, tol=1e-10, max_iter=500, random_state=0),
    ),
    "GaussianMixture diag": Subject(
        lambda unit: GaussianMixture(3, covariance_type="diag", tol=1e-10, max_iter=500, random_state=0),
        tables.groups,
        {**GROUPS, **DENSITY},
        near=1e-5,
        roomier=lambda unit: GaussianMixture(4, covariance_type="diag", tol=1e-10, max_iter=500, random_state=0),
    ),
    "KernelDensity": Subject(
        lambda unit: KernelDensity(unit, random_state=0),
        tables.groups,
        DENSITY,
        near=2e-4,  # the stated accuracy
        roomier=lambda unit: KernelDensity(unit, random_state=0),
    ),
    "KernelDensity chosen width": Subject(
        lambda unit: KernelDensity("likelihood", random_state=0), tables.groups, DENSITY, near=2e-4, grows=False
    ),
    "GlidingHistogram": Subject(
        lambda unit: GlidingHistogram(5.0 * unit),
        tables.groups,
        DENSITY,
        roomier=lambda unit: GlidingHistogram(5.0 * unit),
    ),
    "HistogramDensity": Subject(lambda unit: HistogramDensity(), tables.groups, DENSITY),
    "HistogramDensity knuth": Subject(lambda unit: HistogramDensity("knuth"), tables.groups, DENSITY),
    "Categorical": Subject(lambda unit: Categorical(), tables.categories, {"log probability": density(per_unit=False)}),
    # embeddings
    "SelfOrganizingMap": Subject(
        lambda unit: SelfOrganizingMap((1, 3), n_epochs=10, random_state=0), tables.groups, GROUPS
    ),
    "PairwiseSOM": Subject(
        lambda unit: PairwiseSOM((1, 3), n_steps=20, random_state=0),
        tables.groups,
        {"labels": grouping("labels_")},
        grows=False,
    ),
    "LocallyLinearEmbedding": Subject(
        lambda unit: LocallyLinearEmbedding(2, n_neighbors=75),
        tables.groups,
        {"embedding": fitted_rows("embedding_", 0, apart), "places": rows("transform", 0, unmatched)},
        near=1e-5,
        grows=False,
    ),
    "ConstantShiftEmbedding": Subject(
        lambda unit: ConstantShiftEmbedding(2, metric="precomputed"),
        tables.dissimilarities,
        {"embedding": fitted_rows("embedding_", 0.5, apart)},  # dissimilarities are squared distances
        n=40,
        near=1e-6,
        square=True,
        grows=False,
    ),
    # sources
    "FastICA": Subject(
        lambda unit: FastICA(3, tol=1e-10, max_iter=1000, random_state=0), tables.sources, SOURCES, n=600, near=1e-5
    ),
    "FastICA gradient": Subject(
        lambda unit: FastICA(3, solver="gradient", tol=1e-12, max_iter=1000, random_state=0),
        tables.sources,
        SOURCES,
        n=600,
        near=1e-4,
    ),
    "JADE": Subject(lambda unit: JADE(3, tol=1e-12), tables.sources, SOURCES, n=600, near=1e-5),
    "Infomax": Subject(lambda unit: Infomax(3, tol=1e-10, random_state=0), tables.sources, SOURCES, n=600, near=1e-5),
    "OnlineICA": Subject(
        lambda unit: OnlineICA(3, n_epochs=3, random_state=0),
        tables.sources,
        SOURCES,
        n=600,
        near=1e-6,
        drawn=0.2,
        grows=False,
    ),
    "SecondOrderICA": Subject(
        lambda unit: SecondOrderICA(3, tol=1e-12, max_iter=2000), tables.series, SOURCES, n=600, near=1e-5
    ),
    # roles
    "MultiAssignmentClustering": access_roles(
        lambda: MultiAssignmentClustering(3, n_init=1, moves=2, cooling=0.6, random_state=0)
    ),
    "SingleAssignmentClustering": access_roles(
        lambda: SingleAssignmentClustering(6, moves=2, cooling=0.6, random_state=0)
    ),
    "DiscreteBasis": access_roles(lambda: DiscreteBasis(3)),
    "HammingKMeans": access_roles(lambda: HammingKMeans(6, random_state=0)),
    "RoundedSVD": access_roles(lambda: RoundedSVD(3)),
    "SVDDenoiser": access_roles(lambda: SVDDenoiser(random_state=0)),
    "FastMiner": access_roles(lambda: FastMiner()),
    "CompleteMiner": access_roles(lambda: CompleteMiner()),
    # models of no structure
    "Constant": Subject(lambda unit: Constant(), tables.low_rank, FACTORS, near=1e-6),
    "ColumnMeans": Subject(lambda unit: ColumnMeans(), tables.low_rank, {**FACTORS, **DENSITY}, near=1e-6),
    "OneCluster": Subject(lambda unit: OneCluster(), tables.groups, GROUPS),
}
