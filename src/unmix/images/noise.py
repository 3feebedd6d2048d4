"""The standard deviation of white noise on an image, from its finest details.

    σ = median |w| / 0.6745,   w = details of a wavelet along both axes

An image is smooth nearly everywhere, so that most of these details are noise, and the median does not mind the others.
Donoho & Johnstone, Biometrika 81, 1994.
"""

from __future__ import annotations

import numpy as np

from unmix.algorithms.bases.wavelet import daubechies_filter
from unmix.images.picture import open_picture

MEDIAN = 0.6744897501960817  # of |w| where w is a standard normal number


def estimate_noise(image: np.ndarray) -> float:
    """The standard deviation of the noise, in the units of the image. Fine texture on all of it counts as noise.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.images import estimate_noise
    >>> ramp = np.linspace(0, 1, 200)[:, None] * np.ones(200)
    >>> noisy = ramp + np.random.default_rng(0).normal(0, 0.1, ramp.shape)
    >>> round(estimate_noise(noisy), 2)
    0.1
    """
    picture = open_picture(image)
    return noise_of(picture.planes) * picture.half


def noise_of(planes: np.ndarray) -> float:
    low = daubechies_filter(2 if min(planes.shape[1:]) >= 4 else 1)
    high = (low[::-1] * np.where(np.arange(low.size) % 2, -1, 1)).astype(planes.dtype)
    details = planes
    for axis in (1, 2):
        n = details.shape[axis] - high.size + 1
        parts = [np.take(details, range(t, t + n), axis=axis) * high[t] for t in range(high.size)]
        details = np.sum(parts, axis=0)
    return float(np.median(np.abs(details)) / MEDIAN)
