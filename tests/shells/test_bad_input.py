"""Bad input gets one clear sentence, degenerate input a right answer, from every estimator."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone

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
    DictionaryLearning,
    MiniBatchDictionaryLearning,
    RobustPCA,
    SemiNMF,
    SparseCoder,
    TruncatedSVD,
)
from unmix.density import Gaussian, GaussianMixture, GlidingHistogram, HistogramDensity, KernelDensity
from unmix.embedding import LocallyLinearEmbedding, PairwiseSOM, SelfOrganizingMap
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

ESTIMATORS = [
    PCA(1),
    RobustPCA(penalty=5.0),  # keeps both directions
    TruncatedSVD(1, random_state=0),
    SparseCoder(transform_n_nonzero_coefs=2),
    DictionaryLearning(2, fit_algorithm="ksvd", transform_n_nonzero_coefs=2, random_state=0),
    MiniBatchDictionaryLearning(2, fit_algorithm="omp", transform_n_nonzero_coefs=2, random_state=0),
    NMF(1, random_state=0, max_iter=1000),
    SemiNMF(1, random_state=0, max_iter=1000),
    KMeans(2, random_state=0),
    GaussianMixture(2, random_state=0),
    SelfOrganizingMap((2, 2), random_state=0),
    LocallyLinearEmbedding(1, n_neighbors=25),
    MiniBatchKMeans(2, random_state=0),
    GrowingKMeans(0.3, random_state=0),
    InformationBottleneck(2, random_state=0),
    SoftKMeans(2, random_state=0),
    MultiAssignmentClustering(2, threshold=5.0, random_state=0),
    SingleAssignmentClustering(2, threshold=5.0, random_state=0),
    DiscreteBasis(2, threshold=5.0),
    HammingKMeans(2, threshold=5.0, random_state=0),
    RoundedSVD(1, threshold=5.0),
    SVDDenoiser(threshold=5.0, random_state=0),
    FastMiner(threshold=5.0),
    CompleteMiner(threshold=5.0),
    FastICA(1, random_state=0),
    JADE(1),
    Infomax(1, random_state=0),
    OnlineICA(1, random_state=0),
]
IN_MEMORY = [  # or of other needs than the tests above them
    PairwiseClustering(1),
    PairwiseClustering(1, metric="precomputed"),
    CorrelationClustering(metric="precomputed"),
    GraphPartition(1, metric="precomputed"),
    LeastAngleClustering(1),
    SmoothKMeans(1, neighbors=(1, 2)),
    HistogramClustering(1),
    ParametricDistributionalClustering(1),
    PairwiseSOM((1, 2)),
    Gaussian(),
    KernelDensity("likelihood"),
    GlidingHistogram(),
    HistogramDensity(),
    SecondOrderICA(1),
    Constant(),
    ColumnMeans(),
    OneCluster(),
]
UNWEIGHTED = ("TruncatedSVD", "SparseCoder", "LocallyLinearEmbedding")
rng = np.random.default_rng(0)
GROUPS = np.abs(np.repeat([[0.0, 0.0], [10.0, 5.0]], 20, axis=0) + rng.normal(size=(40, 2)))

REFUSED = {
    "no rows": (np.empty((0, 3)), "0 sample"),
    "no columns": (np.empty((3, 0)), "0 feature"),
    "one dimension": (np.ones(5), "1D|Reshape"),
    "three dimensions": (np.ones((3, 3, 3)), "dim 3|3D"),
    "complex": (np.ones((5, 2), complex), "[Cc]omplex"),
    "text": (np.array([["a", "b"], ["c", "d"]]), "text, such as .*leave such columns out"),
    "infinite": (np.array([[1.0, np.inf], [0.0, 1.0]]), "infinity: 1 of 4 entries, the first in column 1"),
    "objects": (np.array([[1, "x"], [2, "y"]], dtype=object), "text, such as 'x'"),
    "wrong path": ("no_such_table.csv", "There is no file"),
}


def names(estimator):
    return type(estimator).__name__


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=names)
@pytest.mark.parametrize("case", REFUSED)
def test_refused_in_one_sentence(estimator, case):
    data, sentence = REFUSED[case]
    with pytest.raises((ValueError, TypeError, FileNotFoundError), match=sentence):
        clone(estimator).fit(data)


@pytest.mark.parametrize("estimator", IN_MEMORY, ids=names)
@pytest.mark.parametrize("case", ["no rows", "no columns", "complex", "text", "infinite", "objects"])
def test_the_sentence_is_the_same_for_all(estimator, case):
    data, sentence = REFUSED[case]
    with pytest.raises((ValueError, TypeError), match=sentence):
        clone(estimator).fit(data)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=names)
def test_nan_everywhere(estimator):
    with pytest.raises(ValueError, match=r"NaN|no observed value"):
        clone(estimator).fit(np.full((6, 2), np.nan))


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=names)
@pytest.mark.parametrize("dtype", ["i1", "f2", "?", "i8", "u2"])
def test_small_and_odd_types_are_read_as_numbers(estimator, dtype):
    data = (GROUPS > 5) if dtype == "?" else np.round(GROUPS).clip(0, 100)
    data = data.astype(dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # few distinct rows
        model, plain = clone(estimator).fit(data), clone(estimator).fit(data.astype("f8"))
    ask = "transform" if hasattr(model, "transform") else "predict_proba"
    np.testing.assert_allclose(getattr(model, ask)(data), getattr(plain, ask)(data.astype("f8")), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=names)
def test_order_and_read_only_memory_do_not_matter(estimator, tmp_path):
    np.save(tmp_path / "x.npy", GROUPS)
    ask = "transform" if hasattr(estimator, "transform") else "predict_proba"
    expected = getattr(clone(estimator).fit(GROUPS), ask)(GROUPS)
    for data in (np.asfortranarray(GROUPS), np.load(tmp_path / "x.npy", mmap_mode="r"), GROUPS[::1, ::-1][:, ::-1]):
        assert np.array_equal(getattr(clone(estimator).fit(data), ask)(data), expected)


@pytest.mark.parametrize("scale", [1e300, 1e150, 1e-150, 1e-300])
@pytest.mark.parametrize("kind", ["KMeans", "GaussianMixture"])
def test_extreme_scales_give_the_same_grouping(kind, scale):
    estimator = {"KMeans": KMeans(2, random_state=0), "GaussianMixture": GaussianMixture(2, random_state=0)}[kind]
    expected = clone(estimator).fit(GROUPS).predict(GROUPS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = clone(estimator).fit(GROUPS * scale)
    assert np.array_equal(model.predict(GROUPS * scale), expected)


@pytest.mark.parametrize("scale", [1e300, 1e-300])
@pytest.mark.parametrize(
    "estimator", [PCA(1), TruncatedSVD(1, random_state=0), NMF(1), SemiNMF(1, tol=1e-10)], ids=names
)
def test_extreme_scales_give_the_same_directions(estimator, scale):
    expected = clone(estimator).fit(GROUPS).components_
    found = clone(estimator).fit(GROUPS * scale).components_
    np.testing.assert_allclose(found / np.abs(found).max(), expected / np.abs(expected).max(), atol=1e-8)


def test_constant_and_duplicate_rows():
    constant = np.full((10, 3), 7.0)
    assert np.allclose(PCA(2).fit(constant).explained_variance_, 0)
    with pytest.warns(UserWarning, match="distinct"):
        model = KMeans(3, random_state=0).fit(constant)
    assert model.inertia_ == 0 and np.allclose(model.predict(constant), model.labels_)
    mixture = GaussianMixture(1, random_state=0).fit(constant)
    assert np.isfinite(mixture.score_samples(constant)).all() and np.allclose(mixture.means_, 7)


@pytest.mark.parametrize(
    "make, sentence",
    [
        (lambda: KMeans(0), "n_clusters"),
        (lambda: KMeans(5), "n_clusters|n_samples"),
        (lambda: KMeans(2, init="best"), "init"),
        (lambda: KMeans(2, tol=-1), "tol"),
        (lambda: InformationBottleneck(0), "n_clusters"),
        (lambda: InformationBottleneck(5), "n_clusters|n_samples"),
        (lambda: InformationBottleneck(2, beta=0), "beta"),
        (lambda: InformationBottleneck(2, curve=[-1.0]), "curve"),
        (lambda: InformationBottleneck(2, path="left"), "path"),
        (lambda: InformationBottleneck(2, init="best"), "init"),
        (lambda: SoftKMeans(0), "n_clusters"),
        (lambda: SoftKMeans(2, inference="magic"), "inference"),
        (lambda: MultiAssignmentClustering(0, threshold=1), "n_roles"),
        (lambda: MultiAssignmentClustering(2, threshold=-1), "threshold"),
        (lambda: MultiAssignmentClustering(2, cooling=1, threshold=1), "cooling"),
        (lambda: MultiAssignmentClustering(2, max_roles_per_user=0, threshold=1), "max_roles_per_user"),
        (lambda: SingleAssignmentClustering(2, tol=-1, threshold=1), "tol"),
        (lambda: DiscreteBasis(2, tau=0, threshold=1), "tau"),
        (lambda: DiscreteBasis(2, penalty=0, threshold=1), "penalty"),
        (lambda: HammingKMeans(2, n_init=0, threshold=1), "n_init"),
        (lambda: RoundedSVD(2, role_threshold=2, threshold=1), "role_threshold"),
        (lambda: SVDDenoiser("best", threshold=1), "n_components"),
        (lambda: FastMiner(rank="best", threshold=1), "rank"),
        (lambda: GaussianMixture(0), "n_components"),
        (lambda: GaussianMixture(5), "n_components|n_samples"),
        (lambda: GaussianMixture(2, covariance_type="round"), "covariance_type"),
        (lambda: PCA(9), "n_components"),
        (lambda: PCA(2, svd_solver="best"), "svd_solver"),
        (lambda: TruncatedSVD(0), "n_components"),
        (lambda: RobustPCA(penalty=0), "penalty"),
        (lambda: RobustPCA(noise=-1), "noise"),
        (lambda: RobustPCA(tol=0), "tol"),
        (lambda: RobustPCA(max_iter=0), "max_iter"),
        (lambda: DictionaryLearning(0, fit_algorithm="ksvd"), "n_components"),
        (lambda: DictionaryLearning(2, fit_algorithm="ksvd", transform_n_nonzero_coefs=0), "transform_n_nonzero_coefs"),
        (lambda: DictionaryLearning(2, fit_algorithm="ksvd", transform_tol=-1), "transform_tol"),
        (lambda: DictionaryLearning(2, dict_init="best"), "dict_init"),
        (lambda: DictionaryLearning(2, dict_init=np.eye(3)), "dict_init"),
        (lambda: DictionaryLearning(2, fit_algorithm="ksvd", update="best"), "update"),
        (lambda: MiniBatchDictionaryLearning(0, fit_algorithm="omp"), "n_components"),
        (lambda: MiniBatchDictionaryLearning(2, fit_algorithm="mp"), "fit_algorithm"),
        (lambda: MiniBatchDictionaryLearning(2, fit_algorithm="omp", batch_size=0), "batch_size"),
        (lambda: MiniBatchDictionaryLearning(2, alpha=-1), "alpha"),
        (lambda: SparseCoder("best"), "dictionary"),
        (lambda: SparseCoder(np.eye(2)), "dictionary"),
        (lambda: SparseCoder(transform_algorithm="best"), "transform_algorithm"),
        (lambda: SparseCoder(transform_n_nonzero_coefs=0), "transform_n_nonzero_coefs"),
        (lambda: SparseCoder(transform_tol=-1), "transform_tol"),
        (lambda: SparseCoder(transform_alpha=-1), "transform_alpha"),
        (lambda: SparseCoder(output="best"), "output"),
        (lambda: SparseCoder(split_sign="yes"), "split_sign"),
        (lambda: SparseCoder(transform_max_iter=-1), "transform_max_iter"),
        (lambda: DictionaryLearning(2, fit_algorithm="best"), "fit_algorithm"),
        (lambda: DictionaryLearning(2, fit_algorithm="ksvd", positive_dict=True), "positive_dict"),
        (lambda: DictionaryLearning(2, callback="print"), "callback"),
        (lambda: DictionaryLearning(2, code_init=np.eye(3)), "code_init"),
        (lambda: MiniBatchDictionaryLearning(2, max_no_improvement=-1), "max_no_improvement"),
        (lambda: NMF(0), "n_components"),
        (lambda: NMF(2, solver="best"), "solver"),
        (lambda: NMF(2, beta_loss="itakura-saito"), "beta_loss"),
        (lambda: NMF(2, init="best"), "init"),
        (lambda: NMF(2, init="custom"), "custom"),
        (lambda: NMF(2, init=np.ones((2, 5))), "init"),
        (lambda: NMF(3, init=np.ones((2, 3))), "n_components"),
        (lambda: NMF(2, alpha_W=-1), "alpha_W"),
        (lambda: NMF(2, l1_ratio=2), "l1_ratio"),
        (lambda: SemiNMF(0), "n_components"),
        (lambda: SemiNMF(2, solver="best"), "solver"),
        (lambda: SemiNMF(2, init="best"), "init"),
        (lambda: SemiNMF(2, init=np.ones((2, 5))), "init"),
    ],
)
def test_wrong_parameters_are_named(make, sentence):
    with pytest.raises(ValueError, match=sentence):
        make().fit(np.arange(12.0).reshape(4, 3))


@pytest.mark.parametrize("estimator", [e for e in ESTIMATORS if names(e) not in UNWEIGHTED], ids=names)
@pytest.mark.parametrize(
    "weights, sentence",
    [(-np.ones(40), "negative"), (np.ones(3), "shape"), (np.zeros(40), "zero"), (np.full(40, np.nan), "NaN")],
)
def test_wrong_weights_are_named(estimator, weights, sentence):
    with pytest.raises(ValueError, match=sentence):
        clone(estimator).fit(GROUPS, sample_weight=weights)


@pytest.mark.parametrize("frame", ["pandas", "polars"])
def test_a_frame_without_columns_is_told_in_a_sentence(frame):
    with pytest.raises(ValueError, match="X is a frame with 0 columns"):
        PCA(1).fit(pytest.importorskip(frame).DataFrame())
