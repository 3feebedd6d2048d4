"""Background and movers of a video: what stays or changes slowly is of low rank, what moves is sparse.

    min ||L||_* + λ ||S||_1  with  L + S = X,     a row of X is a frame

Candès, Li, Ma & Wright, Robust principal component analysis?, Journal of the ACM 58, 2011.
"""

from __future__ import annotations

import itertools
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from unmix.decomposition.robust_pca import RobustPCA
from unmix.images.noise import MEDIAN

MOVING_DEVIATIONS = 3.0  # standard deviations of noise, from which on a pixel moves
LEVERAGE = 8.0  # times the median brightness, up to which a pixel weighs more the brighter it is
TOL = 1e-5  # of the duality gap: far below what a pixel shows


class Background(NamedTuple):
    """Frames taken apart; frames = background + movers + noise."""

    background: np.ndarray  # as the frames were given
    movers: np.ndarray  # frames - background where something moves, floating point; 0 elsewhere
    moving: np.ndarray  # bool: where something does
    rank: int


def background(frames: np.ndarray, *, noise: float | None = None, penalty: float | None = None) -> Background:
    """Split a stack of images into a background and what sticks out of it.

    The background may change in few ways (light that goes up and down is one more direction); what moves, and whatever
    is seen in few frames only, is in the movers. Both come from `RobustPCA` on the table of frames × pixels.

    Parameters
    ----------
    frames : (n, h, w) or (n, h, w, 3) array
        uint8, uint16 or floating point. NaN are missing: the background is filled in there.
    noise : float, optional
        Standard deviation of the noise of every pixel, in the units of the frames. By default estimated from the
        differences of consecutive frames, light set aside, most of which are noise; 0 asks for
        background + movers = frames.
    penalty : float, optional
        λ. Smaller puts more into the movers. By default ``1/√max(n, pixels)``.

    Returns
    -------
    Background
        Fields: background (the dtype of the frames), movers (signed), moving (bool), rank.

    References
    ----------
    Candès, Li, Ma & Wright, Robust principal component analysis?, Journal of the ACM 58, 2011. Zhou, Li, Wright,
    Candès & Ma, Stable principal component pursuit, ISIT 2010.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.images import background
    >>> scene = np.random.default_rng(0).random((12, 16))
    >>> frames = np.repeat(scene[None], 20, axis=0)
    >>> for t in range(12):
    ...     frames[t, 4:6, t : t + 3] = 2.0
    >>> found = background(frames)
    >>> found.rank, bool(np.allclose(found.background, scene, atol=1e-6)), int(found.moving[3].sum())
    (1, True, 6)
    """
    given = checked_frames(frames)
    table = given.reshape(len(given), -1).astype(np.float64)
    scale = float(np.nanmax(np.abs(table))) or 1.0
    table /= scale
    if noise is None:
        noise = frame_noise(table)
    elif isinstance(noise, bool) or not (isinstance(noise, Real) and 0 <= noise < np.inf):
        raise ValueError(
            f"noise={noise!r}: give the standard deviation of the noise, from 0 up, or None to estimate it"
        )
    else:
        noise = float(noise) / scale
    model = RobustPCA(penalty, noise=noise, tol=TOL, missing="ignore").fit(table)
    # The pursuit shrinks what it finds and lets noise through where it is large: only size and place are taken from it.
    rest = np.nan_to_num(table - model.low_rank_, nan=0.0)
    moving = model.support_ & (np.abs(rest) > MOVING_DEVIATIONS * noise)
    low = model.low_rank_.reshape(given.shape) * scale
    movers = np.where(moving, rest, 0.0).reshape(given.shape) * scale
    kind = given.dtype
    if kind.kind == "u":
        low = np.clip(np.rint(low), 0, np.iinfo(kind).max)
    signed = kind if kind.kind == "f" else np.float32
    return Background(low.astype(kind), movers.astype(signed), moving.reshape(given.shape), model.rank_)


def checked_frames(frames: Any) -> np.ndarray:
    given = np.asarray(frames)
    if given.ndim not in (3, 4) or (given.ndim == 4 and given.shape[3] not in (1, 3)) or 0 in given.shape:
        raise ValueError(
            f"frames have shape {given.shape}; give (n, height, width), or (n, height, width, 3) in colour"
        )
    if len(given) < 2:
        raise ValueError("frames: one image has no background to tell from; give at least 2")
    if given.dtype not in (np.uint8, np.uint16) and given.dtype.kind != "f":
        raise ValueError(f"frames have dtype {given.dtype}; give uint8, uint16 or floating point numbers")
    if given.dtype.kind == "f" and np.isinf(given).any():
        raise ValueError("frames have infinite values; replace them, or set them to NaN, which are missing")
    if given.dtype.kind == "f" and np.isnan(given).all():
        raise ValueError("frames have no observed pixel: every value is NaN")
    return given


def frame_noise(table: np.ndarray) -> float:
    """From what differs between consecutive frames after a common factor, the light: x' - a x has (1 + a²) σ²."""
    changes = []
    for before, after in itertools.pairwise(table):
        both = ~np.isnan(before) & ~np.isnan(after)
        x, y = before[both], after[both]
        factor = common_factor(x, y)
        changes.append(np.abs(y - factor * x) / np.sqrt(1 + factor * factor))
    together = np.concatenate(changes)
    return float(np.median(together) / MEDIAN) if together.size else 0.0


def common_factor(x: np.ndarray, y: np.ndarray) -> float:
    """argmin Σ |y - a x|, the median of y/x with weights |x|: movers do not shift it.

    A weight counts up to `LEVERAGE` times the median one, or a single wrong pixel would decide.
    """
    seen = x != 0
    if not seen.any():
        return 1.0
    ratios, weights = y[seen] / x[seen], np.abs(x[seen])
    weights = np.minimum(weights, LEVERAGE * np.median(weights))
    order = np.argsort(ratios, kind="stable")
    reached = np.cumsum(weights[order])
    return float(ratios[order][np.searchsorted(reached, reached[-1] / 2)])
