"""Draws docs/assets/ising-text.png: handwriting with flipped pixels, restored (needs ../shared/data)."""

from functools import cache
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from unmix.cluster import denoise_binary_image

DATA = Path(__file__).parents[2] / ".." / "shared" / "data" / "images" / "skimage_text.png"
PAGE = "methods/ising.md"
OTHERS = {"annealing": "simulated_annealing", "mean field": "mean_field"}


@cache
def images() -> tuple[np.ndarray, ...]:
    """Ink, ink with flipped pixels, and what is made of it, by default and by the others."""
    ink = plt.imread(DATA) < 0.42
    noisy = ink ^ (np.random.default_rng(0).random(ink.shape) < 0.15)
    others = [denoise_binary_image(noisy, inference=name, random_state=0) for name in OTHERS.values()]
    return ink, noisy, denoise_binary_image(noisy), *others


def wrong(image: np.ndarray) -> str:
    return f"{100 * (image != images()[0]).mean():.1f} %"


def shown() -> dict:
    _, noisy, restored, *others = images()
    said = [f"{name} {wrong(image)}" for name, image in zip(OTHERS, others)]
    return {"on the page": [f"{wrong(noisy)} of its pixels flipped", f"{wrong(restored)} wrong", *said]}


def figures() -> dict[str, Figure]:
    ink, noisy, restored, *_ = images()
    figure, axes = plt.subplots(3, 1, figsize=(6, 7))
    titles = ["ink", f"{wrong(noisy)} flipped", f"restored, {wrong(restored)} wrong"]
    for axis, image, title in zip(axes, (ink, noisy, restored), titles):
        axis.imshow(~image, interpolation="nearest")
        axis.set_title(title)
        axis.set_axis_off()
    return {"ising-text": figure}
