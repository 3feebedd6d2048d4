"""Compression: Parseval in every basis, and against the transform of scipy."""

import numpy as np
import pytest
from scipy.fft import dctn, idctn

from unmix.images import compress
from unmix.images.compress import BASES


def image(h=29, w=37, seed=0):
    x, y = np.meshgrid(np.arange(w), np.arange(h))
    return np.sin(x / 4) * np.cos(y / 5) + 0.05 * np.random.default_rng(seed).normal(size=(h, w))


@pytest.mark.parametrize("tile", [8, None])
@pytest.mark.parametrize("basis", BASES)
def test_the_error_is_the_energy_dropped(basis, tile):
    if basis == "pca" and tile is None:
        pytest.skip("components need tiles")
    for given in (image(), np.dstack([image(), image(seed=1), image(seed=2)])):
        for keep in (0.0, 0.07, 50, 1.0):
            short = compress(given, keep, basis, tile)
            assert np.sum((given - short.image) ** 2) == pytest.approx(short.error, rel=1e-9, abs=1e-18)
    assert np.allclose(compress(given, 1.0, basis, tile).image, given)


def test_the_whole_cosine_transform_is_that_of_scipy():
    given = image()
    codes = dctn(given, norm="ortho")
    codes[np.abs(codes) < np.sort(np.abs(codes).ravel())[-40]] = 0
    assert np.allclose(compress(given, 40, "dct", None).image, idctn(codes, norm="ortho"))


def test_the_curve_falls_and_meets_the_errors():
    given = image(32, 32)
    short = compress(given, 0.05)
    assert (np.diff(short.curve, axis=0) * [1, -1] > 0).all()
    for share, distortion in short.curve[::20]:
        again = compress(given, round(share * given.size))
        assert again.error / given.size == pytest.approx(distortion, abs=1e-15)


def test_components_of_the_tiles_are_the_best_basis_for_as_many_coefficients():
    """With the same atoms for all tiles, no basis has less energy behind the first ones (Eckart & Young)."""
    given = image(64, 64)
    assert compress(given, 0.03, "pca").error < compress(given, 0.03, "dct").error


def test_whole_numbers_stay_whole():
    given = (127 + 100 * image()).clip(0, 255).astype(np.uint8)
    assert compress(given, 0.3).image.dtype == np.uint8
    assert np.array_equal(compress(given, 1.0, "haar").image, given)


@pytest.mark.parametrize(
    "options, sentence",
    [
        ({"keep": 1.5}, "keep"),
        ({"basis": "best"}, "basis"),
        ({"tile": 1}, "tile"),
        ({"basis": "pca", "tile": None}, "tile"),
    ],
)
def test_bad_input_in_words(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        compress(**{"image": image(), "keep": 0.1, **options})
