"""The curve of widths: what is drawn is the path of the fit."""

from types import SimpleNamespace

import numpy as np
import pytest

from unmix.plot import BandwidthDisplay


@pytest.fixture
def model():
    factor = np.geomspace(0.1, 10, 21)[::-1]
    values = -2 - np.log(factor / 0.7) ** 2
    values[-1] = -np.inf
    return SimpleNamespace(bandwidth_path_={"factor": factor, "log_likelihood": values}, factor_=0.68)


def test_the_curve_is_the_path_and_the_choice_is_marked(model, ax):
    display = BandwidthDisplay.from_estimator(model, ax=ax)
    assert display.ax_ is ax and ax.get_xscale() == "log"
    x, y = display.line_.get_data()
    np.testing.assert_array_equal(x, model.bandwidth_path_["factor"][:-1][::-1])
    np.testing.assert_array_equal(y, model.bandwidth_path_["log_likelihood"][:-1][::-1])
    best_x, best_y = (float(values[0]) for values in display.best_.get_data())
    assert best_x == 0.68 and y.max() - 0.01 <= best_y <= y.max() + 1e-12
    assert display.text_.get_text() == "best: 0.68"


def test_without_a_choice_the_best_of_the_curve_is_marked(model):
    del model.factor_
    display = BandwidthDisplay.from_estimator(model)
    x, y = display.line_.get_data()
    assert float(display.best_.get_xdata()[0]) == x[y.argmax()]


def test_hopeless_widths_do_not_press_the_rest_flat():
    factors = np.array([0.01, 0.1, 0.5, 1.0, 2.0, 4.0])
    values = np.array([-400.0, -5.0, -2.2, -2.0, -2.3, -3.0])
    low, high = BandwidthDisplay(factors, values).plot().ax_.get_ylim()
    assert -6.0 < low < -5.0 and -2.0 < high < -1.0  # within a factor of ten of the best all is seen
    low, _ = BandwidthDisplay(factors[1:], values[1:]).plot().ax_.get_ylim()
    assert low < -5.0


def test_bad_input_is_refused_in_words():
    given = SimpleNamespace(bandwidth_path_={"factor": np.ones(1), "log_likelihood": np.array([np.nan])})
    for model in (object(), given):
        with pytest.raises(TypeError, match="has no search in bandwidth_path_; fit a KernelDensity"):
            BandwidthDisplay.from_estimator(model)
    with pytest.raises(ValueError, match="have shapes"):
        BandwidthDisplay([1.0, 2.0], [0.0])
    with pytest.raises(ValueError, match="not positive"):
        BandwidthDisplay([0.0, 2.0], [0.0, 1.0])
    with pytest.raises(ValueError, match="no finite value"):
        BandwidthDisplay([1.0, 2.0], [-np.inf, np.nan])
