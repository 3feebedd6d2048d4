"""Denoising: every patch by the fewest atoms that explain it up to the noise, and the average over all patches.

    ẑ_i = argmin ||z||_0  with  ||x_i - z U||² ≤ (C σ)² d,     x̂ = (λ y + Σ_i R_iᵀ ẑ_i U) / (λ + Σ_i R_iᵀ R_i)

Elad & Aharon, Image denoising via sparse and redundant representations, IEEE Trans. Image Processing 15, 2006.
"""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from unmix.algorithms.sparse_codes.dictionary import Dictionary, prepare_unit
from unmix.algorithms.sparse_codes.orthogonal_matching_pursuit import Rule, omp_block
from unmix.core.arguments import whole_number
from unmix.images.dictionary import first_atoms, without_levels
from unmix.images.learn import draw, learn_atoms
from unmix.images.noise import noise_of
from unmix.images.patches import Estimate, average, grid_of, subtract_levels
from unmix.images.picture import open_picture
from unmix.images.watch import watched

CODING, LEARNING = 1.1, 1.15  # C: atoms are learned from what surely is not noise
LARGE_IMAGE = 1_000_000  # pixels from which on every second patch each way is enough


def denoise(
    image: np.ndarray,
    sigma: float | None = None,
    *,
    dictionary: Any = "learned",
    patch_size: int = 8,
    n_iter: int = 10,
    stride: int | None = None,
    blend: float = 0.0,
    random_state: Any = 0,
) -> np.ndarray:
    """Take white noise off an image, grey or colour.

    Each patch becomes the combination of as few atoms as explain it up to the noise; each pixel the average of all
    patches it lies in. The atoms are learned on the noisy image itself, because noise has no few atoms that explain it.

    Parameters
    ----------
    image : (h, w) or (h, w, 3) array
        uint8, uint16 or floating point; the answer has the same dtype and units.
    sigma : float, optional
        Standard deviation of the noise in the units of the image (25 grey levels of uint8, 0.1 of [0, 1]). By default
        `estimate_noise`.
    dictionary : {"learned", "dct"} or (k, d) array, default="learned"
        Learned on this image from overcomplete cosines, these cosines, or atoms as rows (in colour channel by channel).
    patch_size : int, default=8
    n_iter : int, default=10
        Rounds of learning.
    stride : int, optional
        Pixels from patch to patch. By default 1, for a million pixels and more 2.
    blend : float, default=0.0
        Share of the noisy image in the answer: 0.02 brings back grain that no atom shows, and some noise.
    random_state : int, RandomState or None, default=0
        Draws the patches that are learned from.

    Returns
    -------
    ndarray like `image`

    Notes
    -----
    Cost: n k d + n k s²/2 for n patches, k atoms and s atoms a patch; a second or two for 512×512 pixels. Progress is
    reported to the observer of `unmix.execution`.

    References
    ----------
    Elad & Aharon, Image denoising via sparse and redundant representations over learned dictionaries, IEEE Trans. Image
    Processing 15, 2006. Mairal, Elad & Sapiro, Sparse representation for color image restoration, IEEE Trans. Image
    Processing 17, 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.images import denoise, psnr
    >>> x, y = np.meshgrid(np.arange(64), np.arange(64))
    >>> clean = 0.5 + 0.4 * np.sign(np.sin(x / 5) * np.cos(y / 7))
    >>> noisy = clean + np.random.default_rng(0).normal(0, 0.1, clean.shape)
    >>> psnr(clean, denoise(noisy, 0.1)) > psnr(clean, noisy) + 8
    True
    """
    picture = open_picture(image)
    check_options(patch_size, n_iter, stride)
    if not (isinstance(blend, Real) and 0 <= blend < 1):
        raise ValueError(f"blend={blend!r}: give the share of the noisy image, a number from 0 to below 1")
    scale = noise_of(picture.planes) if sigma is None else checked_sigma(sigma) / picture.half
    planes = picture.planes
    size = min(patch_size, *planes.shape[1:])
    atoms = without_levels(first_atoms(dictionary, size, len(planes)), len(planes))
    if scale == 0 or len(atoms) == 0:
        return picture.given.copy()
    seed = int(check_random_state(random_state).randint(2**31 - 1))
    d = atoms.shape[1]
    with watched() as said:
        if isinstance(dictionary, str) and dictionary == "learned":
            stop = (LEARNING * scale) ** 2 * d
            atoms = learn_atoms(
                draw(planes, grid_of(planes, size, 1), stop, seed), atoms, Rule(max(d // 2, 1), stop), n_iter
            )
        grid = grid_of(planes, size, stride or (1 if planes[0].size < LARGE_IMAGE else 2))
        coder = Coder(prepare_unit(atoms), Rule(max(d // 2, 1), (CODING * scale) ** 2 * d), len(planes))
        total, weight = average(planes, grid, atoms, coder, said)
    return picture.close((1 - blend) * total / weight + blend * planes)


class Coder:
    """Codes of complete patches in a dictionary, all trusted alike."""

    def __init__(self, dictionary: Dictionary, rule: Rule, channels: int) -> None:
        self.dictionary, self.rule, self.channels = dictionary, rule, channels

    def __call__(self, rows: np.ndarray) -> Estimate:
        rows, levels = subtract_levels(rows, self.channels)
        codes = omp_block(rows, None, self.dictionary, self.rule)
        return Estimate(codes, levels, np.ones(len(rows), np.float32))


def checked_sigma(sigma: Any) -> float:
    if isinstance(sigma, bool) or not (isinstance(sigma, Real) and 0 <= sigma < np.inf):
        raise ValueError(
            f"sigma={sigma!r}: give the standard deviation of the noise in the units of the image, from 0 up"
        )
    return float(sigma)


def check_options(patch_size: Any, n_iter: Any, stride: Any) -> None:
    whole_number("patch_size", patch_size, 2)
    whole_number("n_iter", n_iter, 0)
    if stride is not None:
        whole_number("stride", stride, 1, ", or None")
        if stride > patch_size:
            raise ValueError(
                f"stride={stride}: patches of {patch_size} pixels would leave gaps; give at most {patch_size}"
            )
