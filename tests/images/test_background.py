"""Background and movers of planted videos."""

import numpy as np
import pytest

from unmix.images import background
from unmix.images.background import frame_noise

pytestmark = pytest.mark.slow_without_jit


def video(n=24, h=18, w=22, light=True, seed=0):
    """A scene under light that goes up and down, and a bright square that crosses it."""
    rng = np.random.default_rng(seed)
    scene = 0.2 + 0.3 * rng.random((h, w))
    level = 1 + 0.3 * np.sin(np.arange(n)) if light else np.ones(n)
    still = level[:, None, None] * scene
    moving = np.zeros(still.shape, bool)
    for t in range(n):
        left = t % (w - 3)
        moving[t, 5:8, left : left + 3] = True
    return still, moving, np.where(moving, 0.9, still)


def test_light_and_mover_are_told_apart_exactly():
    still, moving, frames = video()
    found = background(frames, noise=0)
    assert found.rank == 1
    assert np.abs(found.background - still).max() < 1e-4
    assert np.array_equal(np.abs(found.movers) > 1e-3, moving)
    assert np.allclose(found.background + found.movers, frames, atol=1e-6)


def test_noise_is_estimated_and_left_out_of_the_movers():
    still, moving, frames = video()
    noisy = frames + np.random.default_rng(1).normal(0, 0.01, frames.shape)
    assert frame_noise(noisy.reshape(len(noisy), -1)) == pytest.approx(0.01, rel=0.15)
    found = background(noisy)
    assert found.moving[moving].mean() > 0.95
    assert found.moving[~moving].mean() < 0.01
    assert np.abs(found.background - still)[~moving].mean() < 0.01


def test_missing_pixels_of_frames_are_filled():
    still, _, frames = video()
    holes = np.random.default_rng(2).random(frames.shape) < 0.1
    found = background(np.where(holes, np.nan, frames), noise=0)
    assert np.abs(found.background - still).max() < 1e-3 and not found.moving[holes].any()


def test_colour_and_whole_numbers():
    _, _, frames = video(light=False)
    whole = np.rint(255 * np.stack([frames, frames / 2, frames / 3], axis=-1)).astype(np.uint8)
    found = background(whole)
    assert found.background.dtype == np.uint8 and found.background.shape == whole.shape
    assert found.movers.dtype == np.float32
    assert np.abs(found.background.astype(int) - np.median(whole, axis=0)).max() <= 1


def test_a_still_video_has_no_movers():
    frames = np.repeat(np.random.default_rng(0).random((1, 6, 7)), 5, axis=0)
    found = background(frames)
    assert found.rank == 1 and not found.moving.any() and np.allclose(found.background, frames)
    assert background(np.zeros((3, 4, 4))).rank == 0


@pytest.mark.parametrize(
    "frames, sentence",
    [
        (np.zeros((4, 4)), "frames have shape"),
        (np.zeros((1, 4, 4)), "at least 2"),
        (np.zeros((3, 4, 4), int), "dtype"),
        (np.full((3, 4, 4), np.inf), "infinite"),
        (np.full((3, 4, 4), np.nan), "no observed"),
    ],
)
def test_bad_input_in_words(frames, sentence):
    with pytest.raises(ValueError, match=sentence):
        background(frames)


def test_bad_noise_in_words():
    with pytest.raises(ValueError, match="noise"):
        background(np.zeros((3, 4, 4)), noise=-1)


def test_a_dead_pixel_spoils_neither_noise_nor_background():
    rng = np.random.default_rng(0)
    frames = np.linspace(1, 2, 12)[:, None, None] * rng.uniform(1, 2, (16, 16)) + 0.01 * rng.normal(size=(12, 16, 16))
    clean = background(frames)
    frames[5, 3, 4] = 1e9
    found = background(frames)
    assert found.rank == clean.rank == 1 and found.moving[5, 3, 4]
    np.testing.assert_allclose(found.background, clean.background, atol=0.02)
