"""GaussianMixture.partial_fit: identities with batch EM, gradients by finite differences, the likelihood reached."""

import warnings
from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning

import unmix
from tests.stored import stored
from unmix.costs.gaussian.cost import Gaussian
from unmix.costs.gaussian.covariance import Diagonal, Fixed, Full, Spherical, Tied
from unmix.costs.gaussian.mixture import make_mixture
from unmix.costs.gaussian.mixture_gradient import Direction, climb, gradient, moved
from unmix.costs.gaussian.running_statistics import average, implied, online_em_step, per_unit_of_mass
from unmix.density import GaussianMixture
from unmix.density.mixture.warm_up import enough_rows
from unmix.inference.expectation import expect
from unmix.io.dispatch import as_blocks

TYPES = ["full", "tied", "diag", "spherical", "fixed"]
NAMES = ["weights_", "means_", "covariances_", "precisions_cholesky_"]


def mixed_rows(n, d, k, seed, apart=3.0):
    """Rows of correlated Gaussians of unequal weight."""
    rng = np.random.default_rng(seed)
    centres, roots = rng.normal(size=(k, d)) * apart, rng.normal(size=(k, d, d)) * 0.4 + np.eye(d)
    labels = rng.choice(k, n, p=rng.dirichlet(np.full(k, 5.0)))
    return centres[labels] + np.einsum("ij,ijl->il", rng.normal(size=(n, d)), roots[labels])


X = mixed_rows(900, 3, 3, 0)
BATCH = X[:400]
HOLED = np.where(np.random.default_rng(1).random(X.shape) < 0.2, np.nan, X)
WEIGHTS = np.random.default_rng(2).integers(0, 4, len(X)).astype(float)


def settings(kind):
    return {
        "covariance_type": kind,
        "covariance": 1.5 if kind == "fixed" else None,
        "missing": "ignore",
        "random_state": 0,
    }


def fitted(kind, **more):
    return GaussianMixture(3, **settings(kind), **more).fit(X)


def same(model, other, **tolerances):
    for name in NAMES:
        np.testing.assert_allclose(getattr(model, name), getattr(other, name), err_msg=name, **tolerances)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("rows", [BATCH, HOLED[:400]], ids=["complete", "missing"])
def test_a_step_of_size_one_is_a_step_of_em(kind, rows):
    model = fitted(kind, schedule="constant", learning_rate=1.0)
    start = {"weights_init": model.weights_, "means_init": model.means_}
    start |= {} if kind == "fixed" else {"precisions_init": model.precisions_}
    expected = GaussianMixture(3, **settings(kind), **start, max_iter=1, tol=0).fit(rows, sample_weight=WEIGHTS[:400])
    before = np.average(model.score_samples(rows), weights=WEIGHTS[:400])
    found = model.partial_fit(rows, sample_weight=WEIGHTS[:400])
    same(found, expected, rtol=1e-8, atol=1e-10)
    assert found.n_steps_ == 1 and found.lower_bound_ == pytest.approx(before, rel=1e-10)
    assert [r["stage"] for r in found.trace_] == ["online"]


@pytest.mark.parametrize("kind", TYPES)
def test_a_fit_stands_still_as_steps_vanish(kind):
    model, before = fitted(kind, schedule="constant", learning_rate=1e-13), fitted(kind)
    for online in ("em", "sgd"):
        model.set_params(online=online).partial_fit(BATCH + 1.0)
    same(model, before, rtol=1e-10, atol=1e-11)


FAMILIES = [Full(), Tied(), Diagonal(), Spherical(), Fixed(np.array([[[2.0, 0.3, 0], [0.3, 1, 0], [0, 0, 1]]]))]


def cost_and_mixture(family, missing=False):
    rng = np.random.default_rng(3)
    roots = rng.normal(size=(1 if family.shared else 3, 3, 3)) * 0.4 + np.eye(3)
    covariances = roots @ roots.transpose(0, 2, 1)
    if family.axis:
        spread = rng.uniform(0.5, 2, (3, 3))
        covariances = np.repeat(spread[:, :1], 3, axis=1) if isinstance(family, Spherical) else spread
    if family.given is not None:
        covariances = family.given
    means = X[[5, 300, 700]]
    return Gaussian(family, np.full(3, 1e-9), missing), make_mixture(np.array([0.5, 0.3, 0.2]), means, covariances)


def pass_over(rows, cost, mixture, weights=None):
    return as_blocks(rows).reduce(expect, cost, mixture, 1.0, rows=weights)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: type(f).__name__)
