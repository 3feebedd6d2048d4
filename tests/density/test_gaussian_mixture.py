"""GaussianMixture against scikit-learn's from the same start, closed forms, and what can go wrong."""

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture as Peer
from sklearn.utils import get_tags

import unmix
from unmix.density import GaussianMixture

TYPES = ["full", "tied", "diag", "spherical"]
rng = np.random.default_rng(0)
CENTRES = np.array([[0.0, 0.0, 0.0], [5.0, 1.0, -2.0], [-1.0, 6.0, 2.0]])
ROOTS = rng.normal(size=(3, 3, 3)) * 0.5 + np.eye(3)
LABELS = np.repeat([0, 1, 2], [150, 100, 50])
X = CENTRES[LABELS] + np.einsum("ij,ijl->il", rng.normal(size=(300, 3)), ROOTS[LABELS])
HOLED = np.where(rng.random(X.shape) < 0.2, np.nan, X)


def likelihoods(model):
    return np.array([record["log_likelihood"] for record in model.trace_ if record["stage"] == "em"])


def a_start(kind):
    precisions = {
        "full": np.tile(np.eye(3), (3, 1, 1)),
        "tied": np.eye(3),
        "diag": np.ones((3, 3)),
        "spherical": np.ones(3),
    }
    return {"weights_init": [0.2, 0.3, 0.5], "means_init": X[[0, 160, 260]], "precisions_init": precisions[kind]}


