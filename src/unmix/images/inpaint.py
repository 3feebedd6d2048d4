"""Inpainting: missing pixels from sparse codes of what is known around them.

    min ||z||_0  with  ||M (x - z U)|| ≤ tol,     x̂ = M x + (1 - M) z U,     M = 1 where x is known

"pursuit" codes every patch by the known part of the atoms; "em" fills the gaps with what the codes say, codes the full
patches again, and lowers the error allowed from turn to turn.  Elad, Starck, Querre & Donoho, Applied and Computational
Harmonic Analysis 19, 2005; Mairal, Elad & Sapiro, IEEE Trans. Image Processing 17, 2008.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from unmix.images.alternating_inpainting import em
from unmix.images.denoise import LARGE_IMAGE, check_options, checked_sigma
from unmix.images.dictionary import first_atoms
from unmix.images.picture import Picture, check_shape, open_picture
from unmix.images.pursuit_inpainting import pursuit
from unmix.images.watch import watched

METHODS = ("em", "pursuit")


def inpaint(
    image: np.ndarray,
    mask: np.ndarray | None = None,
    *,
    method: str = "em",
    sigma: float = 0.0,
    dictionary: Any = "learned",
    patch_size: int = 8,
    n_iter: int = 12,
    stride: int | None = None,
    random_state: Any = 0,
) -> np.ndarray:
    """Fill in missing pixels of an image, grey or colour.

    Parameters
    ----------
    image : (h, w) or (h, w, 3) array
        uint8, uint16 or floating point; the answer has the same dtype and units. NaN are missing.
    mask : (h, w) or (h, w, 3) array, optional
        True, or not zero, where a pixel is missing.
    method : {"em", "pursuit"}, default="em"
        Fill and code again, from coarse to fine (better), or code the known part of every patch once (faster).
    sigma : float, default=0
        Standard deviation of noise on the known pixels, in the units of the image. With 0 they stay as they are; with
        more the answer is denoised too.
    dictionary : {"learned", "dct"} or (k, d) array, default="learned"
        Learned on this image from overcomplete cosines, these cosines, or atoms as rows (in colour channel by channel).
    patch_size : int, default=8
        Gaps much wider than this are filled smoothly: a patch that knows nothing has nothing to say.
    n_iter : int, default=12
        Turns in each of the three rounds of "em"; between rounds atoms are learned. Not for "pursuit".
    stride : int, optional
        Pixels from patch to patch. By default 1 for "pursuit", for a million pixels and more 2; 2 for "em", in which
        patches shift from turn to turn.
    random_state : int, RandomState or None, default=0
        Draws the patches that are learned from.

    Returns
    -------
    ndarray like `image`, complete

    Notes
    -----
    Progress is reported to the observer of `unmix.execution`, which ends a round of "em" early by returning True.

    References
    ----------
    Elad, Starck, Querre & Donoho, Simultaneous cartoon and texture image inpainting using morphological component
    analysis, Applied and Computational Harmonic Analysis 19, 2005. Mairal, Elad & Sapiro, Sparse representation for
    color image restoration, IEEE Trans. Image Processing 17, 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.images import inpaint, psnr
    >>> x, y = np.meshgrid(np.arange(48), np.arange(48))
    >>> clean = 0.5 + 0.4 * np.sin(x / 3) * np.cos(y / 4)
    >>> missing = np.random.default_rng(0).random(clean.shape) < 0.5
    >>> psnr(clean, inpaint(np.where(missing, np.nan, clean))) > 35
    True
    """
    if method not in METHODS:
        raise ValueError(f"method={method!r} is not known; choose 'em' or 'pursuit'")
    check_options(patch_size, n_iter, stride)
    missing = missing_pixels(np.asarray(image), mask)
    picture = open_picture(image, missing)
    noise = checked_sigma(sigma) / picture.half
    if not missing.any() and noise == 0:
        return picture.given.copy()
    planes = picture.planes
    size = min(patch_size, *planes.shape[1:])
    atoms = first_atoms(dictionary, size, len(planes))
    learned = isinstance(dictionary, str) and dictionary == "learned"
    seed = int(check_random_state(random_state).randint(2**31 - 1))
    with watched() as said:
        if method == "em":
            found = em(planes, size, stride or 2, atoms, learned, noise, n_iter, seed)
        else:
            stride = stride or (1 if planes[0].size < LARGE_IMAGE else 2)
            found = pursuit(planes, size, stride, atoms, learned, noise, seed, said)
    return combined(picture, found, missing, noise)


def combined(picture: Picture, found: np.ndarray, missing: np.ndarray, noise: float) -> np.ndarray:
    """Known pixels as they were given, bit for bit, unless they are noisy."""
    limits = np.nanmin(picture.planes), np.nanmax(picture.planes)
    out = picture.close(np.clip(found, *limits))
    return out if noise > 0 else np.where(missing.reshape(out.shape), out, picture.given).astype(out.dtype)


def missing_pixels(image: np.ndarray, mask: Any) -> np.ndarray:
    """Where nothing is known, (h, w, c): the mask and NaN."""
    check_shape(image)
    pixels = np.atleast_3d(image)
    missing = np.isnan(pixels) if pixels.dtype.kind == "f" else np.zeros(pixels.shape, bool)
    if mask is None:
        return missing
    given = np.asarray(mask)
    if (
        given.shape[:2] != image.shape[:2]
        or given.ndim not in (2, 3)
        or given.shape[2:] not in ((), (1,), image.shape[2:])
    ):
        raise ValueError(f"mask has shape {given.shape}, the image {image.shape}; give one of its height and width")
    if given.dtype.kind not in "biuf" or (given.dtype.kind == "f" and np.isnan(given).any()):
        raise ValueError("mask must be True, or not zero, where a pixel is missing, and False or zero elsewhere")
    return missing | (np.atleast_3d(given) != 0)