@pytest.mark.parametrize("rows", [X, HOLED], ids=["complete", "missing"])
def test_fading_by_one_over_t_adds_up_all_batches(family, rows):
    """At fixed parameters, batches of any size averaged with their share of the mass are the statistics of all rows."""
    cost, mixture = cost_and_mixture(family, missing=rows is HOLED)
    edges, running, mass = [0, 100, 350, 360, 900], None, 0.0
    for start, stop in pairwise(edges):
        part = pass_over(rows[start:stop], cost, mixture, WEIGHTS[start:stop])
        mass += part.mass
        new = per_unit_of_mass(part.stats)
        running = new if running is None else average(running, new, part.mass / mass)
    expected = per_unit_of_mass(pass_over(rows, cost, mixture, WEIGHTS).stats)
    for found, wanted in zip(running, expected):
        assert (found is None) == (wanted is None)
        if found is not None:
            np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: type(f).__name__)
def test_a_mixture_is_its_own_statistics(family):
    cost, mixture = cost_and_mixture(family)
    again = cost.prototypes(implied(mixture, family, None), mixture)
    for name in ("weights", "means", "covariances"):
        np.testing.assert_allclose(getattr(again, name), getattr(mixture, name), rtol=1e-12)


def shifted(gradient_like, index, size):
    """All coordinates at zero but one; a matrix stays symmetric."""
    zero = [None if part is None else np.zeros_like(part) for part in gradient_like]
    part, at = index
    zero[part][at] += size
    if part == 2 and len(at) == 3 and at[1] != at[2]:
        zero[part][at[0], at[2], at[1]] += size
    return Direction(*zero)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: type(f).__name__)
@pytest.mark.parametrize("rows", [X[:200], HOLED[:200]], ids=["complete", "missing"])
def test_the_gradient_is_that_of_finite_differences(family, rows):
    cost, mixture = cost_and_mixture(family, missing=True)
    slope = gradient(mixture, family, per_unit_of_mass(pass_over(rows, cost, mixture).stats))

    def level(to):
        there = moved(cost, mixture, to)
        total = pass_over(rows, cost, there._replace(precise=True))
        return total.log_z / total.mass

    places = [(0, (1,)), (0, (2,)), (1, (0, 1)), (1, (2, 0))]
    if slope.log_covariance is not None and not isinstance(family, Spherical):
        matrix = slope.log_covariance.ndim == 3
        places += [(2, (0, 1, 1)), (2, (0, 0, 2))] if matrix else [(2, (0, 1)), (2, (2, 2))]
    for part, at in places:
        h = 1e-5
        difference = (level(shifted(slope, (part, at), h)) - level(shifted(slope, (part, at), -h))) / (2 * h)
        twice = 2 if part == 2 and len(at) == 3 and at[1] != at[2] else 1
        assert difference == pytest.approx(twice * slope[part][at], abs=1e-7)
    if isinstance(family, Spherical):
        all_columns = [Direction(np.zeros(3), np.zeros((3, 3)), np.eye(3)[:, [1] * 3] * h) for h in (1e-5, -1e-5)]
        difference = (level(all_columns[0]) - level(all_columns[1])) / 2e-5
        assert difference == pytest.approx(slope.log_covariance[1, 0], abs=1e-7)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: type(f).__name__)
def test_gradient_and_em_agree_to_first_order(family):
    cost, mixture = cost_and_mixture(family)
    stats = pass_over(X, cost, mixture).stats
    apart = []
    for rate in (1e-3, 1e-4):
        one, two = (
            climb(cost, mixture, per_unit_of_mass(stats), rate),
            online_em_step(cost, mixture, stats, rate, None)[0],
        )
        apart.append(max(np.abs(a - b).max() for a, b in zip(one[:3], two[:3])))
        assert np.abs(one.means - mixture.means).max() > 1e-5
    assert apart[1] < 0.02 * apart[0] + 1e-12  # quadratic in the rate


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("online", ["em", "sgd"])
@pytest.mark.parametrize("n, d, k, kind", [(4000, 2, 3, "full"), (6000, 4, 5, "full"), (8000, 8, 10, "full")])
def test_the_likelihood_of_batch_em_is_reached(online, n, d, k, kind):
    rows = mixed_rows(n + 1000, d, k, k)
    rows, new = rows[:n], rows[n:]
    batch = GaussianMixture(k, covariance_type=kind, n_init=3, random_state=0).fit(rows)
    for seed in range(2):
        order = np.random.default_rng(seed).permutation(n)
        model = GaussianMixture(k, covariance_type=kind, online=online, batch_size=200, random_state=seed)
        model.partial_fit(rows[order])
        for data in (rows, new):
            assert model.score(data) > batch.score(data) - 0.005 * abs(batch.score(data))


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("kind", ["tied", "diag", "spherical"])
def test_the_likelihood_of_batch_em_is_reached_by_every_family(kind):
    rows = mixed_rows(4000, 4, 4, 1, apart=4.0)
    batch = GaussianMixture(4, covariance_type=kind, n_init=3, random_state=0).fit(rows)
    for online in ("em", "sgd"):
        model = GaussianMixture(4, covariance_type=kind, online=online, random_state=0)
        for start in range(0, 4000, 100):
            model.partial_fit(rows[start : start + 100])
        assert model.n_steps_ == 40
        assert model.score(rows) > batch.score(rows) - 0.005 * abs(batch.score(rows))


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name, k", [("sipu_s1", 15), ("sipu_unbalance", 8)])
def test_real_sets_are_learned_in_one_pass(name, k, shared_data):
    rows = np.asarray(stored(shared_data / "clustering" / f"{name}.npz")["X"], dtype=float)
    rows = rows[np.random.default_rng(0).permutation(len(rows))]
    rows, new = rows[1000:], rows[:1000]
    batch = GaussianMixture(k, random_state=0).fit(rows)
    for online in ("em", "sgd"):
        model = GaussianMixture(k, online=online, batch_size=100, random_state=0).partial_fit(rows)
        for data in (rows, new):
            assert model.score(data) > batch.score(data) - 0.005 * abs(batch.score(data))


