"""Images in and out of files: npy as it is, and what Pillow reads (PNG, JPEG, TIFF, …), which is an extra.

Transparency is set aside and put back when the image is written; what would lose precision is refused in words.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from unmix.core.storage.archive import followed, refuse_device, sync_folder
from unmix.core.storage.folder import sync_file
from unmix.io.base.errors import TableError
from unmix.io.base.registry import known_format

DEEP_FORMATS = (".png", ".tif", ".tiff")
DEEP_COLOUR = {2: "colour", 4: "grey with transparency", 6: "colour with transparency"}


class ImageFile(NamedTuple):
    """The pixels of a file, and its transparency if it has one."""

    pixels: np.ndarray
    alpha: np.ndarray | None = None


def pillow() -> Any:
    """The imaging library, or a sentence that says how to get it."""
    try:
        from PIL import Image
    except ImportError:
        raise ValueError(
            "Pillow is not installed, so only .npy images can be read and written; pip install 'unmix[images]'"
        ) from None
    return Image


def read_image(path: str | Path) -> ImageFile:
    """Pixels of an image file as uint8 or uint16, grey (h, w) or colour (h, w, 3), and its alpha apart.

    An npy file is read as it is. Palettes become colours, bilevel images grey. Refused are 16-bit colour images (Pillow
    would cut them to 8 bits in silence) and colour spaces other than grey and RGB.
    """
    path = Path(path)
    if path.is_dir():
        raise TableError(f"{path} is a folder; give an image file.")
    known = known_format(path, "image")
    if path.suffix.lower() == ".npy":
        return ImageFile(read_array(path))
    found = read_pillow(path) if known is None else known.read(path)
    return found if isinstance(found, ImageFile) else ImageFile(np.asarray(found))


def read_pillow(path: Path) -> ImageFile:
    """What Pillow reads, whatever the ending."""
    refuse_deep_colour(path)
    image_class = pillow()
    from PIL import ImageOps

    try:
        with image_class.open(path) as opened:
            image = ImageOps.exif_transpose(opened)
            image.load()
    except (OSError, SyntaxError, ValueError, image_class.DecompressionBombError) as error:
        words = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise TableError(f"{path} cannot be read as an image: {words}.") from None
    return as_arrays(image, path)


def as_arrays(image: Any, path: Path) -> ImageFile:
    """The arrays of an opened image, by its mode."""
    if image.mode == "P" or (image.mode in ("L", "RGB") and "transparency" in image.info):
        image = image.convert("RGBA" if "transparency" in image.info else "RGB")
    if image.mode in ("PA", "La", "RGBa"):
        image = image.convert("RGBA" if image.mode != "La" else "LA")
    if image.mode in ("1", "RGBX"):
        image = image.convert("L" if image.mode == "1" else "RGB")
    if image.mode in ("LA", "RGBA"):
        whole = np.asarray(image)
        return ImageFile(whole[..., 0].copy() if image.mode == "LA" else whole[..., :3].copy(), whole[..., -1].copy())
    if image.mode in ("L", "RGB"):
        return ImageFile(np.asarray(image).copy())
    if image.mode.startswith("I"):
        values = np.asarray(image)
        if values.min() >= 0 and values.max() <= 65535:
            return ImageFile(values.astype(np.uint16))
    if image.mode == "F":
        return ImageFile(np.asarray(image, dtype=np.float32).copy())
    raise ValueError(f"{path} has pixels of the kind {image.mode}; convert it to grey or RGB with 8 bits first.")


def refuse_deep_colour(path: Path) -> None:
    """The header of a PNG tells its bits; Pillow would read 16-bit colour as 8-bit."""
    with path.open("rb") as file:
        head = file.read(26)
    if head[:8] == b"\x89PNG\r\n\x1a\n" and len(head) == 26 and head[24] == 16 and head[25] in DEEP_COLOUR:
        raise ValueError(
            f"{path} is a PNG with 16 bits of {DEEP_COLOUR[head[25]]}, which would be cut to 8 bits; "
            "convert it to 8 bits, to 16-bit grey, or to .npy first."
        )


def read_array(path: Path) -> np.ndarray:
    from unmix.io.readers.arrays import load_npy  # with polars, which images need for nothing else

    try:
        return load_npy(path)
    except TableError:
        raise
    except (OSError, ValueError, EOFError) as error:
        raise ValueError(f"{path} cannot be read as an npy file: {str(error).splitlines()[0]}.") from None


def write_image(path: str | Path, pixels: np.ndarray, alpha: np.ndarray | None = None) -> Path:
    """Write under a temporary name first, so that a file is never there by half. The ending says the format."""
    path = followed(Path(path))
    refuse_device(path)
    suffix = path.suffix.lower()
    if not suffix:
        raise ValueError(f"{path} has no ending that says the format; use .png or .npy.")
    content: Any = pixels if suffix == ".npy" else as_image(path, pixels, alpha)
    handle, scratch = tempfile.mkstemp(dir=path.parent, prefix=".unmix-", suffix=suffix)
    os.close(handle)
    try:
        if suffix == ".npy":
            np.save(scratch, content)
        else:
            content.save(scratch)
        os.chmod(scratch, 0o666 & ~current_umask())
        sync_file(Path(scratch))
        os.replace(scratch, path)
        sync_folder(path.parent)
    except (OSError, ValueError, KeyError) as error:
        raise ValueError(f"{path} cannot be written: {getattr(error, 'strerror', None) or error}.") from None
    finally:
        Path(scratch).unlink(missing_ok=True)
    return path


def current_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def as_image(path: Path, pixels: np.ndarray, alpha: np.ndarray | None) -> Any:
    """Pixels as Pillow takes them; floating point numbers are taken as being from 0 to 1."""
    image_class = pillow()
    if path.suffix.lower() not in image_class.registered_extensions():
        raise ValueError(f"{path} has an ending no image format is known by; use .png or .npy.")
    pixels = np.asarray(pixels)
    if pixels.dtype.kind in "fb":
        pixels = np.rint(np.clip(pixels.astype(np.float64), 0, 1) * 255).astype(np.uint8)
    pixels = pixels[..., 0] if pixels.ndim == 3 and pixels.shape[2] == 1 else pixels
    if pixels.dtype == np.uint16 and (pixels.ndim == 3 or path.suffix.lower() not in DEEP_FORMATS):
        raise ValueError(f"{path} cannot hold 16 bits a colour; write grey as .png or .tiff, or an .npy file.")
    if alpha is not None and pixels.dtype == np.uint8:
        pixels = np.dstack([pixels, alpha])
    return image_class.fromarray(np.ascontiguousarray(pixels))
