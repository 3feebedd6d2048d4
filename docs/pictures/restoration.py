"""Draws docs/assets/{denoising,inpainting}.png: photographs of benchmarks/restoration (needs matplotlib, Pillow)."""

from pathlib import Path

import matplotlib
import numpy as np

from benchmarks.restoration.program import SIGMA, holes, load, with_noise
from unmix.images import denoise, inpaint, psnr

matplotlib.use("Agg")
import matplotlib.pyplot as plt

root = Path(__file__).parents[2]
PARTS = {"camera": (60, 190), "brick": (0, 0), "page": (0, 100)}
SIDE = 176


def part(name: str) -> np.ndarray:
    top, left = PARTS[name]
    return load(name, quick=False)[top : top + SIDE, left : left + SIDE]


def draw(name: str, columns: list[str], make: object) -> None:
    figure, axes = plt.subplots(len(PARTS), len(columns), figsize=(2.35 * len(columns), 2.5 * len(PARTS)))
    for line, image in zip(axes, PARTS):
        clean = part(image)
        for axis, title, shown in zip(line, columns, make(clean)):
            axis.imshow(shown, cmap="gray", vmin=0, vmax=255, interpolation="nearest")
            score = psnr(clean, shown, 255)
            axis.set_title(title if np.isinf(score) else f"{title}, {score:.1f} dB", fontsize=9)
            axis.axis("off")
    figure.tight_layout(pad=0.5)
    figure.savefig(root / "docs" / "assets" / name, dpi=90)


def denoised(clean: np.ndarray) -> list[np.ndarray]:
    noisy = with_noise(clean)
    return [clean, noisy, denoise(noisy, SIGMA)]


def inpainted(clean: np.ndarray) -> list[np.ndarray]:
    out = []
    for share in (0.5, 0.7):
        missing = holes(clean, share)
        out += [np.where(missing, 0, clean), inpaint(clean, missing)]
    return [clean, *out]


def main() -> None:
    draw("denoising.png", ["image", "noise 25", "denoised"], denoised)
    draw("inpainting.png", ["image", "50 % missing", "filled", "70 % missing", "filled"], inpainted)


if __name__ == "__main__":
    main()