@pytest.mark.slow_without_jit
def test_missing_values_in_a_stream():
    rng = np.random.default_rng(0)
    rows = mixed_rows(3000, 3, 3, 0)
    holed = np.where(rng.random(rows.shape) < 0.15, np.nan, rows)
    batch = GaussianMixture(3, n_init=3, missing="ignore", random_state=0).fit(holed)
    for kind in ("full", "diag"):
        batch = GaussianMixture(3, covariance_type=kind, n_init=3, missing="ignore", random_state=0).fit(holed)
        model = GaussianMixture(3, covariance_type=kind, batch_size=150, missing="ignore", random_state=0).partial_fit(
            holed
        )
        assert model.score(holed) > batch.score(holed) - 0.005 * abs(batch.score(holed))
    gone = np.where([False, True, False], np.nan, rows[:50])
    before = model.means_.copy()
    assert np.isfinite(model.partial_fit(gone).means_).all()
    assert np.abs(model.means_ - before)[:, 1].max() < 0.2


def test_weight_two_is_the_row_twice_and_weight_zero_none():
    weighted, repeated = fitted("full"), fitted("full")
    weighted.partial_fit(X, sample_weight=WEIGHTS)
    repeated.partial_fit(np.repeat(X, WEIGHTS.astype(int), axis=0))
    same(weighted, repeated, rtol=1e-9, atol=1e-11)
    with_noise = np.vstack([X, np.full((5, 3), 1e6)])
    fresh = [GaussianMixture(3, batch_size=100, random_state=0) for _ in range(2)]
    fresh[0].partial_fit(X)
    fresh[1].partial_fit(with_noise, sample_weight=np.r_[np.ones(900), np.zeros(5)])
    same(fresh[0], fresh[1], rtol=1e-9, atol=1e-11)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("online", ["em", "sgd"])
def test_single_precision_is_kept_and_means_do_not_stall(online):
    rows = X + 1000.0
    models = []
    for dtype in (np.float32, np.float64):
        model = GaussianMixture(3, online=online, random_state=0).fit(rows[:450].astype(dtype))
        for start in range(450, 900, 9):
            model.partial_fit(rows[start : start + 9].astype(dtype))
        models.append(model)
        assert all(getattr(model, name).dtype == dtype for name in NAMES)
    np.testing.assert_allclose(models[0].means_, models[1].means_, atol=2e-3)
    np.testing.assert_allclose(models[0].covariances_, models[1].covariances_, atol=2e-3, rtol=1e-2)


@pytest.mark.slow_without_jit
def test_first_rows_are_kept_until_there_are_enough():
    model, enough = GaussianMixture(3, random_state=0), enough_rows("full", 3, 3)
    assert enough == 480
    assert np.isfinite(GaussianMixture(3).partial_fit(X[:2]).score(X[:2])), "fewer rows than components are a beginning"
    lengths = []
    for start in range(0, 700, 7):
        model.partial_fit(X[start : start + 7])
        kept = model.statistics_["kept"]
        lengths.append(0 if kept is None else len(kept["rows"]))
    assert lengths[:3] == [7, 14, 21] and max(lengths) < enough and lengths[-1] == 0
    assert model.n_steps_ == 100 and model.score(X) > fitted("full").score(X) - 0.1
    together = GaussianMixture(3, random_state=0, n_init=5).fit(X[:480])
    apart = GaussianMixture(3, random_state=0)
    for start in range(0, 480, 120):
        apart.partial_fit(X[start : start + 120])
    same(apart, together, rtol=1e-9, atol=1e-11)


