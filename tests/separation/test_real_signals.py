"""Four people speaking at once, heard by four microphones, and each of them alone again."""

import warnings

import numpy as np
import pytest

from unmix.separation import JADE, FastICA, Infomax, OnlineICA, SecondOrderICA, amari_index, sir


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(
    "estimator",
    [
        FastICA(random_state=0),
        FastICA(algorithm="deflation", random_state=0),
        Infomax(random_state=0),
        JADE(),
        SecondOrderICA(),
    ],
    ids=repr,
)
def test_four_speech_signals(shared_data, estimator):
    with np.load(shared_data / "ica" / "speech_cmu_arctic.npz") as file:
        names = sorted(name for name in file if name != "fs")
        voices = [file[name].astype(float) for name in (*names[:2], names[3], names[5])]
    length = min(map(len, voices))
    S = np.column_stack([voice[:length] / voice[:length].std() for voice in voices])
    A = np.random.default_rng(0).normal(size=(4, 4))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # speech is far from Gaussian
        found = estimator.fit_transform(S @ A.T)
    assert sir(S, found).min() > 20
    assert amari_index(estimator.components_, A) < 0.05


@pytest.mark.slow_without_jit
def test_foetal_electrocardiogram_is_unmixed_to_the_last_digit(shared_data):
    with np.load(shared_data / "ica" / "foetal_ecg.npz") as file:
        X = file["X"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = Infomax(random_state=0).fit(X)
    assert model.gradient_norm_ < 1e-7
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X, atol=1e-6 * np.abs(X).max())


@pytest.mark.slow_without_jit
def test_online_rules_follow_speech(shared_data):
    with np.load(shared_data / "ica" / "speech_cmu_arctic.npz") as file:
        names = sorted(name for name in file if name != "fs")
        S = np.column_stack([file[name][:25_000].astype(float) for name in (names[0], names[3])])
    A = np.array([[1.0, 0.6], [0.4, 1.0]])
    model = OnlineICA(random_state=0, n_epochs=3).fit(S @ A.T)
    assert amari_index(model.components_, A) < 0.1


def test_voices_by_their_rhythms(shared_data):
    """Two, three and six people at once: by default none keeps more of another than 25 dB allow."""
    with np.load(shared_data / "ica" / "speech_cmu_arctic.npz") as file:
        voices = [file[name].astype(float) for name in sorted(name for name in file if name != "fs")]
    for chosen in ((0, 1), (0, 3), (0, 1, 2), (3, 4, 5), range(6)):
        length = min(len(voices[i]) for i in chosen)
        S = np.column_stack([voices[i][:length] for i in chosen])
        A = np.random.default_rng(len(chosen)).normal(size=(len(chosen), len(chosen)))
        assert sir(S, SecondOrderICA().fit_transform(S @ A.T)).min() > 25
