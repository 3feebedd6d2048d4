"""Schedules run from first to last by their own law."""

import numpy as np
import pytest

from unmix.core.schedule import geometric, linear, logarithmic


def test_laws():
    falling = geometric(10.0, 0.1, 5)
    assert falling[0] == pytest.approx(10) and falling[-1] == pytest.approx(0.1)
    np.testing.assert_allclose(falling[1:] / falling[:-1], 10**-0.5)
    np.testing.assert_allclose(np.diff(linear(1.0, 3.0, 5)), 0.5)
    slow = logarithmic(2.0, 100)
    assert slow[0] == pytest.approx(2.0)
    np.testing.assert_allclose(slow * np.log(np.arange(100) + 2), 2 * np.log(2))


@pytest.mark.parametrize("call", [lambda: geometric(0, 1, 3), lambda: linear(1, np.inf, 3), lambda: geometric(1, 2, 0)])
def test_impossible_schedules(call):
    with pytest.raises(ValueError, match="a schedule"):
        call()
