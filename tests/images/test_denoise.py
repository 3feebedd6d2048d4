"""Denoising against the noisy input, against itself on colour, and where the answer is known."""

import numpy as np
import pytest

import unmix
from unmix.images import denoise, estimate_noise, psnr

pytestmark = pytest.mark.slow_without_jit


def scene(h=56, w=64):
    x, y = np.meshgrid(np.arange(w), np.arange(h))
    stripes = 0.5 + 0.3 * np.sign(np.sin((x + y) / 3))
    return np.where(x < w // 2, stripes, 0.2 + 0.5 * y / h)


def noisy_scene(sigma=0.1, seed=0):
    clean = scene()
    return clean, clean + np.random.default_rng(seed).normal(0, sigma, clean.shape)


def test_learned_atoms_beat_cosines_and_both_beat_the_input():
    clean, noisy = noisy_scene()
    with_cosines, with_learned = (psnr(clean, denoise(noisy, 0.1, dictionary=name)) for name in ("dct", "learned"))
    assert with_cosines > psnr(clean, noisy) + 4
    assert with_learned > with_cosines + 0.5


def test_an_estimated_sigma_does_nearly_as_well_as_the_true_one():
    clean, noisy = noisy_scene()
    smooth = np.random.default_rng(1).normal(0, 0.1, (200, 200))
    assert estimate_noise(smooth) == pytest.approx(0.1, rel=0.02)
    assert psnr(clean, denoise(noisy)) > psnr(clean, noisy) + 5


def test_a_constant_image_stays_constant_exactly():
    for image in (np.full((20, 30), 0.1), np.full((20, 30, 3), 77, np.uint8), np.full((9, 9), 0.3, np.float32)):
        assert np.array_equal(denoise(image, 5.0), image)
        assert np.array_equal(denoise(image), image)


def test_no_noise_no_change():
    image = np.random.default_rng(0).random((20, 20))
    assert np.array_equal(denoise(image, 0), image)
    assert denoise(image, 0) is not image


def test_noise_alone_becomes_flat():
    noise = np.random.default_rng(0).normal(0, 1, (64, 64))
    assert denoise(noise, 1.0).std() < 0.2


def test_units_do_not_matter():
    _, noisy = noisy_scene()
    assert np.allclose(denoise(noisy, 0.1) * 1000 - 500, denoise(noisy * 1000 - 500, 100.0), atol=1.0)


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.float32, np.float64])
def test_the_dtype_is_kept(kind):
    clean, noisy = noisy_scene()
    scale = np.iinfo(kind).max if np.issubdtype(kind, np.integer) else 1
    given = np.clip(noisy, 0, 1) * scale
    given = np.rint(given).astype(kind) if scale > 1 else given.astype(kind)
    out = denoise(given, 0.1 * scale, n_iter=3)
    assert out.dtype == kind and out.shape == given.shape
    assert psnr(clean * scale, out, scale) > psnr(clean * scale, given, scale) + 5


def test_colour_with_equal_channels_is_grey():
    _, noisy = noisy_scene()
    grey = denoise(noisy, 0.1, dictionary="dct")
    colour = denoise(np.dstack([noisy] * 3), 0.1, dictionary="dct")
    assert np.allclose(colour, grey[..., None], atol=1e-4)
    assert np.array_equal(denoise(noisy[..., None], 0.1, dictionary="dct")[..., 0], grey)


def test_colour_patches_are_coded_jointly():
    """Channels that share their edges help each other: joint coding beats one channel at a time."""
    clean = np.dstack([scene(), 1 - scene(), 0.3 + 0.4 * scene()])
    noisy = clean + np.random.default_rng(0).normal(0, 0.15, clean.shape)
    alone = np.dstack([denoise(noisy[..., c], 0.15) for c in range(3)])
    assert psnr(clean, denoise(noisy, 0.15)) > psnr(clean, alone) + 0.5


def test_blend_mixes_the_noisy_image_in():
    _, noisy = noisy_scene()
    plain, half = denoise(noisy, 0.1, dictionary="dct"), denoise(noisy, 0.1, dictionary="dct", blend=0.5)
    assert np.allclose(half, (plain + noisy) / 2, atol=1e-5)


def test_threads_and_seeds():
    _, noisy = noisy_scene()
    answers = []
    for threads in (1, 2):
        with unmix.execution(threads=threads):
            answers.append(denoise(noisy, 0.1, random_state=3))
    assert np.array_equal(*answers)


def test_the_observer_sees_learning_and_patches():
    _, noisy = noisy_scene()
    seen = []
    with unmix.execution(
        observe=lambda record: seen.append((record.stage, record.iteration, record.max_iter)) and None
    ):
        denoise(noisy, 0.1, n_iter=2)
    assert seen[:2] == [("dictionary", 1, 2), ("dictionary", 2, 2)]
    assert seen[-1][0] == "patches" and seen[-1][1] == seen[-1][2]


def test_images_smaller_than_a_patch_and_strides():
    small = np.random.default_rng(0).random((3, 40))
    assert denoise(small, 0.1).shape == (3, 40)
    clean, noisy = noisy_scene()
    assert psnr(clean, denoise(noisy, 0.1, stride=3)) > psnr(clean, noisy) + 5


@pytest.mark.parametrize(
    "options, sentence",
    [
        ({"image": np.zeros(5)}, "image has shape"),
        ({"image": np.zeros((5, 5, 4))}, "without alpha"),
        ({"image": np.zeros((1, 5))}, "at least 2 pixels"),
        ({"image": np.zeros((5, 5), int)}, "dtype"),
        ({"image": np.full((5, 5), np.nan)}, "inpaint"),
        ({"image": np.full((5, 5), np.inf)}, "infinite"),
        ({"sigma": -1}, "sigma"),
        ({"sigma": "much"}, "sigma"),
        ({"patch_size": 1}, "patch_size"),
        ({"n_iter": -1}, "n_iter"),
        ({"stride": 9}, "stride"),
        ({"blend": 1}, "blend"),
        ({"dictionary": "best"}, "dictionary"),
        ({"dictionary": np.eye(3)}, "dictionary"),
    ],
)
def test_bad_input_in_words(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        denoise(**{"image": np.ones((12, 12)), "sigma": 0.1, **options})


def test_psnr():
    truth = np.zeros((4, 4), np.uint8)
    assert psnr(truth, truth) == float("inf")
    assert psnr(truth, truth + 255) == 0
    assert psnr(truth, truth + 51) == pytest.approx(20 * np.log10(5))
    with pytest.raises(ValueError, match="must agree"):
        psnr(truth, truth[:2])
    with pytest.raises(ValueError, match="data_range"):
        psnr(truth, truth, 0)


def test_a_real_image(shared_data):
    """Elad & Aharon report gains of 8 to 12 dB at σ = 25 on 512×512 photographs; a part of one is enough here."""
    image = pytest.importorskip("PIL.Image").open(shared_data / "images" / "skimage_camera.png")
    clean = np.asarray(image)[100:260, 180:340].astype(np.float64)
    noisy = clean + np.random.default_rng(0).normal(0, 25, clean.shape)
    assert psnr(clean, denoise(noisy, 25.0), 255) > psnr(clean, noisy, 255) + 7
