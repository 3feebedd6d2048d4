"""`unmix denoise`, `unmix inpaint` and `unmix background`: images in, images out.

Exit codes: 0 answered, 2 something about the input (one sentence says what), 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from unmix.cli.terminal.console import FORCE, SEED, Finite, progress, refusals, user_errors

STEPS = {"dictionary": "learning atoms", "filling": "filling the gaps", "patches": "putting patches together"}


def output_option(what: str) -> Any:
    return click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help=what)


@click.command(short_help="Take noise off an image.")
@click.argument("image", type=click.Path(path_type=Path))
@output_option("The image to write; its ending says the format.")
@click.option("--sigma", type=Finite(min=0), help="Standard deviation of the noise.  [default: estimated]")
@SEED
def denoise(image: Path, out: Path, sigma: float | None, seed: int) -> None:
    """Take noise off IMAGE (PNG, JPEG, TIFF, … or .npy), grey or colour; transparency is kept.

    \b
    unmix denoise photo.png -o clean.png
    unmix denoise photo.png -o clean.png --sigma 25
    """
    with user_errors(), refusals():
        from unmix.images import denoise as run
        from unmix.images import estimate_noise, read_image, write_image

        check_output(out)
        with work() as say:
            say(f"reading {image}")
            read = read_image(image)
            found = estimate_noise(read.pixels) if sigma is None else sigma
            write_image(out, run(read.pixels, found, random_state=seed), read.alpha)
        words = "estimated" if sigma is None else "as given"
        click.echo(f"Written to {out}; standard deviation of the noise {found:.4g}, {words}.")


@click.command(short_help="Fill in pixels of an image.")
@click.argument("image", type=click.Path(path_type=Path))
@click.option(
    "--mask", type=click.Path(path_type=Path), help="Image of the same size, not black where pixels are missing."
)
@output_option("The image to write; its ending says the format.")
@click.option(
    "--method", type=click.Choice(["em", "pursuit"]), default="em", show_default=True,
    help="em: fill and code the missing pixels in turn; pursuit: code the known pixels once.",
)  # fmt: skip
@click.option("--sigma", type=Finite(min=0), default=0.0, help="Noise on the known pixels.  [default: 0]")
@SEED
def inpaint(image: Path, mask: Path | None, out: Path, method: str, sigma: float, seed: int) -> None:
    """Fill in the pixels of IMAGE that MASK marks; without a mask the NaN of an .npy image.

    \b
    unmix inpaint photo.png --mask scratches.png -o whole.png
    """
    with user_errors(), refusals():
        from unmix.images import inpaint as run
        from unmix.images import read_image, write_image
        from unmix.images.inpaint import missing_pixels

        check_output(out)
        with work() as say:
            say(f"reading {image}")
            read = read_image(image)
            marks = None if mask is None else read_mask(mask)
            missing = missing_pixels(read.pixels, marks)
            if mask is None and not missing.any():
                raise ValueError(f"{image} has no missing pixel; mark them in a second image and give it as --mask.")
            filled = run(read.pixels, marks, method=method, sigma=sigma, random_state=seed)
            write_image(out, filled, read.alpha)
        count = int(missing.any(axis=2).sum())
        click.echo(f"Written to {out}; filled {count} of {missing.shape[0] * missing.shape[1]} pixels.")


def read_mask(path: Path) -> Any:
    """A mask in one plane: a pixel is missing where any channel is not zero and, with transparency, it is not clear."""
    from unmix.images import read_image

    read = read_image(path)
    marks = read.pixels != 0 if read.pixels.ndim == 2 else (read.pixels != 0).any(axis=2)
    return marks if read.alpha is None else marks & (read.alpha != 0)


@click.command(short_help="Split a video into background and movers.")
@click.argument("frames", type=click.Path(path_type=Path))
@output_option("Folder for the results.")
@click.option("--noise", type=Finite(min=0), help="Standard deviation of the noise.  [default: estimated]")
@click.option("--penalty", type=Finite(min=0, min_open=True), help="Smaller: more counts as moving.")
@FORCE
def background(frames: Path, out: Path, noise: float | None, penalty: float | None, force: bool) -> None:
    """Split FRAMES, a folder of images or an .npy video, into background and what moves.

    A folder gives background-NAME and movers-NAME for every frame in the order of names, a video background.npy and
    movers.npy. Movers are shown as they are in the frame, on black.

    \b
    unmix background frames/ -o apart
    unmix background video.npy -o apart
    """
    with user_errors(), refusals():
        from unmix.exploration.findings.output import check_directory
        from unmix.images import background as run

        check_directory(out, results(), force)
        with work() as say:
            say(f"reading {frames}")
            names, stack = read_frames(frames)
            say(f"splitting {len(stack)} frames of {stack.shape[2]}×{stack.shape[1]} pixels")
            found = run(stack, noise=noise, penalty=penalty)
            say("writing")
            save(out, names, stack, found)
        share = 100 * found.moving.mean()
        click.echo(f"Written to {out}; background of rank {found.rank}, {share:.1f} % of the pixels move.")


def read_frames(path: Path) -> tuple[list[str], Any]:
    """Names of the frames (none for a video) and the stack."""
    import numpy as np

    from unmix.images import read_image
    from unmix.images.background import checked_frames

    if not path.is_dir():
        if path.suffix.lower() != ".npy":
            raise ValueError(
                f"{path} is neither a folder of images nor an .npy video; export the frames as images first."
            )
        return [], checked_frames(read_image(path).pixels)
    files = sorted(file for file in path.iterdir() if file.suffix.lower() in image_endings() and file.is_file())
    if len(files) < 2:
        raise ValueError(f"{path} holds {len(files)} images; a background needs at least 2 frames.")
    pixels = [read_image(file).pixels for file in files]
    for file, other in zip(files, pixels):
        if other.shape != pixels[0].shape or other.dtype != pixels[0].dtype:
            raise ValueError(
                f"{file} has shape {other.shape} and {other.dtype}, but {files[0].name} {pixels[0].shape} and "
                f"{pixels[0].dtype}; all frames must agree."
            )
    return [file.name for file in files], np.stack(pixels)


def image_endings() -> list[str]:
    from unmix.io import endings

    return [*endings("image"), ".npy"]


def save(directory: Path, names: list[str], stack: Any, found: Any) -> None:
    """All files into a scratch folder first, then all put in their place."""
    import numpy as np

    from unmix.core.storage.folder import replacing_folder
    from unmix.exploration.findings.output import told_of
    from unmix.images import write_image

    movers = np.where(found.moving, stack, 0).astype(stack.dtype)
    parts = {"background": found.background, "movers": movers if names else found.movers}
    with told_of(directory), replacing_folder(directory, results()) as folder:
        for part, images in parts.items():
            if not names:
                write_image(folder / f"{part}.npy", images)
            for name, image in zip(names, images):
                write_image(folder / f"{part}-{Path(name).stem}{lossless(name)}", image)


def results() -> Any:
    from unmix.core.storage.folder import Results

    return Results(r"background(-.*)?\.\w+", r"(background|movers)(-.*)?\.\w+")


def lossless(name: str) -> str:
    """The ending to write under: JPEG would blur the edge of what moves."""
    suffix = Path(name).suffix.lower()
    return ".png" if suffix in (".jpg", ".jpeg", ".webp") else suffix


def check_output(path: Path) -> None:
    """Refuse a place that cannot be written to before any work is done."""
    if path.is_dir():
        raise ValueError(f"{path} is a folder; give the name of an image file.")
    if not path.parent.is_dir() or not os.access(path.parent, os.W_OK | os.X_OK):
        raise ValueError(f"{path} cannot be written: no folder {path.parent} that can be written to.")
    if path.suffix.lower() not in image_endings():
        raise ValueError(f"{path} has no ending that says the format; use .png or .npy.")


@contextmanager
def work() -> Iterator[Callable[[str], None]]:
    """Progress in words, one line a tenth of the way."""
    from unmix.core.execution import execution

    with progress() as say:
        last = ""

        def observe(record: Any) -> None:
            nonlocal last
            tenth = 10 * record.iteration // max(record.max_iter, 1)
            words = f"{STEPS.get(record.stage, record.stage)}, {10 * tenth} %"
            if words != last:
                last = words
                say(words)

        with execution(observe=observe):
            yield say
