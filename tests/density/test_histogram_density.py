"""HistogramDensity against numpy.histogramdd, brute-force leave-one-out, held-out rows, and odd tables."""

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.special import gammaln
from scipy.stats import kstest

import unmix
from unmix.algorithms.rounded_values.rounding import Rounding
from unmix.density import HistogramDensity
from unmix.density.bin_choice import Points, choose, score_bins, spread_out

rng = np.random.default_rng(0)
CLOUD = rng.normal(size=(400, 3)) * [1.0, 2.0, 0.5]
COUNTS = rng.integers(0, 4, 400)


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("weights", [None, COUNTS.astype(float)], ids=["plain", "weighted"])
@pytest.mark.parametrize("how", ["number", "numbers", "edges"])
def test_the_histogram_is_that_of_numpy(d, weights, how):
    X = CLOUD[:, :d]
    there = X if weights is None else X[weights > 0]
    edges = [np.array([-1.0, 0.0, 0.3, 1.5])] * d
    bins = {"number": 5, "numbers": [4, 7, 2][:d], "edges": edges}[how]
    limits = None if how == "edges" else list(zip(there.min(0), there.max(0)))
    expected, found = np.histogramdd(X, bins, range=limits, density=True, weights=weights)
    model = HistogramDensity(bins, background=0).fit(X, sample_weight=weights)
    np.testing.assert_allclose(model.to_grid(), expected, rtol=1e-12)
    for one, other in zip(model.bin_edges_, found):
        np.testing.assert_allclose(one, other, rtol=1e-12)
    inside = [np.clip(np.searchsorted(e, column, "right") - 1, 0, len(e) - 2) for e, column in zip(found, X.T)]
    beyond = np.any([(c < e[0]) | (c > e[-1]) for e, c in zip(found, X.T)], axis=0)
    with np.errstate(divide="ignore"):
        wanted = np.where(beyond, -np.inf, np.log(expected[tuple(inside)]))
    np.testing.assert_allclose(model.score_samples(X), wanted, rtol=1e-10)


@pytest.mark.parametrize("background", [0.0, 1.0, 30.0])
@pytest.mark.parametrize("bins", [7, [[-5.0, 0.0, 0.1, 4.0], [-9.0, 2.0, 9.0]]], ids=["even", "uneven"])
def test_it_integrates_to_one(background, bins):
    model = HistogramDensity(bins, background=background).fit(CLOUD[:, :2])
    volumes = np.multiply.outer(*(np.diff(edge) for edge in model.bin_edges_))
    assert (model.to_grid() * volumes).sum() == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("background", [1.0, 5.0])
@pytest.mark.parametrize("bins", [[3], [40], [4, 9]])
def test_leave_one_out_is_that_of_refitting(background, bins):
    X, weights = CLOUD[:60, : len(bins)], COUNTS[:60] + 1.0
    limits = np.column_stack([X.min(0), X.max(0)])
    logs, plain = [], []
    for i in range(len(X)):
        rest = np.delete(np.arange(len(X)), i)
        model = HistogramDensity(bins, range=limits, background=background).fit(X[rest], sample_weight=weights[rest])
        logs.append(model.score_samples(X[[i]])[0])
    plain = np.exp(logs)
    whole = HistogramDensity(bins, range=limits, background=background).fit(X, sample_weight=weights)
    volumes = np.array(1.0)
    for edge in whole.bin_edges_:
        volumes = np.multiply.outer(volumes, np.diff(edge))
    size = np.prod(limits[:, 1] - limits[:, 0])
    points = Points((X - limits[:, 0]) / (limits[:, 1] - limits[:, 0]), weights, np.full(len(bins), 100))
    found = score_bins(points, np.array(bins), "likelihood", background)
    assert found == pytest.approx(np.average(logs, weights=weights) + np.log(size), rel=1e-10)
    squares = 2 * np.average(plain, weights=weights) - (whole.to_grid() ** 2 * volumes).sum()
    assert score_bins(points, np.array(bins), "least-squares", background) == pytest.approx(squares * size, rel=1e-10)


