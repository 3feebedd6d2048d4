"""Draws docs/assets/{denoising,inpainting}.png: photographs of benchmarks/restoration (needs ../shared/data)."""

from collections.abc import Callable

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from benchmarks.restoration.program import SIGMA, data, holes, load, with_noise
from unmix.images import denoise, inpaint, psnr

DATA = data
PARTS = {"camera": (60, 190), "brick": (0, 0), "page": (0, 100)}
SIDE = 176


def part(name: str) -> np.ndarray:
    top, left = PARTS[name]
    return load(name, quick=False)[top : top + SIDE, left : left + SIDE]


def draw(columns: list[str], make: Callable[[np.ndarray], list[np.ndarray]]) -> Figure:
    figure, axes = plt.subplots(len(PARTS), len(columns), figsize=(2.35 * len(columns), 2.5 * len(PARTS)))
    for line, image in zip(axes, PARTS):
        clean = part(image)
        for axis, title, shown in zip(line, columns, make(clean)):
            axis.imshow(shown, cmap="gray", vmin=0, vmax=255, interpolation="nearest")
            score = psnr(clean, shown, 255)
            axis.set_title(title if np.isinf(score) else f"{title}, {score:.1f} dB", fontsize=9)
            axis.axis("off")
    return figure


def denoised(clean: np.ndarray) -> list[np.ndarray]:
    noisy = with_noise(clean)
    return [clean, noisy, denoise(noisy, SIGMA)]


def inpainted(clean: np.ndarray) -> list[np.ndarray]:
    out = []
    for share in (0.5, 0.7):
        missing = holes(clean, share)
        out += [np.where(missing, 0, clean), inpaint(clean, missing)]
    return [clean, *out]


def figures() -> dict[str, Figure]:
    return {
        "denoising": draw(["image", "noise 25", "denoised"], denoised),
        "inpainting": draw(["image", "50 % missing", "filled", "70 % missing", "filled"], inpainted),
    }
