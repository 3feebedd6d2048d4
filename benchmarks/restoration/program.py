"""PSNR of the photographs in ../shared/data/images, restored by unmix.images and by scikit-image.

Noise of standard deviation 25, then 50 % and 70 % of the pixels missing; the same noise and holes for all.
"""

import argparse
import importlib.util
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.discover import folder
from benchmarks.restoration import peers

data = folder.parent / ".." / "shared" / "data" / "images"
SIGMA, SHARES = 25.0, (0.5, 0.7)


def load(name: str, quick: bool) -> np.ndarray:
    from unmix.images import read_image

    pixels = read_image(data / f"skimage_{name}.png").pixels.astype(np.float64)
    return pixels[:128, :128] if quick else pixels


def with_noise(image: np.ndarray) -> np.ndarray:
    return image + np.random.default_rng(0).normal(0, SIGMA, image.shape)


def holes(image: np.ndarray, share: float) -> np.ndarray:
    return np.random.default_rng(1).random(image.shape) < share


def table(title: str, names: list[str], quick: bool, methods: dict[str, Callable[[np.ndarray], np.ndarray]]) -> None:
    """One line an image: PSNR of every method; then means, and the CPU seconds of all images."""
    from unmix.images import psnr

    print(f"\n# {title}: PSNR in dB\n{'':10}" + "".join(f"{method:>17}" for method in methods))
    scores, seconds = [], np.zeros(len(methods))
    for name in names:
        clean, row = load(name, quick), []
        for i, method in enumerate(methods.values()):
            begin = time.process_time()
            out = method(clean)
            seconds[i] += time.process_time() - begin
            row.append(psnr(clean, out, 255))
        scores.append(row)
        print(f"{name:10}" + "".join(f"{score:17.2f}" for score in row), flush=True)
    print(f"{'mean':10}" + "".join(f"{score:17.2f}" for score in np.mean(scores, axis=0)))
    print(f"{'CPU s':10}" + "".join(f"{second / len(names):17.2f}" for second in seconds), "an image")


def main(options: argparse.Namespace) -> None:
    import unmix
    from unmix.images import denoise, inpaint

    if not data.is_dir() or importlib.util.find_spec("PIL") is None:
        print("needs the photographs (../shared/data/images beside the project) and Pillow")
        return
    names = [path.stem.removeprefix("skimage_") for path in sorted(data.glob("skimage_*.png"))]
    names = [name for name in names if options.only in name]
    with_peers = importlib.util.find_spec("skimage") is not None
    small = load(names[0], True)[:40, :40]
    denoise(small, SIGMA)  # compiled before time is taken
    inpaint(small, holes(small, 0.5))
    with unmix.execution(threads=options.threads):
        methods: dict[str, Any] = {"noisy": with_noise, "unmix": lambda image: denoise(with_noise(image), SIGMA)}
        if with_peers:
            for name in ("non_local_means", "wavelet", "spun_wavelet"):
                peer = getattr(peers, name)
                methods[name] = lambda image, peer=peer: peer(with_noise(image), SIGMA)
        table(f"noise of standard deviation {SIGMA:.0f}", names, options.quick, methods)
        for share in SHARES:
            methods = {"unmix": lambda image, share=share: inpaint(image, holes(image, share))}
            for name in ("biharmonic", "linear") if with_peers else ("linear",):
                peer = getattr(peers, name)
                methods[name] = lambda image, peer=peer, share=share: peer(image, holes(image, share))
            table(f"{share:.0%} of the pixels missing", names, options.quick, methods)
