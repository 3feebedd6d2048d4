"""The estimators that take sparse tables, one small table for all of them, and other forms of it."""

import numpy as np
import scipy.sparse as sp

from unmix.cluster import (
    CorrelationClustering,
    GraphPartition,
    GrowingKMeans,
    HistogramClustering,
    InformationBottleneck,
    KMeans,
    MiniBatchKMeans,
    ParametricDistributionalClustering,
    SoftKMeans,
)
from unmix.decomposition import (
    NMF,
    PCA,
    CollaborativeFilter,
    DictionaryLearning,
    MiniBatchDictionaryLearning,
    SemiNMF,
    SparseCoder,
    TruncatedSVD,
)
from unmix.density import Gaussian, GaussianMixture, HistogramDensity
from unmix.embedding import LocallyLinearEmbedding, SelfOrganizingMap
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
from unmix.separation import FastICA, Infomax, OnlineICA

ESTIMATORS = [
    KMeans(2, random_state=0),
    MiniBatchKMeans(2, random_state=0),
    SoftKMeans(2, max_iter=10, random_state=0),
    GrowingKMeans(0.6, random_state=0),
    HistogramClustering(2, cooling=0.3, max_iter=3, random_state=0),
    InformationBottleneck(2, curve=3, random_state=0),
    ParametricDistributionalClustering(2, n_components=3, cooling=0.3, max_iter=3, random_state=0),
    PCA(2),
    TruncatedSVD(2, random_state=0),
    NMF(2, random_state=0),
    NMF(2, beta_loss="kullback-leibler", max_iter=20, random_state=0),
    SemiNMF(2, random_state=0),
    CollaborativeFilter(2, random_state=0),
    SparseCoder(transform_n_nonzero_coefs=2),
    DictionaryLearning(3, fit_algorithm="ksvd", transform_n_nonzero_coefs=2, max_iter=4, random_state=0),
    MiniBatchDictionaryLearning(3, fit_algorithm="omp", transform_n_nonzero_coefs=2, max_iter=2, random_state=0),
    Gaussian(),
    GaussianMixture(2, covariance_type="diag", random_state=0),
    HistogramDensity(2),
    LocallyLinearEmbedding(2, n_neighbors=6),
    SelfOrganizingMap((2, 2), n_epochs=3, random_state=0),
    FastICA(2, tol=1e-2, random_state=0),
    Infomax(2, tol=1e-2, random_state=0),
    OnlineICA(2, n_epochs=1, random_state=0),
    DiscreteBasis(2, threshold=2.0),
    HammingKMeans(2, threshold=2.0, random_state=0),
    MultiAssignmentClustering(2, threshold=2.0, random_state=0),
    SingleAssignmentClustering(2, threshold=2.0, random_state=0),
    RoundedSVD(2, threshold=2.0),
    SVDDenoiser(2, threshold=2.0, random_state=0),
    FastMiner(threshold=2.0),
    CompleteMiner(threshold=2.0),
    GraphPartition(2, random_state=0, metric="precomputed"),
    CorrelationClustering(2, random_state=0, metric="precomputed"),
]
SQUARE = ("GraphPartition", "CorrelationClustering")
ASKED = ("transform", "predict", "score_samples", "score")


def table(estimator) -> np.ndarray:
    """Two groups of rows with many zeros, of numbers that split into exact parts."""
    rng = np.random.default_rng(0)
    X = np.where(rng.random((60, 4)) < 0.5, rng.integers(1, 12, (60, 4)) / 4, 0.0)
    X[:30, :2] += 4
    X[np.arange(60), rng.integers(0, 4, 60)] += 1
    return X @ X.T if type(estimator).__name__ in SQUARE else X


def forms(X, dtype, zeros=True):
    """CSR with every entry in three parts and out of order, with stored zeros and wide indices; and turned to CSC."""
    rng = np.random.default_rng(1)
    rows, columns = np.nonzero(X)
    values = X[rows, columns]
    empty = np.argwhere(X == 0)[::3] if zeros else np.empty((0, 2), int)
    rows, columns = np.concatenate([rows, rows, rows, empty[:, 0]]), np.concatenate([columns] * 3 + [empty[:, 1]])
    parts = np.concatenate([values + 2, values - 1, -values - 1, np.zeros(len(empty))]).astype(dtype)
    order = np.lexsort((rng.random(len(rows)), rows))
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(X)))])
    split = sp.csr_array((parts[order], columns[order].astype(np.int64), starts), shape=X.shape)
    return [split, sp.csc_array(split)]


def answers(model, X):
    fitted = [v for k, v in sorted(vars(model).items()) if k.endswith("_") and k != "trace_"]
    ask = ("transform",) if isinstance(model, CollaborativeFilter) else ASKED  # it predicts into no sparse table
    asked = [getattr(model, name)(X) for name in ask if hasattr(model, name)]
    arrays = [np.asarray(v.toarray() if sp.issparse(v) else v) for v in fitted + asked]
    return [a.tobytes() for a in arrays if a.dtype.kind in "fiub"]