def test_least_squares_is_the_published_formula_and_knuth_the_evidence():
    x, m = CLOUD[:, 0], 13
    n, points = len(x), Points(((x - x.min()) / np.ptp(x))[:, None], np.ones(400), np.array([100]))
    counts = np.histogram(x, m)[0]
    rudemo = (2 / (n - 1) - (n + 1) / (n**2 * (n - 1)) * (counts**2).sum()) * m
    assert score_bins(points, np.array([m]), "least-squares", 0.0) == pytest.approx(-rudemo, rel=1e-10)
    # the probability of the rows one after the other, each interval having half a row to begin with
    seen, log = np.full(m, 0.5), 0.0
    for c in np.clip(np.searchsorted(np.histogram_bin_edges(x, m), x, "right") - 1, 0, m - 1):
        log += np.log(seen[c] / seen.sum() * m)
        seen[c] += 1
    assert score_bins(points, np.array([m]), "knuth", 0.0) == pytest.approx(log, rel=1e-9)
    formula = n * np.log(m) + gammaln(m / 2) - m * gammaln(0.5) - gammaln(n + m / 2) + gammaln(counts + 0.5).sum()
    assert score_bins(points, np.array([m]), "knuth", 0.0) == pytest.approx(formula, rel=1e-12)


def drawn(name, n, rng):
    tilted = np.array([[1.0, 0.9], [0.0, 0.4]])
    return {
        "even": lambda: rng.random((n, 1)),
        "normal": lambda: rng.normal(size=(n, 1)),
        "two widths": lambda: np.where(rng.random(n) < 0.3, rng.normal(3, 0.1, n), rng.normal(size=n))[:, None],
        "one-sided": lambda: rng.exponential(size=(n, 1)),
        "tilted": lambda: rng.normal(size=(n, 2)) @ tilted,
        "three axes": lambda: rng.normal(size=(n, 3)),
    }[name]()


@pytest.mark.parametrize("name", ["even", "normal", "two widths", "one-sided", "tilted", "three axes"])
def test_chosen_bins_are_near_the_best_for_new_rows(name):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X, new = drawn(name, 1500, rng), drawn(name, 4000, rng)
        limits = np.column_stack([np.minimum(X.min(0), new.min(0)), np.maximum(X.max(0), new.max(0))])
        ladder = sorted({round(1.2**i) for i in range(28 if X.shape[1] == 1 else 18)})
        best = max(HistogramDensity(m, range=limits).fit(X).score(new) for m in ladder)
        for rule in ("likelihood", "least-squares"):
            found = HistogramDensity(rule, range=limits).fit(X).score(new)
            assert found > best - 0.05 * max(1.0, abs(best)), (name, rule)


@pytest.mark.parametrize("rule", ["likelihood", "knuth"])
def test_evenly_spread_rows_are_one_cell(rule):
    for d in (1, 2):
        tables = [np.random.default_rng(seed).random((500, d)) for seed in range(20)]
        assert sum(HistogramDensity(rule).fit(X).n_bins_.max() == 1 for X in tables) >= 18


def test_the_search_finds_what_trying_all_finds():
    for seed in range(3):
        x = np.random.default_rng(seed).normal(size=300)
        unit = ((x - x.min()) / np.ptp(x))[:, None]
        points = Points(unit, np.ones(300), np.array([200]))
        for rule in ("likelihood", "least-squares", "knuth"):
            values = [score_bins(points, np.array([m]), rule, 1.0) for m in range(1, 201)]
            found = score_bins(points, choose(points, rule, 1.0), rule, 1.0)
            assert found > max(values) - 0.02 * (max(values) - min(values)) - 4 / 300


def test_rules_of_thumb_are_those_of_numpy():
    x = CLOUD[:, :1]
    for ours, theirs in (("scott", "scott"), ("freedman-diaconis", "fd")):
        assert abs(HistogramDensity(ours).fit(x).n_bins_[0] - (len(np.histogram_bin_edges(x, theirs)) - 1)) <= 1


def test_repeated_values_do_not_ask_for_thin_intervals():
    counts = np.random.default_rng(0).poisson(8, size=(1000, 1)).astype(float)
    assert HistogramDensity().fit(counts).n_bins_[0] < 25
    drawn_again = np.random.default_rng(0).choice(CLOUD[:, 0], 2000)[:, None]
    assert HistogramDensity().fit(drawn_again).n_bins_[0] < 40


