import numpy as np
import pytest
from scipy.signal import welch as scipy_welch

from unmix.separation.recording.describe import spectrum, welch


@pytest.mark.parametrize("n, length", [(1000, 256), (257, 256), (300, 31), (64, 64), (9, 2)])
def test_the_spectrum_is_that_of_welch(n, length):
    values = np.random.default_rng(n).normal(size=n) + 3.0
    _, expected = scipy_welch(values, fs=1.0, nperseg=length, detrend="constant")
    found = welch(values, length)
    np.testing.assert_allclose(found[1:] / found[1:].sum(), expected[1:] / expected[1:].sum(), rtol=1e-9, atol=1e-15)


def test_the_strongest_frequency_is_in_the_unit_of_the_rate():
    time = np.arange(2000) / 100.0
    assert spectrum(np.sin(2 * np.pi * 12.5 * time), 100.0)["strongest"] == pytest.approx(12.5, rel=0.01)
