"""What others make of a noisy image or of one with holes; grey levels from 0 to 255 in and out."""

import numpy as np


def non_local_means(noisy: np.ndarray, sigma: float) -> np.ndarray:
    """scikit-image's, with its default patches and the h its gallery takes where sigma is known."""
    from skimage.restoration import denoise_nl_means

    level = sigma / 255
    options = {"patch_size": 7, "patch_distance": 11, "fast_mode": True, "h": 0.8 * level, "sigma": level}
    return 255 * denoise_nl_means(noisy / 255, **options)


def wavelet(noisy: np.ndarray, sigma: float) -> np.ndarray:
    """scikit-image's BayesShrink."""
    from skimage.restoration import denoise_wavelet

    return 255 * denoise_wavelet(noisy / 255, sigma=sigma / 255, method="BayesShrink", rescale_sigma=False)


def spun_wavelet(noisy: np.ndarray, sigma: float) -> np.ndarray:
    """The same, averaged over 36 shifts: the strongest wavelet denoiser of scikit-image."""
    from skimage.restoration import cycle_spin, denoise_wavelet

    options = {"sigma": sigma / 255, "method": "BayesShrink", "rescale_sigma": False}
    return 255 * cycle_spin(noisy / 255, max_shifts=5, func=denoise_wavelet, func_kw=options, workers=1)


def biharmonic(image: np.ndarray, missing: np.ndarray) -> np.ndarray:
    """scikit-image's inpainting, clipped to the range of grey levels as ours is."""
    from skimage.restoration import inpaint_biharmonic

    return np.clip(inpaint_biharmonic(np.where(missing, 0, image), missing), 0, 255)


def linear(image: np.ndarray, missing: np.ndarray) -> np.ndarray:
    """Linear interpolation between the known pixels, the nearest one outside of them."""
    from scipy.interpolate import LinearNDInterpolator, NearestNDInterpolator

    known, holes = np.argwhere(~missing), np.argwhere(missing)
    values = LinearNDInterpolator(known, image[~missing])(holes)
    outside = np.isnan(values)
    if outside.any():
        values[outside] = NearestNDInterpolator(known, image[~missing])(holes[outside])
    out = image.copy()
    out[missing] = values
    return out
