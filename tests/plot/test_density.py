"""Density figures: regions against exact quantiles of a Gaussian and shares of rows, curves against closed forms."""

import numpy as np
import pytest
from scipy.stats import chi2, norm
from sklearn.mixture import GaussianMixture as TheirMixture
from sklearn.neighbors import KernelDensity

from unmix.density import Categorical, Gaussian, GaussianMixture
from unmix.plot import DensityDisplay

LEVELS = (0.95, 0.8, 0.5)
TURN = np.array([[2.0, 0.7], [0.0, 0.4]])


@pytest.fixture(scope="module")
def rows():
    return np.random.default_rng(0).normal(size=(4000, 2)) @ TURN + [3, -1]


@pytest.fixture(scope="module")
def groups():
    rng = np.random.default_rng(1)
    return np.concatenate([rng.normal(size=(120, 3)), rng.normal(size=(80, 3)) * [0.5, 1, 2] + [5, 3, 0]])


def test_regions_are_those_of_exact_gaussian_quantiles(rows, ax):
    model = Gaussian().fit(rows)
    display = DensityDisplay.from_estimator(model, rows, ax=ax)
    assert display.ax_ is ax
    peak = model.score_samples(model.mean_[None])[0]
    exact = np.exp(peak - chi2.ppf(LEVELS, 2) / 2)  # p(x) = p(u) exp(-r²/2), r² of chi-square with two degrees
    np.testing.assert_allclose(display.heights_, exact, rtol=0.02)
    np.testing.assert_allclose(display.contours_.levels, display.heights_)
    for level, segments in zip(LEVELS, display.contours_.allsegs):
        away = segments[0] - model.mean_
        radius = np.einsum("ij,jk,ik->i", away, model.precision_, away)
        np.testing.assert_allclose(radius, chi2.ppf(level, 2), rtol=0.04)
    assert [text.get_text() for text in display.texts_] == ["95 %", "80 %", "50 %"]


@pytest.mark.parametrize(
    "model", [GaussianMixture(2, random_state=0), TheirMixture(2, random_state=0), KernelDensity(bandwidth=0.4)]
)
def test_regions_hold_their_share_of_new_rows(groups, model):
    model.fit(groups[:, :2])
    display = DensityDisplay.from_estimator(model, groups[:, :2])
    drawn = model.sample(20_000)
    drawn = drawn[0] if isinstance(drawn, tuple) else drawn
    density = np.exp(model.score_samples(drawn))
    for level, height in zip(LEVELS, display.heights_):
        assert abs((density >= height).mean() - level) < 0.012


def test_the_curve_of_one_column_is_the_density():
    x = np.random.default_rng(2).normal(size=(300, 1)) * 2 + 5
    model = Gaussian().fit(x)
    display = DensityDisplay.from_estimator(model, x)
    places, heights = display.line_.get_data()
    np.testing.assert_allclose(heights, norm.pdf(places, x.mean(), x.std()), rtol=1e-8)
    assert np.trapezoid(heights, places) == pytest.approx(1, abs=2e-3)
    rug = np.array([segment[0, 0] for segment in display.rug_.get_segments()])
    np.testing.assert_array_equal(rug, x[:, 0])
    corners = display.bars_.get_xy()
    area = 0.5 * abs(np.sum(corners[:-1, 0] * corners[1:, 1] - corners[1:, 0] * corners[:-1, 1]))
    assert area == pytest.approx(1, rel=1e-6)  # the histogram is a density too


@pytest.mark.parametrize("make", [GaussianMixture, TheirMixture])
@pytest.mark.parametrize("kind", ["full", "diag"])
def test_marginals_are_integrals_over_the_other_columns(groups, make, kind):
    model = make(2, covariance_type=kind, random_state=0).fit(groups)
    display = DensityDisplay.from_estimator(model, groups, columns=(2, 0), grid_size=21)
    hidden = np.linspace(groups[:, 1].min() - 10, groups[:, 1].max() + 10, 1201)
    for i, j in [(5, 5), (10, 8), (12, 15)]:
        third, first = display.axes[0][i], display.axes[1][j]
        line = np.column_stack([np.full(1201, first), hidden, np.full(1201, third)])
        exact = np.trapezoid(np.exp(model.score_samples(line)), hidden)
        assert display.density[i, j] == pytest.approx(exact, rel=1e-5, abs=1e-12)
    assert DensityDisplay.from_estimator(model, groups, columns=1).density.ndim == 1


