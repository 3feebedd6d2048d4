"""Every estimator that takes sparse tables reads the same table from every form of it, to the bit."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

from unmix.cluster import (
    CorrelationClustering,
    GraphPartition,
    GrowingKMeans,
    HistogramClustering,
    InformationBottleneck,
    KMeans,
    OnlineKMeans,
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
from unmix.embedding import LocallyLinearEmbedding, SelfOrganizingMap, distortion
from unmix.roles import (
    CompleteMiner,
    DiscreteBasis,
    FastMiner,
    HammingKMeans,
    MultiAssignmentClustering,
    RoundedSVD,
    SingleAssignmentClustering,
    SVDDenoiser,
    read,
)
from unmix.sampling import MarkovChain
from unmix.separation import FastICA, Infomax, OnlineICA

ESTIMATORS = [
    KMeans(2, random_state=0),
    OnlineKMeans(2, random_state=0),
    SoftKMeans(2, max_iter=10, random_state=0),
    GrowingKMeans(0.6, random_state=0),
    HistogramClustering(2, max_iter=10, random_state=0),
    InformationBottleneck(2, curve=3, random_state=0),
    ParametricDistributionalClustering(2, n_components=3, max_iter=10, random_state=0),
    PCA(2),
    TruncatedSVD(2, random_state=0),
    NMF(2, random_state=0),
    NMF(2, beta_loss="kullback-leibler", max_iter=20, random_state=0),
    SemiNMF(2, random_state=0),
    CollaborativeFilter(2, random_state=0),
    SparseCoder(n_nonzero=2),
    DictionaryLearning(3, transform_n_nonzero_coefs=2, max_iter=4, random_state=0),
    MiniBatchDictionaryLearning(3, transform_n_nonzero_coefs=2, max_iter=2, random_state=0),
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
    GraphPartition(2, random_state=0),
    CorrelationClustering(2, random_state=0),
]
SQUARE = ("GraphPartition", "CorrelationClustering")
ASKED = ("transform", "predict", "score_samples", "score")


def table(square: bool) -> np.ndarray:
    """Two groups of rows with many zeros, of numbers that split into exact parts."""
    rng = np.random.default_rng(0)
    X = np.where(rng.random((60, 4)) < 0.5, rng.integers(1, 12, (60, 4)) / 4, 0.0)
    X[:30, :2] += 4
    X[np.arange(60), rng.integers(0, 4, 60)] += 1
    return X @ X.T if square else X


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


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_any_form_is_the_same_table(estimator, dtype):
    X = table(type(estimator).__name__ in SQUARE)
    plain = sp.csr_array(X.astype(dtype))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # few rows, few iterations
        expected = answers(clone(estimator).fit(plain), plain)
        for form in forms(X, dtype, zeros=not isinstance(estimator, CollaborativeFilter)):
            before = form.data.copy(), form.indices.copy()
            assert answers(clone(estimator).fit(form), form) == expected
            assert np.array_equal(form.data, before[0]) and np.array_equal(form.indices, before[1])


def test_a_stored_zero_is_a_rating():
    X = sp.csr_array((np.array([5.0, 0.0, 1.0, 4.0]), np.array([0, 1, 0, 1]), np.array([0, 2, 4])), shape=(2, 2))
    again = CollaborativeFilter(0, random_state=0).fit(np.array([[5.0, 0.0], [1.0, 4.0]]))
    assert CollaborativeFilter(0, random_state=0).fit(X).mean_ == again.mean_


def split_square():
    """A symmetric table of 0 and ½, every row of sum one, and the same in parts."""
    plain = np.array([[0.5, 0.5, 0.0, 0.0], [0.5, 0.0, 0.5, 0.0], [0.0, 0.5, 0.0, 0.5], [0.0, 0.0, 0.5, 0.5]])
    return plain, forms(plain, "f8")[0]


def test_other_doors_read_the_one_form():
    plain, split = split_square()
    assert np.array_equal(MarkovChain(split).P.toarray(), plain)
    places = np.arange(8.0).reshape(4, 2)
    assert np.array_equal(distortion(split, places, n_neighbors=1), distortion(plain, places, n_neighbors=1))
    coder = SparseCoder(np.eye(4)).fit(plain)
    assert np.array_equal(coder.inverse_transform(split), coder.inverse_transform(plain))


def test_access_is_what_parts_add_up_to():
    plain, split = split_square()
    access = read(2 * split)
    assert np.array_equal(access.matrix.toarray(), plain > 0) and access.matrix.nnz == 8
    with pytest.raises(ValueError, match="other than 0 and 1"):
        read(split)
