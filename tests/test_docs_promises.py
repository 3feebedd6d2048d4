"""Sentences on pages that promise something, each tried as a reader would; other tests hold what is not here."""

import json
import re

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.special import logsumexp

import unmix
from unmix.cluster import KMeans, SoftKMeans
from unmix.decomposition import NMF, PCA, SemiNMF, TruncatedSVD, intrinsic_dimension
from unmix.density import Gaussian, GaussianMixture, GlidingHistogram, HistogramDensity, KernelDensity
from unmix.embedding import SelfOrganizingMap
from unmix.report import render
from unmix.report.embed import MOST_POINTS, chosen_points
from unmix.separation import JADE, Infomax

both = pytest.mark.parametrize("dtype", [np.float64, np.float32])


def rows(seed, n=300, d=4):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) + 4 * rng.integers(0, 3, size=(n, 1))


@both
def test_the_likelihood_of_a_mixture_never_falls_by_more_than_rounding(dtype):
    for seed in range(3):
        model = GaussianMixture(3, tol=0, max_iter=100, random_state=seed).fit(rows(seed).astype(dtype))
        steps = [row["log_likelihood"] for row in model.trace_ if row["stage"] == "em"]
        assert np.diff(steps).min() >= -1e-12 * abs(steps[-1])


@both
@pytest.mark.parametrize("model", [NMF, SemiNMF])
def test_momentum_raises_an_objective_by_no_more_than_rounding(model, dtype):
    for seed in range(3):
        found = model(3, tol=0, max_iter=60, random_state=seed).fit(np.abs(rows(seed)).astype(dtype))
        last = [row for row in found.trace_ if row["stage"] not in ("lloyd", "codes")]
        steps = [row["objective"] for row in last]
        rounding = {NMF: 1e-5, SemiNMF: 1e-4}[model] if dtype == np.float32 else 1e-12
        assert len(steps) > 1 and np.diff(steps).max() <= rounding * steps[0]


def test_codes_of_a_row_depend_on_the_row_alone_to_the_last_digits():
    X = np.abs(rows(0))
    model = NMF(3, random_state=0).fit(X)
    alone = np.vstack([model.transform(X[i : i + 1]) for i in range(30)])
    assert np.allclose(model.transform(X)[:30], alone, rtol=1e-12, atol=1e-13)


@both
def test_the_exact_winner_never_raises_the_cost_at_a_fixed_width(dtype):
    model = SelfOrganizingMap((4, 4), winner="exact", sigma=(1.0, 1.0), n_epochs=20, random_state=0)
    trace = model.fit(rows(1).astype(dtype)).trace_
    costs = [row.get("cost", row.get("objective")) for row in trace]
    assert len(costs) > 5 and np.diff(costs).max() <= 1e-12 * costs[0]


@pytest.mark.parametrize("d", [1, 2, 3])
@both
def test_a_kernel_density_is_right_to_rtol_and_the_rounding_of_its_logarithm(d, dtype):
    rng = np.random.default_rng(d)
    X, places = rng.normal(size=(300, d)).astype(dtype), 2 * rng.normal(size=(100, d)).astype(dtype)
    squared = ((places[:, None].astype(float) - X.astype(float)) ** 2).sum(axis=2)
    exact = logsumexp(-squared / 2 / 0.4**2, axis=1) - np.log(len(X)) - d * np.log(0.4 * np.sqrt(2 * np.pi))
    found = KernelDensity(0.4).fit(X).score_samples(places).astype(float)
    assert (np.abs(found - exact) <= 1e-6 + (np.finfo(dtype).eps / 2) * np.abs(exact) * 2).all()


