"""Spectra against numpy's singular values, and the reference against what shuffled tables have."""

import numpy as np
import pytest
from sklearn.decomposition import PCA as TheirPCA

from unmix.decomposition import PCA, TruncatedSVD, select_components
from unmix.plot import SpectrumDisplay


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    return rng.normal(size=(150, 2)) @ rng.normal(size=(2, 8)) * 2 + rng.normal(size=(150, 8)) + 3


def test_bars_are_the_squared_singular_values(table, ax):
    squares = np.linalg.svd(table - table.mean(axis=0), compute_uv=False) ** 2
    for model in (PCA(), TheirPCA(), PCA(3)):
        display = SpectrumDisplay.from_estimator(model.fit(table), ax=ax)
        k = len(display.bars_)
        shares = (squares / squares.sum())[:k]
        np.testing.assert_allclose([bar.get_height() for bar in display.bars_], shares, rtol=1e-6)
        np.testing.assert_allclose(display.cumulative_.get_ydata(), np.cumsum(shares), rtol=1e-6)
        assert display.texts_[0].get_text() == f"together\n{shares.sum():.0%}"
    assert k == 3 and display.ax_ is ax


def test_truncated_svd(table):
    model = TruncatedSVD(3, random_state=0).fit(table)
    codes = table @ np.linalg.svd(table)[2][:3].T
    shares = codes.var(axis=0) / table.var(axis=0).sum()
    display = SpectrumDisplay.from_estimator(model)
    np.testing.assert_allclose([bar.get_height() for bar in display.bars_], shares, rtol=1e-5)


def test_the_reference_is_what_shuffled_columns_reach(table):
    model = PCA().fit(table)
    display = SpectrumDisplay.from_estimator(model, table, parallel_analysis=True, n_rounds=30, random_state=1)
    found = select_components(table, n_rounds=30, random_state=1)
    assert found.n_components == 2
    total = table.var(axis=0, ddof=1).sum()
    np.testing.assert_array_equal(display.limits_.get_xdata(), [1, 2, 3])
    np.testing.assert_allclose(display.limits_.get_ydata(), found.limits[:3] / total, rtol=1e-6)
    rng = np.random.default_rng(5)
    firsts = [
        np.linalg.svd(mixed - mixed.mean(axis=0), compute_uv=False)[0] ** 2 / 149 / total
        for mixed in (rng.permuted(table, axis=0) for _ in range(60))
    ]
    assert display.limits_.get_ydata()[0] == pytest.approx(np.quantile(firsts, 0.95), rel=0.1)
    assert "2 components above it" in display.texts_[1].get_text()


def test_many_components_have_few_numbers():
    display = SpectrumDisplay(np.full(100, 0.01)).plot()
    assert len(display.ax_.get_xticks()) <= 15


def test_bad_input_is_refused_in_words(table):
    with pytest.raises(TypeError, match="has no explained_variance_ratio_"):
        SpectrumDisplay.from_estimator(object())
    with pytest.raises(ValueError, match="give X, the rows of the fit"):
        SpectrumDisplay.from_estimator(PCA().fit(table), parallel_analysis=True)
    with pytest.raises(ValueError, match="about the mean"):
        SpectrumDisplay.from_estimator(TruncatedSVD(2).fit(table), table, parallel_analysis=True)
    with pytest.raises(ValueError, match="shares has shape"):
        SpectrumDisplay([])