@pytest.mark.parametrize("kind", TYPES)
def test_same_path_as_scikit_learn_from_the_same_start(kind):
    start = a_start(kind)
    settings = {"covariance_type": kind, "tol": 0, "max_iter": 8, "reg_covar": 0}
    model = GaussianMixture(3, **settings, **start).fit(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = Peer(3, **settings, **start).fit(X)
    for name in ("weights_", "means_", "covariances_", "precisions_", "precisions_cholesky_"):
        np.testing.assert_allclose(getattr(model, name), getattr(peer, name), rtol=1e-7, atol=1e-9, err_msg=name)
    assert likelihoods(model)[-1] == pytest.approx(peer.lower_bound_, rel=1e-10)
    assert model.lower_bound_ == pytest.approx(peer.score(X), rel=1e-10)
    np.testing.assert_allclose(model.score_samples(X), peer.score_samples(X), rtol=1e-8)
    np.testing.assert_allclose(model.predict_proba(X), peer.predict_proba(X), atol=1e-8)
    np.testing.assert_array_equal(model.predict(X), peer.predict(X))
    assert model.bic(X) == pytest.approx(peer.bic(X)) and model.aic(X) == pytest.approx(peer.aic(X))


@pytest.mark.parametrize("kind", TYPES)
def test_at_least_the_likelihood_of_scikit_learn(kind):
    model = GaussianMixture(3, covariance_type=kind, tol=1e-8, max_iter=1000, random_state=0).fit(X)
    peer = Peer(3, covariance_type=kind, tol=1e-8, max_iter=1000, random_state=0).fit(X)
    assert model.converged_ and model.lower_bound_ >= peer.lower_bound_ - 1e-6


@pytest.mark.parametrize("kind", [*TYPES, "fixed"])
@pytest.mark.parametrize("data", [X, HOLED], ids=["whole", "holes"])
@pytest.mark.parametrize("reg_covar", [1e-6, 0.3])
@pytest.mark.filterwarnings("ignore:.*shrank to a point")
def test_log_likelihood_never_falls(kind, data, reg_covar):
    covariance = np.eye(3) if kind == "fixed" else None
    model = GaussianMixture(
        4,
        covariance_type=kind,
        covariance=covariance,
        tol=0,
        max_iter=30,
        reg_covar=reg_covar,
        missing="ignore",
        random_state=0,
    ).fit(data)
    rises = np.diff(np.reshape(likelihoods(model), (-1, 30)))  # of the first start, and of another if it was better
    assert rises.min() > -1e-12
    assert model.lower_bound_ >= likelihoods(model)[-1] - 1e-12


@pytest.mark.parametrize("kind", TYPES)
def test_lower_bound_is_the_score_and_the_trace_ends_at_it(kind):
    for data in (X, HOLED, csr_array(X)):
        model = GaussianMixture(2, covariance_type=kind, tol=1e-10, max_iter=500, random_state=0, missing="ignore").fit(
            data
        )
        assert model.lower_bound_ == pytest.approx(model.score(data), rel=1e-10)
        assert model.lower_bound_ == pytest.approx(likelihoods(model)[-1], abs=1e-8)


@pytest.mark.parametrize("kind", TYPES)
def test_rows_with_holes_have_the_density_of_what_was_observed(kind):
    model = GaussianMixture(3, covariance_type=kind, random_state=0, missing="ignore").fit(X)
    shape = {"full": model.covariances_, "tied": np.tile(model.covariances_, (3, 1, 1))}
    diagonal = np.broadcast_to(np.reshape(model.covariances_, (3, -1)), (3, 3)) if kind not in shape else None
    covariances = shape.get(kind, diagonal if diagonal is None else np.array([np.diag(v) for v in diagonal]))
    for row in ([1.0, np.nan, 0.5], [np.nan, np.nan, -2.0], [np.nan, np.nan, np.nan]):
        there = ~np.isnan(row)
        density = 1.0
        if there.any():
            parts = [multivariate_normal(u[there], S[np.ix_(there, there)]) for u, S in zip(model.means_, covariances)]
            density = model.weights_ @ [part.pdf(np.array(row)[there]) for part in parts]
        assert model.score_samples([row])[0] == pytest.approx(np.log(density), abs=1e-9)


def test_one_component_with_holes_finds_the_maximum_of_the_likelihood():
    """Monotone holes have a closed form: the regression of the second column on the first."""
    Y = X[:, :2].copy()
    Y[::3, 1] = np.nan
    model = GaussianMixture(1, tol=1e-14, max_iter=2000, missing="ignore").fit(Y)
    whole = Y[~np.isnan(Y[:, 1])]
    slope, intercept = np.polyfit(whole[:, 0], whole[:, 1], 1)
    residual = (whole[:, 1] - slope * whole[:, 0] - intercept).var()
    mean, variance = Y[:, 0].mean(), Y[:, 0].var()
    np.testing.assert_allclose(model.means_[0], [mean, intercept + slope * mean], rtol=1e-5)
    expected = [[variance, slope * variance], [slope * variance, residual + slope**2 * variance]]
    np.testing.assert_allclose(model.covariances_[0], expected, rtol=1e-5)


def test_one_component_is_mean_and_covariance():
    model = GaussianMixture(1).fit(X)
    np.testing.assert_allclose(model.means_[0], X.mean(0), rtol=1e-10)
    np.testing.assert_allclose(model.covariances_[0], np.cov(X.T, ddof=0), rtol=1e-9)
    np.testing.assert_allclose(model.score_samples(X), multivariate_normal(X.mean(0), np.cov(X.T, ddof=0)).logpdf(X))


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("start", ["kmeans", "k-means++", "random_from_data"])
@pytest.mark.parametrize("kind", TYPES)
def test_weight_two_is_the_row_twice(start, kind):
    weights = np.random.default_rng(1).integers(0, 4, len(X))
    settings = {"covariance_type": kind, "init_params": start, "random_state": 0, "tol": 1e-8, "max_iter": 1000}
    weighted = GaussianMixture(3, missing="ignore", **settings).fit(HOLED, sample_weight=weights)
    repeated = GaussianMixture(3, missing="ignore", **settings).fit(np.repeat(HOLED, weights, axis=0))
    np.testing.assert_allclose(weighted.means_, repeated.means_, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(weighted.covariances_, repeated.covariances_, rtol=1e-6, atol=1e-8)
    assert weighted.lower_bound_ == pytest.approx(repeated.lower_bound_, rel=1e-9)
    assert weighted.n_iter_ == repeated.n_iter_


@pytest.mark.parametrize("kind", TYPES)
def test_units_do_not_matter(kind):
    """Each column in its own unit; balls only keep their shape if all columns share one."""
    units = np.full(3, 1e-5) if kind == "spherical" else np.array([1e-5, 1.0, 1e7])
    plain = GaussianMixture(3, covariance_type=kind, random_state=0).fit(X)
    scaled = GaussianMixture(3, covariance_type=kind, random_state=0).fit(X * units + 100 * units)
    np.testing.assert_allclose(scaled.means_ / units - 100, plain.means_, atol=0.02)
    assert scaled.lower_bound_ == pytest.approx(plain.lower_bound_ - np.log(units).sum(), abs=2e-3)
    assert np.mean(scaled.predict(X * units + 100 * units) == plain.predict(X)) > 0.99


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("scale", [2.0**996, 2.0**-996])
def test_both_ends_of_the_floats(kind, scale):
    plain = GaussianMixture(3, covariance_type=kind, random_state=0).fit(X)
    scaled = GaussianMixture(3, covariance_type=kind, random_state=0).fit(X * scale)
    np.testing.assert_allclose(scaled.means_ / scale, plain.means_, rtol=1e-9)
    np.testing.assert_array_equal(scaled.predict(X * scale), plain.predict(X))
    np.testing.assert_allclose(scaled.score_samples(X * scale), plain.score_samples(X) - 3 * np.log(scale), rtol=1e-9)
    rows, _ = scaled.sample(50)
    np.testing.assert_allclose(rows / scale, plain.sample(50)[0], rtol=1e-9)


@pytest.mark.parametrize("kind", TYPES)
def test_single_precision(kind):
    double = GaussianMixture(3, covariance_type=kind, random_state=0).fit(X)
    single = GaussianMixture(3, covariance_type=kind, random_state=0).fit(X.astype("f4"))
    for name in ("weights_", "means_", "covariances_", "precisions_", "precisions_cholesky_"):
        assert getattr(single, name).dtype == np.float32
        np.testing.assert_allclose(getattr(single, name), getattr(double, name), rtol=2e-3, atol=2e-3)
    assert single.lower_bound_ == pytest.approx(double.lower_bound_, abs=1e-5)
    assert single.predict_proba(X.astype("f4")).dtype == np.float32
    assert single.sample(5)[0].dtype == np.float32
    assert np.diff(likelihoods(single)).min() > -1e-6


def test_single_precision_of_thin_components():
    """Condition 1e8: products in float32 would lose the thin direction; the fit goes over to float64."""
    thin = (rng.normal(size=(500, 2)) * [1, 1e-4]) @ np.array([[1, 1], [-1, 1]]) / np.sqrt(2)
    rounded = thin.astype("f4").astype("f8")
    model = GaussianMixture(1, reg_covar=0).fit(thin.astype("f4"))
    assert model.lower_bound_ == pytest.approx(GaussianMixture(1, reg_covar=0).fit(rounded).lower_bound_, abs=1e-2)


@pytest.mark.parametrize("kind", ["diag", "spherical", "full"])
@pytest.mark.filterwarnings("ignore:.*shrank to a point")  # the rows without any entry
def test_sparse_rows(kind):
    sparse = np.where(rng.random((200, 5)) < 0.6, 0, rng.normal(size=(200, 5)) + 3)
    settings = {"covariance_type": kind, "random_state": 0, "init_params": "k-means++", "tol": 1e-6, "max_iter": 500}
    dense, got = (GaussianMixture(2, **settings).fit(data) for data in (sparse, csr_array(sparse)))
    np.testing.assert_allclose(got.means_, dense.means_, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(got.score_samples(csr_array(sparse)), dense.score_samples(sparse), rtol=1e-5)


def test_many_columns():
    wide = np.random.default_rng(2).normal(size=(400, 80))
    wide[:200] += 1
    start = {
        "weights_init": [0.5, 0.5],
        "means_init": wide[[0, 300]],
        "precisions_init": np.tile(np.eye(80), (2, 1, 1)),
    }
    model = GaussianMixture(2, tol=0, max_iter=3, reg_covar=1e-2, **start).fit(wide)
    assert np.diff(likelihoods(model)).min() > 0 and np.isfinite(model.covariances_).all()


def test_fixed_covariance():
    known = np.diag([1.0, 2.0, 0.5])
    model = GaussianMixture(3, covariance_type="fixed", covariance=known, random_state=0).fit(X)
    np.testing.assert_allclose(model.covariances_, known)
    np.testing.assert_allclose(model.precisions_, np.linalg.inv(known))
    q = model.predict_proba(X)  # at the end the means are the weighted means
    np.testing.assert_allclose(model.means_, q.T @ X / q.sum(0)[:, None], atol=0.02)
    each = GaussianMixture(3, covariance_type="fixed", covariance=np.tile(known, (3, 1, 1)), random_state=0).fit(X)
    np.testing.assert_allclose(each.means_, model.means_, rtol=1e-8)
    assert each.covariances_.shape == (3, 3, 3)
    number = GaussianMixture(3, covariance_type="fixed", covariance=2.0, random_state=0).fit(X)
    np.testing.assert_allclose(number.covariances_, 2 * np.eye(3))


@pytest.mark.parametrize("kind, count", [("full", 6 * 3), ("tied", 6), ("diag", 9), ("spherical", 3), ("fixed", 0)])
def test_information_criteria_count_parameters(kind, count):
    covariance = 1.0 if kind == "fixed" else None
    model = GaussianMixture(3, covariance_type=kind, covariance=covariance, random_state=0).fit(X)
    parameters = 2 + 9 + count
    log_likelihood = model.score_samples(X).sum()
    assert model.aic(X) == pytest.approx(-2 * log_likelihood + 2 * parameters)
    assert model.bic(X) == pytest.approx(-2 * log_likelihood + np.log(300) * parameters)


@pytest.mark.parametrize("kind", [*TYPES, "fixed"])
def test_samples_have_the_moments_of_the_mixture(kind):
    covariance = np.diag([1.0, 2.0, 0.5]) if kind == "fixed" else None
    model = GaussianMixture(3, covariance_type=kind, covariance=covariance, random_state=0).fit(X)
    rows, labels = model.sample(60_000)
    np.testing.assert_allclose(np.bincount(labels) / 60_000, model.weights_, atol=0.01)
    for c in range(3):
        np.testing.assert_allclose(rows[labels == c].mean(0), model.means_[c], atol=0.06)
        found, factor = np.cov(rows[labels == c].T), model.precisions_cholesky_
        if kind in ("tied", "fixed"):
            np.testing.assert_allclose(factor.T @ found @ factor, np.eye(3), atol=0.06)
        elif kind == "full":
            np.testing.assert_allclose(factor[c].T @ found @ factor[c], np.eye(3), atol=0.06)
        else:
            np.testing.assert_allclose(np.diag(found) * factor[c] ** 2, 1, atol=0.06)
    np.testing.assert_array_equal(rows[:5], model.sample(60_000)[0][:5])
    with pytest.raises(ValueError, match="'n_samples': 0"):
        model.sample(0)


@pytest.mark.slow_without_jit
def test_more_starts_are_never_worse():
    one, many = (
        GaussianMixture(6, n_init=n, init_params="random_from_data", random_state=3, max_iter=300).fit(X)
        for n in (1, 6)
    )
    assert many.lower_bound_ >= one.lower_bound_


@pytest.mark.parametrize("kind", TYPES)
def test_duplicates_and_constant_columns(kind):
    few = np.repeat([[0.0, 1.0, 7.0], [4.0, 2.0, 7.0]], 10, axis=0)
    with pytest.warns(ConvergenceWarning, match=r"point|no row") as caught:
        model = GaussianMixture(3, covariance_type=kind, random_state=0).fit(few)
    assert all("lower n_components" in str(w.message) for w in caught)
    assert np.isfinite(model.means_).all() and np.isfinite(model.score_samples(few)).all()
    assert np.isclose(model.weights_.sum(), 1) and len(np.unique(model.predict(few))) == 2
    steady = np.column_stack([X[:, :2], np.full(len(X), 7.0)])
    model = GaussianMixture(2, covariance_type=kind, random_state=0).fit(steady)
    assert np.isfinite(model.score_samples(steady)).all()
    if kind != "spherical":
        np.testing.assert_allclose(model.means_[:, 2], 7.0)


def test_a_lone_outlier_does_not_break_the_fit():
    outlying = np.vstack([X, [[1e4, 1e4, 1e4]]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = GaussianMixture(4, random_state=0).fit(outlying)
    assert all(np.isfinite(getattr(model, a)).all() for a in ("means_", "covariances_", "precisions_", "weights_"))
    assert np.diff(likelihoods(model)).min() > -1e-12


def test_zero_weight_rows_are_as_if_absent():
    weights = np.r_[np.ones(300), np.zeros(2000)]  # more than a leaf of them
    with_junk = np.vstack([X, np.full((2000, 3), 1e100)])
    model = GaussianMixture(3, random_state=0).fit(with_junk, sample_weight=weights)
    plain = GaussianMixture(3, random_state=0).fit(X)
    np.testing.assert_allclose(model.means_, plain.means_, rtol=1e-9)


def test_not_converged_is_said():
    with pytest.warns(ConvergenceWarning, match="did not converge.*It had 1 iterations"):
        model = GaussianMixture(3, max_iter=1, random_state=0).fit(X)
    assert not model.converged_ and model.n_iter_ == 1


@pytest.mark.parametrize(
    "settings, sentence",
    [
        ({"covariance_type": "fixed"}, "needs covariance"),
        ({"covariance_type": "fixed", "covariance": np.eye(2)}, r"shape \(2, 2\)"),
        ({"covariance_type": "fixed", "covariance": -np.eye(3)}, "positive"),
        ({"covariance_type": "fixed", "covariance": np.ones((3, 3)) + np.diag([0, 0, -0.5])}, "positive-definite"),
        ({"weights_init": [0.5, 0.6]}, "sum 1"),
        ({"means_init": np.ones((3, 3))}, r"shape of \(2, 3\)"),
        ({"precisions_init": np.eye(3)}, "precisions_init.*'full precision' should have the shape"),
        ({"init_params": "best"}, "init_params='best' is not known"),
        ({"tol": -1}, "tol=-1"),
        ({"reg_covar": np.nan}, "reg_covar=nan"),
        ({"max_iter": -1}, "max_iter=-1"),
        ({"n_init": 1.5}, "n_init=1.5"),
    ],
)
def test_wrong_parameters_are_named(settings, sentence):
    with pytest.raises(ValueError, match=sentence):
        GaussianMixture(2, **settings).fit(X)


def test_fit_predict_score_and_saving(tmp_path):
    model = GaussianMixture(3, missing="ignore", random_state=0)
    np.testing.assert_array_equal(model.fit_predict(X), model.predict(X))
    weights = np.arange(300.0)
    assert model.score(X, sample_weight=weights) == pytest.approx(np.average(model.score_samples(X), weights=weights))
    model.save(tmp_path / "m.unmix")
    loaded = unmix.load(tmp_path / "m.unmix")
    np.testing.assert_array_equal(loaded.predict_proba(HOLED), model.predict_proba(HOLED))


def test_an_observer_may_stop_the_fit():
    with (
        unmix.execution(observe=lambda record: record.stage == "em" and record.iteration == 2),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = GaussianMixture(3, tol=1e-12, random_state=0).fit(X)
    assert model.n_iter_ == 2 and not model.converged_


@pytest.mark.parametrize("kind", TYPES)
def test_components_come_by_weight(kind):
    for seed in range(3):
        model = GaussianMixture(3, covariance_type=kind, random_state=seed).fit(X)
        assert (np.diff(model.weights_) <= 0).all()
        assert model.lower_bound_ == pytest.approx(model.score(X), rel=1e-10)
    given = GaussianMixture(3, covariance_type=kind, means_init=CENTRES[[2, 0, 1]], random_state=0).fit(X)
    assert given.weights_.argmin() == 0


def two_diamonds(seed=0):
    """Two squares on their corners, which touch: wide and low, so that a cut across the columns depends on units."""
    places = np.random.default_rng(seed).uniform(-1, 1, (1600, 2))
    inside = places[np.abs(places).sum(axis=1) < 1][:600]
    side = np.arange(600) % 2
    return inside + np.column_stack([2.0 * side, np.zeros(600)]), side


@pytest.mark.parametrize("kind", ["full", "tied", "diag"])
def test_clusters_do_not_depend_on_the_units_of_the_columns(kind):
    X, side = two_diamonds()
    rng = np.random.default_rng(1)
    for scale in ([1.0, 1.0], [0.8, 1.0], [1.5, 1.0], [1e-6, 1.0], [1.0, 1e6], *rng.uniform(0.5, 2, (3, 2))):
        labels = GaussianMixture(2, covariance_type=kind, random_state=0).fit_predict(X * scale)
        assert adjusted_rand_score(side, labels) > 0.95


def test_a_column_of_noise_does_not_hide_the_groups():
    """K-means in columns of equal spread cuts the noise; clusters of one column, and EM, say which is better."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        groups = rng.integers(3, size=300)
        X = np.column_stack([6.0 * groups + rng.normal(size=300), rng.normal(size=300)])
        model = GaussianMixture(3, random_state=0).fit(X)
        assert adjusted_rand_score(groups, model.predict(X)) > 0.97
        assert model.lower_bound_ > Peer(3, random_state=0).fit(X).score(X) - 1e-3


@pytest.mark.parametrize("far", [1e2, 1e4, 1e6])
@pytest.mark.parametrize("both", [True, False])
def test_a_far_row_takes_a_component_and_nothing_else(far, both):
    X, side = two_diamonds()
    row = [[far, far if both else 0.0]]
    with pytest.warns(ConvergenceWarning, match="shrank to a point"):
        model = GaussianMixture(3, random_state=0).fit(np.concatenate([X, row]))
    labels = model.predict(np.concatenate([X, row]))
    assert adjusted_rand_score(side, labels[:-1]) > 0.95 and (labels == labels[-1]).sum() == 1
    alone = GaussianMixture(2, random_state=0).fit(X)
    np.testing.assert_allclose(np.sort(model.means_[:2, 0]), np.sort(alone.means_[:, 0]), atol=0.02)


def test_a_far_component_takes_no_digits_of_the_others():
    """Shifts by whole numbers are exact: the density of the bulk is that of two components, with half the weight."""
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(200, 2)) * 256) / 256
    both = np.concatenate([X, X[:100] + 2.0**46])
    options = {"covariance_type": "fixed", "covariance": 1.0, "max_iter": 1, "tol": 0.0}
    alone = GaussianMixture(1, means_init=[[0.0, 0.0]], **options).fit(X)
    model = GaussianMixture(2, means_init=[[0.0, 0.0], [2.0**46, 2.0**46]], **options).fit(both)
    np.testing.assert_allclose(model.score_samples(X), alone.score_samples(X) + np.log(2 / 3), atol=1e-12)


@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
def test_rows_without_weight_may_hold_anything_finite(kind):
    X, _ = two_diamonds()
    weights = np.ones(len(X) + 40)
    weights[::16] = 0
    filled = np.full((len(weights), 2), 9.97e36)
    filled[weights > 0] = X[: int(weights.sum())]
    for dtype in (np.float32, np.float64):
        given = GaussianMixture(2, covariance_type=kind, random_state=0).fit(
            filled.astype(dtype), sample_weight=weights
        )
        absent = GaussianMixture(2, covariance_type=kind, random_state=0).fit(filled[weights > 0].astype(dtype))
        np.testing.assert_allclose(given.means_, absent.means_, rtol=1e-5)
        np.testing.assert_allclose(given.covariances_, absent.covariances_, rtol=1e-4, atol=1e-6)


@pytest.mark.filterwarnings("ignore:.*:sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize(("dtype", "far"), [("f4", 1e12), ("f4", 3e38), ("f8", 1e100), ("f8", 1e300)])
def test_the_farthest_rows_leave_densities_finite(kind, dtype, far):
    rows = np.concatenate([X[:, :2], [[far, -far]]]).astype(dtype)
    for k in (2, 3):
        model = GaussianMixture(k, covariance_type=kind, random_state=0).fit(rows)
        assert np.isfinite(model.score_samples(rows)).all() and np.isfinite(model.means_).all()


def test_missing_values_are_refused_unless_they_are_to_be_ignored():
    for missing, data in (("error", HOLED), ("error", np.ma.masked_invalid(HOLED))):
        with pytest.raises(ValueError, match='missing="ignore"'):
            GaussianMixture(2, missing=missing).fit(data)
    model = GaussianMixture(2, missing="ignore", random_state=0).fit(HOLED)
    assert get_tags(model).input_tags.allow_nan and not get_tags(GaussianMixture()).input_tags.allow_nan
    masked = clone(model).fit(np.ma.masked_invalid(HOLED))
    np.testing.assert_array_equal(masked.means_, model.means_)


def test_no_iteration_keeps_the_start():
    means = [[0.0, 1.0, 2.0], [3.0, 3.0, 3.0]]
    model = GaussianMixture(2, means_init=means, max_iter=0).fit(X)
    np.testing.assert_allclose(model.means_, means)
    assert (model.n_iter_, model.converged_, model.lower_bounds_) == (0, False, [])
    assert model.lower_bound_ == pytest.approx(model.score(X))


@pytest.mark.parametrize("kind", TYPES)
def test_a_warm_start_goes_on_where_the_last_fit_has_ended(kind):
    start = {"means_init": X[:3], "covariance_type": kind, "tol": 0}
    whole = GaussianMixture(3, max_iter=7, **start).fit(X)
    parts = GaussianMixture(3, max_iter=3, warm_start=True, **start).fit(X).set_params(max_iter=4).fit(X)
    np.testing.assert_allclose(parts.means_, whole.means_, rtol=1e-7)
    np.testing.assert_allclose(parts.covariances_, whole.covariances_, rtol=1e-6)
    np.testing.assert_allclose(parts.lower_bounds_, whole.lower_bounds_[3:], rtol=1e-9)
    with pytest.raises(ValueError, match="warm_start goes on from 3 components of 3 columns, but 3 of 2"):
        parts.fit(X[:, :2])


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_convergence_is_seen_one_iteration_at_a_time():
    whole = GaussianMixture(3, means_init=X[:3]).fit(X)
    model, fits = GaussianMixture(3, means_init=X[:3], max_iter=1, warm_start=True), 0
    while not getattr(model, "converged_", False):
        model, fits = model.fit(X), fits + 1
    assert fits == whole.n_iter_


def test_bounds_are_those_of_the_run_that_was_kept():
    model = GaussianMixture(4, n_init=5, init_params="random_from_data", random_state=0, max_iter=300).fit(X)
    assert len(model.lower_bounds_) == model.n_iter_
    assert (np.diff(model.lower_bounds_) > -1e-12).all()
    assert 0 <= model.lower_bound_ - model.lower_bounds_[-1] < model.tol


@pytest.mark.parametrize("data", [X, csr_array(np.where(np.abs(X) < 1, 0, X))], ids=["dense", "sparse"])
def test_random_shares_start_as_their_own_mixture(data):
    """With every component from one draw of shares, the weighted mean of the means is the mean of the rows."""
    model = GaussianMixture(3, init_params="random", covariance_type="diag", max_iter=0, random_state=1).fit(data)
    np.testing.assert_allclose(model.weights_ @ model.means_, np.asarray(data.mean(axis=0)).ravel(), rtol=1e-9)
    assert np.abs(model.means_[0] - model.means_[1]).max() > 1e-6
    assert np.ptp(model.weights_) < 0.2


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("seed", range(4))
def test_more_starts_never_end_worse(seed):
    rows = np.random.default_rng(seed).normal(size=(60, 2))
    bounds = [
        GaussianMixture(3, n_init=n, max_iter=m, random_state=seed).fit(rows).lower_bound_
        for n in (1, 4)
        for m in (1, 30)
    ]
    assert bounds[2] >= bounds[0] and bounds[3] >= bounds[1]


def test_verbose_prints_and_changes_nothing(capsys):
    quiet = GaussianMixture(3, random_state=0).fit(X)
    assert capsys.readouterr().out == ""
    loud = GaussianMixture(3, random_state=0, verbose=2, verbose_interval=1).fit(X)
    assert capsys.readouterr().out.count("Iteration") >= loud.n_iter_
    np.testing.assert_array_equal(loud.means_, quiet.means_)


@pytest.mark.parametrize("seed", [1, 5, 7, 8, 9])
def test_a_few_rows_near_a_plane_are_no_component(seed):
    """Of 13 columns 5 rows make a component as likely as one likes; before it won against the three cultivars."""
    X, y = load_wine(return_X_y=True)
    model = GaussianMixture(3, random_state=seed).fit(X)
    assert (model.weights_ * len(X)).min() > X.shape[1]
    assert adjusted_rand_score(y, model.predict(X)) > 0.85
