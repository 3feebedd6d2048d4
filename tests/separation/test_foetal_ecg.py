"""In recordings from a mother's abdomen one source is her child's heart, and it beats at its own rate."""

import importlib.util
import warnings
from pathlib import Path

import numpy as np
import pytest

from tests.stored import stored
from unmix.separation import FastICA, Infomax, SecondOrderICA

spec = importlib.util.spec_from_file_location("foetal_ecg", Path(__file__).parents[2] / "examples" / "foetal_ecg.py")
example = importlib.util.module_from_spec(spec)
spec.loader.exec_module(example)


@pytest.fixture(scope="module")
def recording(shared_data):
    return stored(shared_data / "ica" / "foetal_ecg.npz")["X"]


@pytest.mark.parametrize(
    "model", [FastICA(random_state=0), Infomax(random_state=0), SecondOrderICA()], ids=lambda m: type(m).__name__
)
@pytest.mark.parametrize("n_channels", [5, 8])
@pytest.mark.slow_without_jit
def test_the_child_is_a_source_of_its_own(recording, model, n_channels):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # two sources are noise, and said to be
        sources = model.fit_transform(recording[:, :n_channels])
    hearts = [heart for heart in map(example.listen, sources.T) if heart.is_one]
    children = [heart for heart in hearts if 110 < heart.by_peaks < 170]
    mothers = [heart for heart in hearts if 60 < heart.by_peaks < 100]
    assert len(children) + len(mothers) == len(hearts)
    assert children and mothers
    for child in children:
        assert child.by_peaks == pytest.approx(134, abs=3)
    for mother in mothers:
        assert mother.by_peaks == pytest.approx(81, abs=3)
    # two hearts that do not know each other: a beat of the child falls on one of the mother (± 40 ms) by chance only
    apart = np.abs(children[0].beats[:, None] - mothers[0].beats).min(axis=1)
    assert (apart > 10).mean() > 0.7


def test_no_channel_shows_the_child_alone(recording):
    """What separation is for: in every channel the mother is what is heard."""
    for channel in recording.T:
        assert not 110 < example.listen(channel).by_peaks < 170 or not example.listen(channel).is_one


def test_a_heart_is_heard_and_noise_is_none():
    rng = np.random.default_rng(0)
    beats = np.zeros(2500)
    beats[50::150] = 1  # every 0.6 s
    heart = example.listen(np.convolve(beats, [0.3, 1, -0.4], "same") + 0.03 * rng.normal(size=2500))
    assert heart.is_one
    assert heart.by_peaks == heart.by_autocorrelation == 100
    assert not any(example.listen(rng.normal(size=2500)).is_one for _ in range(20))