def test_samples_lie_in_their_cells():
    for background in (0.0, 40.0):
        model = HistogramDensity(6, background=background, random_state=0).fit(CLOUD[:, :2])
        rows = model.sample(20000)
        expected = model.to_grid() * np.multiply.outer(*(np.diff(edge) for edge in model.bin_edges_))
        counts = np.histogramdd(rows, model.bin_edges_)[0]
        assert counts.sum() == 20000
        there = expected > 0
        assert (counts[~there] == 0).all()
        chi_square = ((counts - 20000 * expected)[there] ** 2 / (20000 * expected[there])).sum()
        assert chi_square < there.sum() + 4 * np.sqrt(2 * there.sum())


@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1e150, 1e300])
def test_extreme_scales_give_the_same_cells(scale):
    expected = HistogramDensity().fit(CLOUD)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = HistogramDensity(random_state=0).fit(CLOUD * scale)
        scores = model.score_samples(CLOUD * scale)
        assert np.isfinite(model.score_samples(model.sample(50))).all()
    np.testing.assert_array_equal(model.n_bins_, expected.n_bins_)
    np.testing.assert_allclose(scores, expected.score_samples(CLOUD) - 3 * np.log(scale), rtol=1e-9)
    wide = HistogramDensity(4, random_state=0).fit(np.array([[-1.7e308], [1.7e308], [0.0]]))
    assert np.isfinite(wide.sample(5)).all()
    assert np.isfinite(wide.score_samples([[1.0]])).all()


def test_constant_columns_single_rows_and_duplicates():
    X = np.column_stack([CLOUD[:, 0], np.full(400, 7.0), np.zeros(400)])
    model = HistogramDensity().fit(X)
    assert model.n_bins_[1:].tolist() == [1, 1]
    alone = HistogramDensity(model.n_bins_[:1].tolist()).fit(X[:, :1])
    np.testing.assert_allclose(model.score_samples(X), alone.score_samples(X[:, :1]))  # the other two have length 1
    assert model.range_[1].tolist() == [6.5, 7.5]
    for rows in (np.ones((1, 2)), np.ones((50, 2)), np.repeat([[1e300, -3.0]], 4, axis=0)):
        assert np.isfinite(HistogramDensity(random_state=0).fit(rows).score_samples(rows)).all()


def test_many_axes_store_only_cells_that_hold_rows():
    X = np.random.default_rng(0).normal(size=(300, 9))
    model = HistogramDensity(20, background=0).fit(X)
    assert len(model.cells_) == 300
    np.testing.assert_allclose(model.score_samples(X), -np.log(300) - np.log(np.ptp(X, axis=0) / 20).sum())
    with pytest.raises(ValueError, match="too many for an array"):
        model.to_grid()
    with pytest.raises(ValueError, match="fewer bins"):
        HistogramDensity(200).fit(X)


def test_single_precision_sparse_files_and_saving(tmp_path):
    X = np.where(CLOUD > 0, CLOUD, 0.0)
    model = HistogramDensity(random_state=0).fit(X.astype(np.float32))
    assert model.range_.dtype == model.sample(2).dtype == model.score_samples(X[:2]).dtype == np.float32
    np.testing.assert_array_equal(HistogramDensity().fit(csr_array(X)).counts_, HistogramDensity().fit(X).counts_)
    model.save(tmp_path / "model.unmix")
    again = unmix.load(tmp_path / "model.unmix")
    np.testing.assert_array_equal(again.score_samples(X), model.score_samples(X))
    np.testing.assert_array_equal(again.sample(5), model.sample(5))


def test_long_tables_are_chosen_for_from_a_sample(monkeypatch):
    monkeypatch.setattr("unmix.density.histogram_density.MOST_ROWS", 2000)
    X = np.random.default_rng(0).normal(size=(16000, 1))
    few = HistogramDensity().fit(X[:2000]).n_bins_[0]
    many = HistogramDensity().fit(X)
    assert 1.3 * few < many.n_bins_[0] < 3.5 * few  # the cube root of 8
    assert many.counts_.sum() == 16000


def test_more_axes_than_an_array_can_have():
    """One axis is cut in two, all others have one interval of length 1, as constant columns do."""
    X = np.zeros((100, 80))
    X[:, 70] = np.r_[np.zeros(75), np.full(25, 2.0)]
    model = HistogramDensity([1] * 70 + [2] + [1] * 9, background=0, random_state=0).fit(X)
    np.testing.assert_allclose(model.score_samples(X[[0, -1]]), np.log([0.75, 0.25]))
    drawn = model.sample(4000)
    assert drawn.shape == (4000, 80) and abs((drawn[:, 70] < 1).mean() - 0.75) < 0.03


