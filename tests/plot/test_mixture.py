"""Mixture figures: ellipses against eigenvalues and exact chi-square shares, colours against responsibilities."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from scipy.stats import chi2
from sklearn.mixture import BayesianGaussianMixture
from sklearn.mixture import GaussianMixture as TheirMixture

from unmix.density import Gaussian, GaussianMixture
from unmix.plot import MixtureDisplay
from unmix.plot.style import LIGHT


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    return np.concatenate(
        [rng.normal(size=(80, 3)) @ rng.normal(size=(3, 3)), rng.normal(size=(60, 3)) * [1, 2, 0.5] + [8, 0, 3]]
    )


def full_covariances(model, d):
    """As the documentation of scikit-learn states the shapes."""
    k, kind, values = len(model.means_), model.covariance_type, np.asarray(model.covariances_)
    shapes = {
        "full": lambda: values,
        "tied": lambda: [values] * k,
        "diag": lambda: [np.diag(row) for row in values],
        "spherical": lambda: [v * np.eye(d) for v in values],
        "fixed": lambda: [values] * k,
    }
    return np.array(shapes[kind]())


CASES = [(make, kind) for make in (GaussianMixture, TheirMixture) for kind in ("full", "tied", "diag", "spherical")]


@pytest.mark.parametrize("make, kind", [*CASES, (GaussianMixture, "fixed")])
def test_ellipse_axes_are_the_eigen_decomposition_of_the_marginal(rows, make, kind, ax):
    options = {"covariance": np.diag([1.0, 2.0, 3.0])} if kind == "fixed" else {}
    model = make(2, covariance_type=kind, random_state=0, **options).fit(rows)
    display = MixtureDisplay.from_estimator(model, rows, columns=(2, 0), ax=ax)
    for c, pair in enumerate(display.ellipses_):
        covariance = full_covariances(model, 3)[c][np.ix_([2, 0], [2, 0])]
        for s, ellipse in zip((1, 2), pair):
            np.testing.assert_allclose(ellipse.center, model.means_[c, [2, 0]])
            turn = np.radians(ellipse.angle)
            R = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
            shape = R @ np.diag([(ellipse.width / 2) ** 2, (ellipse.height / 2) ** 2]) @ R.T
            np.testing.assert_allclose(shape, s**2 * covariance, rtol=1e-5, atol=1e-8)


def test_the_ellipses_hold_the_share_a_gaussian_has_within_so_many_deviations():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(20_000, 2)) @ np.array([[2.0, 0.7], [0.0, 0.4]]) + [3, -1]
    display = MixtureDisplay.from_estimator(Gaussian().fit(X), X)
    for s, ellipse in zip((1, 2), display.ellipses_[0]):
        inside = ellipse.get_path().contains_points(ellipse.get_patch_transform().inverted().transform(X)).mean()
        assert abs(inside - chi2.cdf(s**2, 2)) < 0.01


def test_rows_have_the_colours_of_their_components_mixed(rows):
    model = GaussianMixture(2, random_state=0).fit(rows)
    display = MixtureDisplay.from_estimator(model, rows)
    expected = model.predict_proba(rows) @ np.array([to_rgb(color) for color in LIGHT[:2]])
    np.testing.assert_allclose(display.points_.get_facecolors()[:, :3], expected, atol=1e-9)
    np.testing.assert_array_equal(display.points_.get_offsets(), rows[:, :2])
    assert [text.get_text() for text in display.texts_] == [f"{c}: {w:.0%}" for c, w in enumerate(model.weights_)]


def test_rows_that_miss_a_shown_value_are_not_drawn(rows):
    gappy = rows.copy()
    gappy[3, 0], gappy[5, 2] = np.nan, np.nan
    model = GaussianMixture(2, missing="ignore", random_state=0).fit(gappy)
    display = MixtureDisplay.from_estimator(model, gappy)
    assert len(display.points_.get_offsets()) == len(rows) - 1
    assert f"{len(rows) - 1} of {len(rows)} rows drawn" in [text.get_text() for text in display.ax_.texts]


def test_components_without_rows_are_not_drawn():
    display = MixtureDisplay([[0, 0], [1, 1]], [np.eye(2)] * 2, [1.0, 0.0]).plot()
    assert len(display.ellipses_) == 1 and display.points_ is None


def test_other_mixtures_and_other_deviations(rows):
    model = BayesianGaussianMixture(n_components=3, random_state=0, tol=1.0).fit(rows)
    display = MixtureDisplay.from_estimator(model, deviations=(3, 1, 2))
    assert [len(pair) for pair in display.ellipses_] == [3, 3, 3]
    widths = [ellipse.width for ellipse in display.ellipses_[0]]
    np.testing.assert_allclose(np.array(widths) / widths[0], [1, 2, 3])


def test_bad_input_is_refused_in_words(rows):
    model = GaussianMixture(2, random_state=0).fit(rows)
    with pytest.raises(TypeError, match="has no means and covariances"):
        MixtureDisplay.from_estimator(object(), rows)
    with pytest.raises(ValueError, match="ellipses need two"):
        MixtureDisplay.from_estimator(GaussianMixture(1).fit(rows[:, :1]), rows[:, :1])
    with pytest.raises(ValueError, match="columns='a'"):
        MixtureDisplay.from_estimator(model, rows, columns="a")
    with pytest.raises(ValueError, match=r"columns=.*give 2 different"):
        MixtureDisplay.from_estimator(model, rows, columns=(1, 1))
    with pytest.raises(ValueError, match="deviations="):
        MixtureDisplay.from_estimator(model, rows, deviations=(0, 1))
