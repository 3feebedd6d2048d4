"""Inpainting against planted answers, and what must not change."""

import numpy as np
import pytest

from unmix.decomposition import dct_basis
from unmix.images import inpaint, psnr
from unmix.images.multigrid import fill

pytestmark = pytest.mark.slow_without_jit


def scene(h=40, w=48):
    x, y = np.meshgrid(np.arange(w), np.arange(h))
    return 0.5 + 0.2 * np.sin(x / 2) + 0.2 * np.cos((x - y) / 3)


def holes(shape, share, seed=0):
    return np.random.default_rng(seed).random(shape) < share


@pytest.mark.parametrize("method, gain", [("em", 8), ("pursuit", 2)])
def test_half_the_pixels_come_back(method, gain):
    clean = scene()
    missing = holes(clean.shape, 0.5)
    out = inpaint(clean, missing, method=method)
    assert psnr(clean, out) > psnr(clean, fill(np.where(missing, np.nan, clean)[None])[0]) + gain
    assert np.array_equal(out[~missing], clean[~missing])


def test_nan_and_mask_say_the_same_whatever_is_under_the_mask():
    clean = scene()
    missing = holes(clean.shape, 0.4)
    with_nan = inpaint(np.where(missing, np.nan, clean), n_iter=3)
    assert np.array_equal(inpaint(np.where(missing, 1e6, clean), missing, n_iter=3), with_nan)
    assert np.array_equal(inpaint(clean, missing.astype(np.uint8) * 255, n_iter=3), with_nan)
    assert not np.isnan(with_nan).any()


@pytest.mark.parametrize("method", ["em", "pursuit"])
def test_a_fully_observed_image_is_returned_as_it_is(method):
    image = np.random.default_rng(0).random((20, 20))
    assert np.array_equal(inpaint(image, method=method), image)
    assert np.array_equal(inpaint(image, np.zeros(image.shape), method=method), image)


@pytest.mark.parametrize("method", ["em", "pursuit"])
def test_a_hole_wider_than_a_patch_is_filled_between_the_values_around_it(method):
    image = np.full((40, 40), 0.25)
    image[:, 20:] = 0.75
    missing = np.zeros(image.shape, bool)
    missing[8:30, 8:30] = True
    out = inpaint(image, missing, method=method)
    assert out.min() >= 0.25 and out.max() <= 0.75 and not np.isnan(out).any()
    assert np.abs(out - image)[missing].mean() < 0.1


@pytest.mark.parametrize("method", ["em", "pursuit"])
def test_a_constant_image_and_one_known_pixel(method):
    image = np.full((12, 17), 0.1)
    missing = np.ones(image.shape, bool)
    missing[3, 4] = False
    assert np.array_equal(inpaint(image, missing, method=method), image)


def test_a_patch_that_is_sparse_in_the_given_atoms_is_recovered_exactly():
    """Two atoms, 40 of 64 pixels: masked pursuit has to find them (one patch is the whole image)."""
    U = dct_basis((8, 8))
    clean = (3 * U[10] - 2 * U[19] + 40 * U[0]).reshape(8, 8)
    missing = holes((8, 8), 24 / 64, seed=1)
    out = inpaint(clean, missing, method="pursuit", dictionary=U)
    assert np.abs(out - clean).max() < 0.02 * (clean.max() - clean.min())


def test_noise_on_known_pixels_is_taken_off():
    clean = scene(64, 64)
    noisy = clean + np.random.default_rng(1).normal(0, 0.1, clean.shape)
    missing = holes(clean.shape, 0.3)
    out = inpaint(noisy, missing, sigma=0.1)
    assert psnr(clean[~missing], out[~missing]) > psnr(clean[~missing], noisy[~missing]) + 5


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.float32])
def test_the_dtype_is_kept(kind):
    scale = np.iinfo(kind).max if np.issubdtype(kind, np.integer) else 1
    image = (scene() * scale).astype(kind)
    missing = holes(image.shape, 0.3)
    out = inpaint(image, missing)
    assert out.dtype == kind and psnr(image, out, scale) > 35
    assert np.array_equal(out[~missing], image[~missing])


def test_colour_with_equal_channels_is_grey_and_masks_may_differ_between_channels():
    clean = scene()
    missing = holes(clean.shape, 0.5)
    grey = inpaint(clean, missing, dictionary="dct", n_iter=4)
    colour = inpaint(np.dstack([clean] * 3), missing, dictionary="dct", n_iter=4)
    assert np.abs(colour - grey[..., None]).mean() < 0.01  # the most atoms of a patch are not the same
    assert np.allclose(colour, colour[..., :1], atol=1e-4)
    apart = np.dstack([holes(clean.shape, 0.5, seed) for seed in range(3)])
    together = inpaint(np.dstack([clean, 1 - clean, clean**2]), apart)
    assert psnr(np.dstack([clean, 1 - clean, clean**2]), together) > 33


def test_the_first_guess_is_harmonic_between_known_values():
    line = np.full((1, 3, 33), np.nan, np.float32)
    line[:, :, 0], line[:, :, -1] = 0, 1
    assert np.abs(fill(line)[0] - np.linspace(0, 1, 33)).max() < 0.2
    assert np.array_equal(fill(np.full((1, 2, 2), np.nan, np.float32)), np.zeros((1, 2, 2)))


@pytest.mark.parametrize(
    "options, sentence",
    [
        ({"mask": np.ones((12, 12))}, "no observed pixel"),
        ({"mask": np.ones((3, 12))}, "mask has shape"),
        ({"mask": np.full((12, 12), np.nan)}, "mask must"),
        ({"mask": np.full((12, 12), "x")}, "mask must"),
        ({"method": "best"}, "method"),
        ({"sigma": -1}, "sigma"),
        ({"stride": 20}, "stride"),
        ({"image": np.zeros((12, 12, 2))}, "image has shape"),
    ],
)
def test_bad_input_in_words(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        inpaint(**{"image": np.ones((12, 12)), "mask": np.eye(12), **options})