@pytest.mark.parametrize(
    "wrong, sentence",
    [
        ({"bins": "sturges"}, "bins"),
        ({"bins": 0}, "bins"),
        ({"bins": [3, 4]}, "2 entries for 3"),
        ({"bins": [[0, 1], [1, 0], [0, 1]]}, "axis 1"),
        ({"bins": 2.5}, "bins"),
        ({"bins": 10**12}, "more than can be kept"),
        ({"range": "wide"}, "range='wide': give 3 pair"),
        ({"range": (3, 1)}, "range"),
        ({"range": (50, 60)}, "range"),
        ({"bins": 3, "range": (50, 60)}, "range"),
        ({"background": -1}, "background"),
        ({"background": "x"}, "background"),
    ],
)
def test_wrong_parameters_are_named(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        HistogramDensity(**wrong).fit(CLOUD)


@pytest.mark.parametrize("rule", ["likelihood", "least-squares", "knuth"])
def test_rounded_rows_get_about_the_bins_of_the_rows_behind_them(rule):
    draw = np.random.default_rng(3)
    x = np.concatenate([draw.normal(size=1400), 0.3 * draw.normal(size=600) + 3])[:, None]
    exact, rounded = (HistogramDensity(rule).fit(X) for X in (x, np.round(x, 2)))
    assert 0.6 < rounded.n_bins_[0] / exact.n_bins_[0] < 1.6
    steps = np.diff(rounded.bin_edges_[0]) * 100  # each holds as many values as the next
    np.testing.assert_allclose(steps, np.rint(steps[0]), atol=1e-6)
    assert np.allclose(rounded.bin_edges_[0] * 100 % 1, 0.5)
    values, counts = np.unique(np.round(x, 2), return_counts=True)
    weighted = HistogramDensity(rule).fit(values[:, None], sample_weight=counts)
    np.testing.assert_allclose(weighted.bin_edges_[0], rounded.bin_edges_[0])
    assert HistogramDensity(rule).fit(np.round(x)).n_bins_[0] <= len(np.unique(np.round(x)))


def test_rounded_rows_are_spread_evenly_over_their_steps():
    places, steps = np.array([[0.0, 5.0], [0.5, 5.0]]), np.array([0.5, 1.0])
    rows, weights = spread_out(places, np.array([100.0, 1.0]), Rounding(steps, places[0], steps))
    assert np.allclose(weights, 1) and len(rows) == 101
    offsets = (rows[:100] - places[0]) / steps
    for column in offsets.T:
        assert kstest(column, "uniform", (-0.5, 1)).statistic < 0.03
    quarters = np.histogram2d(*offsets.T, bins=2, range=[[-0.5, 0.5]] * 2)[0]
    assert np.abs(quarters - 25).max() <= 2
    np.testing.assert_allclose(rows[100, 0], 0.5)


@pytest.mark.parametrize("decimals", [1, None])
@pytest.mark.parametrize("rule", ["likelihood", "least-squares", "knuth", "scott", "freedman-diaconis"])
def test_neither_the_order_of_columns_nor_their_units_matter(rule, decimals):
    rng = np.random.default_rng(3)
    for d in (2, 3, 3):
        X = rng.normal(size=(300, d)) @ rng.normal(size=(d, d))
        X[:, 0] = np.exp(X[:, 0] / 2)
        X = X if decimals is None else X.round(decimals)
        bins = HistogramDensity(rule).fit(X).n_bins_
        for _ in range(3):
            order, scale = rng.permutation(d), rng.uniform(0.1, 9, d)
            assert HistogramDensity(rule).fit(X[:, order]).n_bins_.tolist() == bins[order].tolist()
            assert HistogramDensity(rule).fit(X * scale + 3).n_bins_.tolist() == bins.tolist()


def test_long_weighted_tables_are_looked_at_by_weight(monkeypatch):
    monkeypatch.setattr("unmix.density.histogram_density.MOST_ROWS", 200)
    X = np.random.default_rng(0).normal(size=(600, 2))
    weights = np.arange(600) % 3 + 0.0
    X[weights == 0] = 1e30
    by_weight = HistogramDensity("knuth").fit(X, sample_weight=weights)
    repeated = HistogramDensity("knuth").fit(np.repeat(X, weights.astype(int), axis=0))
    np.testing.assert_array_equal(by_weight.edges_, repeated.edges_)
    np.testing.assert_array_equal(by_weight.counts_, repeated.counts_)
