"""What scikit-learn promises of an estimator, and what we add: every container, float32 kept, weights as repeats."""

import numpy as np
import pandas
import polars
import pytest
from scipy.sparse import csr_array, csr_matrix
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

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
from unmix.validation import Constant, OneCluster

rng = np.random.default_rng(0)
X = np.abs(rng.normal(size=(120, 4)) + 4 * rng.integers(0, 2, (120, 1)))  # amounts, which every estimator takes
ESTIMATORS = [
    PCA(2),
    RobustPCA(tol=1e-12),
    TruncatedSVD(2, random_state=0),
    CollaborativeFilter(2, random_state=0),
    SparseCoder("overcomplete_dct", transform_n_nonzero_coefs=2),
    DictionaryLearning(3, fit_algorithm="ksvd", transform_n_nonzero_coefs=2, random_state=0),
    MiniBatchDictionaryLearning(3, fit_algorithm="omp", transform_n_nonzero_coefs=2, random_state=0),
    NMF(2, random_state=0, max_iter=2000),
    NMF(2, beta_loss="kullback-leibler", alpha_W=0.01, l1_ratio=0.5, random_state=0, max_iter=2000),
    NMF(2, solver="mu", random_state=0, max_iter=2000),
    SemiNMF(2, random_state=0, max_iter=2000),
    Factorization(2, random_state=0),
    KMeans(3, random_state=0),
    InformationBottleneck(3, curve=5, random_state=0),
    InformationBottleneck(3, beta=20.0, curve=None, n_init=2, random_state=0),
    GaussianMixture(2, random_state=0),
    Gaussian(),
    Gaussian(unbiased=True, shrinkage="ledoit-wolf"),
    HistogramDensity(),
    HistogramDensity("knuth"),
    KernelDensity("likelihood", random_state=0),
    KernelDensity("k-fold", shape="full", random_state=0),
    GlidingHistogram(8.0),
    SelfOrganizingMap((3, 4), random_state=0),
    LocallyLinearEmbedding(n_neighbors=70),  # more than a cluster has, so that they hang together
    LocallyLinearEmbedding(n_neighbors=70, method="modified"),
    MiniBatchKMeans(3, random_state=0),
    GrowingKMeans(0.3, random_state=0),
    SoftKMeans(3, random_state=0),
    MultiAssignmentClustering(3, n_init=1, moves=2, threshold=4.0, random_state=0),
    SingleAssignmentClustering(3, threshold=4.0, random_state=0),
    DiscreteBasis(3, threshold=4.0),
    HammingKMeans(3, threshold=4.0, random_state=0),
    RoundedSVD(2, threshold=4.0),
    SVDDenoiser(threshold=4.0, random_state=0),
    FastMiner(threshold=4.0),
    CompleteMiner(threshold=4.0),
    FastICA(2, random_state=0),
    JADE(2),
    Infomax(2, random_state=0),
    OnlineICA(2, random_state=0),
]
NOT_FOR_SPARSE = {
    "CollaborativeFilter",  # what a sparse table of ratings does not hold is unknown, not zero
    "GlidingHistogram",  # rows and queries are sorted into dense boxes
    "KernelDensity",
    "RobustPCA",  # the sparse part is looked for in a dense table
}
UNWEIGHTED = {"TruncatedSVD", "SparseCoder", "LocallyLinearEmbedding"}
# Small where a fit is long: scikit-learn fits each a hundred times.
CHECKED = [
    PCA(),
    RobustPCA(),
    RobustPCA(missing="ignore"),
    PCA(whiten=True),
    TruncatedSVD(),
    CollaborativeFilter(),
    SecondOrderICA(),
    SparseCoder(),
    SparseCoder("overcomplete_dct", transform_algorithm="lasso_lars"),
    SparseCoder(transform_algorithm="threshold", split_sign=True),
    SparseCoder(transform_algorithm="lars"),
    DictionaryLearning(max_iter=5),
    DictionaryLearning(fit_algorithm="ksvd", max_iter=5),
    MiniBatchDictionaryLearning(fit_algorithm="omp", max_iter=5),
    MiniBatchDictionaryLearning(max_iter=5, fit_algorithm="lars"),
    NMF(),
    NMF(2, beta_loss="kullback-leibler"),
    NMF(2, solver="mu"),
    SemiNMF(),
    Factorization(),
    KMeans(),
    GaussianMixture(),
    GaussianMixture(missing="ignore"),
    Gaussian(),
    Gaussian(missing="ignore"),
    KernelDensity("likelihood"),
    KernelDensity(),
    GlidingHistogram(),
    Categorical(),
    HistogramDensity(),
    SelfOrganizingMap((6, 6)),
    PairwiseSOM((3, 3), n_steps=5),
    LocallyLinearEmbedding(),
    LocallyLinearEmbedding(method="modified"),
    MiniBatchKMeans(),
    LocallyLinearEmbedding(1, method="hessian", eigen_solver="dense"),
    LocallyLinearEmbedding(1, method="ltsa"),
    GrowingKMeans(),
    InformationBottleneck(3, curve=5, n_init=2),
    PairwiseClustering(),
    CorrelationClustering(),
    GraphPartition(),
    ConstantShiftEmbedding(),
    OneCluster(),
    Constant(),
    LeastAngleClustering(),
    SmoothKMeans(),
    SoftKMeans(3, cooling=0.6),
    HistogramClustering(3, cooling=0.6),
    ParametricDistributionalClustering(3, cooling=0.6),
    MultiAssignmentClustering(2, n_init=1, moves=2, cooling=0.4),
    SingleAssignmentClustering(2, moves=2, cooling=0.4),
    DiscreteBasis(),
    HammingKMeans(),
    RoundedSVD(),
    SVDDenoiser(),
    FastMiner(),
    CompleteMiner(),
    FastICA(),
    FastICA(solver="gradient", whiten="arbitrary-variance"),
    JADE(),
    Infomax(),
    OnlineICA(),
]


