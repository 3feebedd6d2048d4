"""Any estimator, any unit: a table times a power of two gives the answer times that power, as no digit is changed.

Powers are such that squares of the rows overflow or vanish. Left out are those with amounts in units of the data
(windows, penalties, thresholds, pseudo-counts), which refuse such tables or give the answer of another setting.
"""

import warnings

import numpy as np
import pytest
from sklearn.base import clone

from unmix.cluster import GrowingKMeans, KMeans, LeastAngleClustering, MiniBatchKMeans, SmoothKMeans, SoftKMeans
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
from unmix.density import GaussianMixture
from unmix.embedding import ConstantShiftEmbedding, LocallyLinearEmbedding, SelfOrganizingMap
from unmix.separation import JADE, FastICA, Infomax, OnlineICA, SecondOrderICA

rng = np.random.default_rng(0)
X = np.abs(rng.laplace(size=(60, 4)) + 6 * rng.integers(0, 2, (60, 1))) + 0.1
SQUARES = np.sum((X[:, None] - X) ** 2, axis=2)
SQUARES = 0.5 * (SQUARES + SQUARES.T)
ESTIMATORS = [
    PCA(2, whiten=True),
    RobustPCA(),
    TruncatedSVD(2, random_state=0),
    CollaborativeFilter(1, random_state=0, tol=1e-3),
    SparseCoder("overcomplete_dct", transform_n_nonzero_coefs=2),
    DictionaryLearning(3, fit_algorithm="ksvd", transform_n_nonzero_coefs=2, max_iter=5, random_state=0),
    MiniBatchDictionaryLearning(3, fit_algorithm="omp", transform_n_nonzero_coefs=2, max_iter=5, random_state=0),
    NMF(2, random_state=0, tol=1e-2),
    SemiNMF(2, random_state=0, tol=1e-2),
    Factorization(2, random_state=0),
    KMeans(3, random_state=0),
    MiniBatchKMeans(3, random_state=0),
    GrowingKMeans(0.3, random_state=0),
    SoftKMeans(3, random_state=0),
    SmoothKMeans(2, neighbors=(6, 10), random_state=0),
    LeastAngleClustering(2, random_state=0),
    GaussianMixture(2, random_state=0),
    SelfOrganizingMap((2, 3), n_epochs=3, random_state=0),
    LocallyLinearEmbedding(n_neighbors=50),
    ConstantShiftEmbedding(2, metric="precomputed"),
    FastICA(2, random_state=0),
    JADE(2),
    Infomax(2, random_state=0),
    OnlineICA(2, n_epochs=3, random_state=0),
    OnlineICA(2, rule="kurtosis", n_epochs=3, random_state=0),
    SecondOrderICA(2),
]
IN_PIECES = [estimator for estimator in ESTIMATORS if hasattr(estimator, "partial_fit")]


def answers(estimator, data, fit="fit"):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # few steps, few rows: not the point; overflows stay errors
        model = getattr(clone(estimator), fit)(data)
        if fit == "partial_fit":
            model.partial_fit(data)
        told = [name for name in ("predict", "transform", "predict_proba") if hasattr(model, name)]
        return {name: np.asarray(getattr(model, name)(data), np.float64) for name in told}


def in_own_unit(values):
    return values / (np.abs(values).max() or 1.0)


def compare(estimator, dtype, power, fit):
    data = (SQUARES if isinstance(estimator, ConstantShiftEmbedding) else X).astype(dtype)
    plain, scaled = answers(estimator, data, fit), answers(estimator, np.ldexp(data, power), fit)
    digits = 1e-4 if dtype == "f4" else 1e-9
    for name, value in plain.items():
        np.testing.assert_allclose(in_own_unit(scaled[name]), in_own_unit(value), atol=digits, err_msg=name)
        assert np.isfinite(value).all()


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("dtype, power", [("f8", 990), ("f8", -990), ("f4", 100), ("f4", -100)])
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda model: type(model).__name__)
def test_another_unit_gives_the_same_answer_in_that_unit(estimator, dtype, power):
    compare(estimator, dtype, power, "fit")


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("dtype, power", [("f8", 990), ("f8", -990), ("f4", 100), ("f4", -100)])
@pytest.mark.parametrize("estimator", IN_PIECES, ids=lambda model: type(model).__name__)
def test_rows_that_come_in_pieces_too(estimator, dtype, power):
    compare(estimator, dtype, power, "partial_fit")