SPARSE = [
    KMeans(3, random_state=0),
    SoftKMeans(3, random_state=0),
    PCA(2),
    TruncatedSVD(2, random_state=0),
    NMF(2, random_state=0),
    Gaussian(),
    GaussianMixture(2, covariance_type="diag", random_state=0),
    JADE(),
    Infomax(random_state=0),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", SPARSE, ids=lambda model: type(model).__name__)
def test_a_sparse_table_gives_the_answer_of_the_dense_one_to_rounding(model):
    rng = np.random.default_rng(0)
    X = rng.gamma(1.0, size=(300, 6)) * (rng.random((300, 6)) < 0.4)
    dense, sparse, again = model.fit(X), model.__class__(**model.get_params()), model.__class__(**model.get_params())
    sparse.fit(csr_array(X)), again.fit(csr_array(X))
    for name, value in vars(dense).items():
        if name.endswith("_") and isinstance(value, np.ndarray) and value.dtype.kind == "f":
            assert np.allclose(value, getattr(sparse, name), rtol=1e-10, atol=1e-10 * np.abs(value).max()), name
            assert np.array_equal(getattr(sparse, name), getattr(again, name)), name


@pytest.mark.long
def test_a_map_of_explore_has_four_thousand_points_drawn_at_random():
    rng = np.random.default_rng(0)
    table = {"a": rng.normal(size=4500), "b": rng.normal(size=4500)}
    shown = unmix.explore(table, max_k=2).to_dict()["map"]
    assert len(shown["x"]) == 4000 and shown["row"] == sorted(shown["row"])


def test_more_points_than_a_page_shows_keep_every_clusters_share_and_fifty():
    labels = np.repeat([0, 1, 2], [30_000, 9_970, 30])
    kept = np.bincount(labels[chosen_points(labels.tolist())])
    assert abs(kept[0] / kept[1] - 30_000 / 9_970) < 0.01 and kept[2] == 30
    assert MOST_POINTS - 60 < kept.sum() <= MOST_POINTS + 60


@pytest.mark.long
def test_the_page_holds_the_findings_and_is_the_same_each_time():
    findings = unmix.explore({"a": rows(2)[:, 0], "b": rows(2)[:, 1]}, max_k=3)
    page = render(findings)
    assert page == render(findings) and len(page.encode()) < 2_000_000
    assert json.loads(re.search(r'id="findings">(.*?)</script>', page, re.DOTALL)[1]) == findings.to_dict()


def test_a_changed_model_is_refused_or_the_same(tmp_path):
    model = KMeans(3, random_state=0).fit(rows(3))
    model.save(tmp_path / "model.unmix")
    whole = (tmp_path / "model.unmix").read_bytes()
    refused = 0
    for place in range(0, len(whole), max(1, len(whole) // 150)):
        (tmp_path / "changed.unmix").write_bytes(whole[:place] + bytes([whole[place] ^ 16]) + whole[place + 1 :])
        try:
            assert np.array_equal(unmix.load(tmp_path / "changed.unmix").cluster_centers_, model.cluster_centers_)
        except ValueError:
            refused += 1
    assert refused > 100
    (tmp_path / "changed.unmix").write_bytes(whole[:-10])
    with pytest.raises(ValueError, match=r"changed\.unmix is not a model"):
        unmix.load(tmp_path / "changed.unmix")


def test_pca_does_not_overwrite_and_its_largest_entries_are_positive():
    X = rows(4)
    kept = X.copy()
    components = PCA(copy=False).fit(X).components_
    assert np.array_equal(X, kept)
    assert (components[np.arange(4), np.abs(components).argmax(axis=1)] > 0).all()
    weak = np.random.default_rng(0).normal(size=(100, 6)) * np.logspace(0, -9, 6)
    values = np.linalg.svd(weak - weak.mean(axis=0), compute_uv=False)
    assert np.abs(PCA().fit(weak).singular_values_ - values).max() < 1e-10 * values[0]


def test_a_histogram_without_background_is_numpys_and_a_row_on_the_border_is_outside():
    X = np.random.default_rng(0).normal(size=(200, 2))
    grid = HistogramDensity(bins=[5, 4], background=0).fit(X).to_grid()
    assert np.allclose(grid, np.histogramdd(X, bins=[5, 4], density=True)[0])
    window = GlidingHistogram(width=0.4).fit([[0.1], [0.2]])
    assert np.isclose(window.score_samples([[0.3]])[0], np.log(0.5 / 0.4))


@pytest.mark.long
@pytest.mark.parametrize("method", ["two_nn", "maximum_likelihood"])
def test_ten_uniform_dimensions_are_read_as_eight_to_nine(method):
    for seed in range(3):
        X = np.random.default_rng(seed).random((1500, 10))
        assert 8 <= round(intrinsic_dimension(X, method, random_state=0).dimension, 1) <= 9