def names(estimator):
    return type(estimator).__name__


def answer(model, data):
    """What the model says of new rows, as numbers."""
    for method in ("transform", "predict_proba", "score_samples"):
        if hasattr(model, method):
            return np.asarray(getattr(model, method)(data))
    raise AssertionError(f"{names(model)} says nothing of new rows")


def all_checks():
    """Every check of every estimator; those of further settings of a class are part of the long form."""
    seen = set()
    for estimator in CHECKED:
        marks = [pytest.mark.long] if names(estimator) in seen else []
        seen.add(names(estimator))
        for pair in estimator_checks_generator(estimator):
            yield pytest.param(*pair, marks=marks)


@pytest.mark.slow_without_jit
@pytest.mark.filterwarnings("ignore")  # scikit-learn's checks fit what they expect to be warned about
@pytest.mark.parametrize(
    "estimator, check",
    list(all_checks()),
    ids=lambda v: names(v) if hasattr(v, "fit") else getattr(v, "func", v).__name__,
)
def test_scikit_learn_check(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=names)
def test_single_precision_is_kept(estimator):
    for dtype in (np.float32, np.float64):
        model = clone(estimator).fit(X.astype(dtype))
        assert answer(model, X.astype(dtype)).dtype == dtype
        learned = {k: v for k, v in vars(model).items() if k.endswith("_") and np.ndim(v) == 2}
        assert learned and all(v.dtype == dtype for v in learned.values()), {k: v.dtype for k, v in learned.items()}


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=names)
def test_every_container_is_the_same_data(estimator, tmp_path):
    columns = ["a", "b", "c", "d"]
    np.save(tmp_path / "x.npy", X)
    polars.DataFrame(X, schema=columns).write_csv(tmp_path / "x.csv")
    expected = answer(clone(estimator).fit(X), X)
    for data in (
        X.tolist(),
        pandas.DataFrame(X, columns=columns),
        polars.DataFrame(X, schema=columns),
        tmp_path / "x.npy",
        str(tmp_path / "x.csv"),
    ):
        np.testing.assert_array_equal(answer(clone(estimator).fit(data), data), expected, err_msg=str(type(data)))


