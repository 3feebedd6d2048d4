"""Drawings go to memory, and every test leaves matplotlib's settings as it found them."""

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")
import matplotlib.pyplot as plt


@pytest.fixture(autouse=True)
def settings_stay():
    before = dict(plt.rcParams)
    yield
    plt.close("all")
    assert dict(plt.rcParams) == before


@pytest.fixture
def ax():
    figure, ax = plt.subplots(figsize=(4, 3))
    yield ax
    figure.canvas.draw()  # whatever was drawn can be rendered


@pytest.fixture(scope="session")
def groups():
    """Three groups of forty rows in the plane, and their labels."""
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(3), 40)
    return np.array([[0.0, 0.0], [7.0, 1.0], [2.0, 8.0]])[labels] + rng.normal(size=(120, 2)), labels