def test_a_model_may_bring_its_own_marginal(groups):
    class Known:
        def marginal(self, columns):
            self.asked = columns
            return Gaussian().fit(groups[:, columns])

        def score_samples(self, X):
            raise AssertionError

    model = Known()
    DensityDisplay.from_estimator(model, groups, columns=(0, 2))
    assert model.asked == [0, 2]


def test_both_columns_may_be_shown_the_other_way_round(groups):
    model = KernelDensity(bandwidth=0.5).fit(groups[:, :2])
    display = DensityDisplay.from_estimator(model, groups[:, :2], columns=(1, 0))
    place = np.array([[display.axes[1][70], display.axes[0][80]]])
    assert display.density[80, 70] == pytest.approx(np.exp(model.score_samples(place)[0]))
    assert display.ax_.get_xlabel() == "column 1"


def test_a_density_of_steps_has_its_terraces_inside():
    """Three quarters of the mass on one square, one quarter on the next: 50 % and 70 % are the same region."""

    class Steps:
        def score_samples(self, X):
            inside = (X[:, 1] >= 0) & (X[:, 1] < 1)
            height = np.where(inside & (X[:, 0] >= 0) & (X[:, 0] < 1), 0.75, 0.0)
            height = np.where(inside & (X[:, 0] >= 1) & (X[:, 0] < 2), 0.25, height)
            with np.errstate(divide="ignore"):
                return np.log(height)

    X = np.random.default_rng(0).uniform(size=(50, 2)) * [2, 1]
    display = DensityDisplay.from_estimator(Steps(), X, levels=(0.5, 0.7, 0.9))
    np.testing.assert_allclose(display.levels_, [0.9, 0.7])
    np.testing.assert_allclose(display.heights_, [0.125, 0.5])


def test_a_frame_with_names_draws_without_warnings(groups):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(groups[:, :2], columns=["length", "width"])
    display = DensityDisplay.from_estimator(TheirMixture(2, random_state=0).fit(frame), frame)
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("length", "width")


def test_peaks_narrower_than_the_grid_are_warned_of(groups):
    X = groups[:, :2]
    with pytest.warns(UserWarning, match="Raise grid_size"):
        DensityDisplay.from_estimator(KernelDensity(bandwidth=0.03).fit(X), X, grid_size=40)
    with pytest.raises(ValueError, match="0 at every place of the grid; raise grid_size"):
        DensityDisplay.from_estimator(KernelDensity(bandwidth=1e-4).fit(X), X, grid_size=40)


def test_a_density_far_wider_than_the_rows_is_seen_whole():
    X = np.random.default_rng(0).normal(size=(30, 2))
    model = Gaussian().fit(20 * X)
    display = DensityDisplay.from_estimator(model, X / 2)
    peak = model.score_samples(model.mean_[None])[0]
    np.testing.assert_allclose(display.heights_, np.exp(peak - chi2.ppf(LEVELS, 2) / 2), rtol=0.1)


def test_large_tables_are_thinned_out(rows):
    display = DensityDisplay.from_estimator(Gaussian().fit(rows), rows, max_points=100, grid_size=40)
    assert len(display.points_.get_offsets()) == 100
    assert "100 of 4,000 rows drawn" in [text.get_text() for text in display.ax_.texts]


def test_bad_input_is_refused_in_words(groups):
    model = KernelDensity().fit(groups)
    with pytest.raises(TypeError, match="has no score_samples"):
        DensityDisplay.from_estimator(object(), groups)
    with pytest.raises(TypeError, match="Categorical has probabilities of categories"):
        DensityDisplay.from_estimator(Categorical().fit(groups.round()), groups.round())
    with pytest.raises(ValueError, match="X has 3 columns and a figure shows one or two"):
        DensityDisplay.from_estimator(model, groups)
    with pytest.raises(ValueError, match=r"cannot be reduced to columns \[0, 1\] alone; fit it to those"):
        DensityDisplay.from_estimator(model, groups, columns=(0, 1))
    with pytest.raises(ValueError, match="levels="):
        DensityDisplay.from_estimator(model, groups, columns=(0, 1), levels=(50, 80))
    two = Gaussian().fit(groups[:, :2])
    with pytest.raises(ValueError, match="grid_size=3"):
        DensityDisplay.from_estimator(two, groups[:, :2], grid_size=3)
    with pytest.raises(ValueError, match="columns="):
        DensityDisplay.from_estimator(two, groups[:, :2], columns=(0, 1, 1))
    for factor in (1e300, 1e-300):
        with pytest.raises(ValueError, match=r"beyond what a figure can show; divide X by its size, such as .*e.300"):
            DensityDisplay.from_estimator(Gaussian().fit(factor * groups[:, :2]), factor * groups[:, :2])