@pytest.mark.parametrize("estimator", [e for e in ESTIMATORS if names(e) not in NOT_FOR_SPARSE], ids=names)
@pytest.mark.parametrize("kind", [csr_array, csr_matrix])
def test_sparse_gives_the_dense_answer(estimator, kind):
    sparse = np.where(rng.random(X.shape) < 0.6, 0.0, X)
    dense, got = clone(estimator).fit(sparse), clone(estimator).fit(kind(sparse))
    np.testing.assert_allclose(answer(got, kind(sparse)), answer(dense, sparse), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("estimator", [e for e in ESTIMATORS if names(e) not in UNWEIGHTED], ids=names)
def test_weight_two_is_the_row_twice(estimator):
    weights = rng.integers(0, 4, len(X))
    weighted = clone(estimator).fit(X, sample_weight=weights)
    repeated = clone(estimator).fit(np.repeat(X, weights, axis=0))
    np.testing.assert_allclose(answer(weighted, X), answer(repeated, X), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=names)
def test_same_seed_same_bits(estimator):
    assert np.array_equal(answer(clone(estimator).fit(X), X), answer(clone(estimator).fit(X), X))


@pytest.mark.parametrize("estimator", [e for e in ESTIMATORS if hasattr(e, "transform")], ids=names)
def test_output_containers_and_names(estimator):
    frame = pandas.DataFrame(X, columns=["a", "b", "c", "d"])
    for container, kind in (("pandas", pandas.DataFrame), ("polars", polars.DataFrame)):
        model = clone(estimator).set_output(transform=container)
        out = model.fit(frame).transform(frame)
        assert isinstance(out, kind)
        assert list(out.columns) == list(model.get_feature_names_out())
    piped = make_pipeline(MinMaxScaler(), clone(estimator)).fit(frame)
    assert len(piped.get_feature_names_out()) == piped.transform(frame).shape[1]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=names)
def test_wrong_columns_are_named(estimator, tmp_path):
    columns = ["a", "b", "c", "d"]
    model = clone(estimator).fit(pandas.DataFrame(X, columns=columns))
    np.save(tmp_path / "wide.npy", np.ones((3, 5)))
    polars.DataFrame(X, schema=["a", "b", "c", "e"]).write_csv(tmp_path / "other.csv")
    with pytest.raises(ValueError, match="feature"):
        answer(model, tmp_path / "other.csv")
    with pytest.raises(ValueError, match="5 features"), pytest.warns(UserWarning, match="feature names"):
        answer(model, tmp_path / "wide.npy")


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("estimator", [KMeans(4, random_state=0), GaussianMixture(3, random_state=0)], ids=names)
def test_scikit_learn_callbacks_are_told(estimator):
    callback = pytest.importorskip("sklearn.callback", reason="this scikit-learn has no callbacks")

    class Count:
        events: list

        def setup(self, estimator, context):
            self.events = ["setup"]

        def teardown(self, estimator, context):
            self.events.append("teardown")

        def on_fit_task_begin(self, estimator, context):
            self.events.append(f"begin {context.task_name}")

        def on_fit_task_end(self, estimator, context):
            self.events.append(f"end {context.task_name}")

    count = Count()
    assert isinstance(count, callback.FitCallback)
    model = clone(estimator).set_callbacks(count).fit(X)
    assert count.events[:2] == ["setup", "begin fit"] and count.events[-2:] == ["end fit", "teardown"]
    inner = [e for e in count.events if e.startswith("end") and e != "end fit"]
    assert len(inner) == len(model.trace_) > 0
