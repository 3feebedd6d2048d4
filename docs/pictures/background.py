"""Draws docs/assets/background-{video,faces}.png: background and movers (faces need ../shared/data)."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from unmix.images import background

DATA = Path(__file__).parents[2] / ".." / "shared" / "data" / "faces" / "frey.npz"


def video(n: int = 60, h: int = 72, w: int = 96, seed: int = 0) -> np.ndarray:
    """A street scene of sorts in light that changes, two things that move, and noise of five grey levels."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:h, :w]
    wall = 90 + 50 * ((x // 8 + y // 6) % 2) * (y < 40) + 40 * np.sin(x / 9) * (y >= 40)
    scene = wall + 8 * rng.normal(size=(h, w))
    light = 1 + 0.25 * np.sin(np.arange(n) / 6)
    frames = light[:, None, None] * scene
    for t in range(n):
        frames[t][(x - 1.8 * t + 5) ** 2 + (y - 30) ** 2 < 49] = 240
        car = (np.abs(x - (w - 1.4 * t)) < 9) & (np.abs(y - 58) < 5)
        frames[t][car] = 15
    return np.clip(np.rint(frames + rng.normal(0, 5, frames.shape)), 0, 255).astype(np.uint8)


def draw(frames: np.ndarray, chosen: list[int], titles: tuple[str, ...], **options: float) -> Figure:
    found = background(frames, **options)
    rows = (frames, found.background, found.movers)
    width = 7.5 / len(chosen)
    figure, axes = plt.subplots(3, len(chosen), figsize=(7.8, 3 * width * frames.shape[1] / frames.shape[2] + 0.2))
    for line, images, title in zip(axes, rows, titles):
        line[0].set_ylabel(title, fontsize=9)
        for axis, t in zip(line, chosen):
            signed = images is found.movers
            limits = (-120, 120) if signed else (0, 255)
            axis.imshow(images[t], cmap="RdBu_r" if signed else "gray", vmin=limits[0], vmax=limits[1])
            axis.set_xticks([])
            axis.set_yticks([])
    return figure


def figures() -> dict[str, Figure]:
    stack = np.load(DATA)["X"][:300].reshape(-1, 28, 20)
    titles = ("frame", "of low rank", "sparse")
    return {
        "background-video": draw(video(), [5, 20, 35, 50], ("frame", "background", "movers")),
        "background-faces": draw(stack, [10, 60, 110, 160, 210, 290], titles, noise=0.0, penalty=0.4 / 560**0.5),
    }