def test_a_large_first_batch_is_one_step():
    rows = mixed_rows(3000, 3, 3, 0)
    model = GaussianMixture(3, random_state=0).partial_fit(rows)
    assert model.n_steps_ == 1 and model.statistics_["kept"] is None and model.statistics_["running"]["mass"] == 3000
    assert model.score(rows) > GaussianMixture(3, random_state=0).fit(rows).score(rows) - 0.05


def test_files_and_sparse_tables_in_batches(tmp_path):
    np.save(tmp_path / "rows.npy", X)
    model = {"batch_size": 90, "random_state": 0}
    expected = GaussianMixture(3, **model).partial_fit(X)
    for data in (tmp_path / "rows.npy", np.load(tmp_path / "rows.npy", mmap_mode="r"), csr_array(X)):
        same(GaussianMixture(3, **model).partial_fit(data), expected, rtol=1e-12)
    assert expected.n_steps_ == 10
    sparse, axis = np.where(X > 0, X, 0.0), {"covariance_type": "diag", "random_state": 0}
    one, two = (GaussianMixture(2, **axis).fit(sparse).partial_fit(kind(sparse)) for kind in (np.asarray, csr_array))
    same(one, two, rtol=1e-7, atol=1e-9)


def test_a_saved_stream_goes_on_as_if_it_had_not_stopped(tmp_path):
    for rows in (100, 700):  # while rows are still kept, and later
        model = GaussianMixture(3, random_state=0).partial_fit(X[:rows])
        model.save(tmp_path / "stream.unmix")
        same(unmix.load(tmp_path / "stream.unmix").partial_fit(X[rows:]), model.partial_fit(X[rows:]), rtol=0)


def test_a_fit_forgets_the_stream():
    model = fitted("full").partial_fit(BATCH).fit(X)
    assert model.n_steps_ == 0
    same(model, fitted("full"), rtol=0)


@pytest.mark.slow_without_jit
def test_constant_steps_follow_a_drift():
    rng = np.random.default_rng(0)
    model = GaussianMixture(1, schedule="constant", learning_rate=0.3).fit(rng.normal(size=(500, 2)))
    for day in range(60):
        model.partial_fit(rng.normal(size=(200, 2)) + day)
    assert np.abs(model.means_ - 59).max() < 4
    assert model.statistics_["running"]["spread"].max() < 5  # the floor follows too


@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_extreme_scales(scale):
    expected = fitted("full").partial_fit(BATCH)
    model = GaussianMixture(3, random_state=0).fit(X * scale).partial_fit(BATCH * scale)
    np.testing.assert_allclose(model.means_ / scale, expected.means_, rtol=1e-6)
    np.testing.assert_array_equal(model.predict(X * scale), expected.predict(X))


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("kind", ["full", "diag", "tied"])
def test_constant_columns_and_duplicates_stay_finite(kind):
    rows = np.column_stack([X[:, :2], np.full(len(X), 7.0)])
    model = GaussianMixture(2, covariance_type=kind, random_state=0)
    for _ in range(30):
        model.partial_fit(rows)
    floor = np.atleast_2d(model.covariances_.T if kind == "diag" else model.covariances_[..., 2, 2])[-1]
    assert np.isfinite(model.score_samples(rows)).all() and (floor > 1e-6 * 49 * 0.9).all()
    pairs = np.repeat([[0.0, 1], [3, 3]], 40, axis=0)
    model = GaussianMixture(2, covariance_type=kind, random_state=0).partial_fit(pairs)  # few rows: nothing is said yet
    with pytest.warns(ConvergenceWarning, match="shrank to a point|hold no row"):
        model.partial_fit(np.repeat(pairs, 4, axis=0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # of what was said before nothing is said again
        model.partial_fit(pairs)
    assert np.isfinite(model.score_samples([[0.0, 1], [9, 9]])).all()


@pytest.mark.parametrize(
    "wrong",
    [{"online": "adam"}, {"schedule": "slow"}, {"learning_rate": 0}, {"kappa": -1}, {"tau": "x"}, {"batch_size": 0}],
)
def test_wrong_parameters_are_named(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        GaussianMixture(2, **wrong).partial_fit(X)
    with pytest.raises(ValueError, match="features"):
        fitted("full").partial_fit(X[:, :2])


@pytest.mark.slow_without_jit
def test_a_stream_of_single_rows_ends_where_whole_batches_do():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(400, 2)) + 8 * rng.integers(0, 2, (400, 1))
    one, whole = (GaussianMixture(2, covariance_type="diag", random_state=0) for _ in range(2))
    for row in rows:
        one.partial_fit(row[None])
    assert one.score(rows) == pytest.approx(whole.partial_fit(rows).score(rows), abs=0.05)
