"""Image files: every kind that is read comes back as it was, what would lose is refused in words."""

import os
import struct
import zlib

import numpy as np
import pytest

from unmix.images import read_image, write_image

rng = np.random.default_rng(0)
grey = rng.integers(0, 256, (9, 7), dtype=np.uint8)
colour = rng.integers(0, 256, (9, 7, 3), dtype=np.uint8)


@pytest.fixture
def image_class():
    return pytest.importorskip("PIL.Image")


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, depth: int, colour_type: int, rows: bytes) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, depth, colour_type, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


@pytest.mark.parametrize("pixels", [grey, colour, grey.astype(np.uint16) * 257], ids=["grey", "colour", "deep grey"])
def test_what_is_written_is_read(tmp_path, image_class, pixels):
    for name in ("a.png", "a.tiff", "a.npy"):
        write_image(tmp_path / name, pixels)
        read = read_image(tmp_path / name)
        assert np.array_equal(read.pixels, pixels) and read.pixels.dtype == pixels.dtype and read.alpha is None
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.npy", "a.png", "a.tiff"]


@pytest.mark.parametrize("pixels", [grey, colour], ids=["grey", "colour"])
def test_transparency_is_kept_apart(tmp_path, image_class, pixels):
    alpha = rng.integers(0, 256, (9, 7), dtype=np.uint8)
    write_image(tmp_path / "a.png", pixels, alpha)
    read = read_image(tmp_path / "a.png")
    assert np.array_equal(read.pixels, pixels) and np.array_equal(read.alpha, alpha)
    with image_class.open(tmp_path / "a.png") as opened:
        assert opened.mode in ("LA", "RGBA")


def test_palettes_and_bilevel_images(tmp_path, image_class):
    image_class.fromarray(colour // 128 * 255).convert("P").save(tmp_path / "palette.png")
    assert read_image(tmp_path / "palette.png").pixels.shape == (9, 7, 3)
    image_class.fromarray(grey).convert("1").save(tmp_path / "bilevel.png")
    assert set(np.unique(read_image(tmp_path / "bilevel.png").pixels)) <= {0, 255}


def test_floating_point_numbers_are_from_zero_to_one(tmp_path, image_class):
    write_image(tmp_path / "a.png", grey / 255)
    assert np.array_equal(read_image(tmp_path / "a.png").pixels, grey)


def test_what_would_lose_bits_is_refused(tmp_path, image_class):
    deep = png(2, 1, 16, 2, b"\x00" + bytes(range(12)))
    (tmp_path / "deep.png").write_bytes(deep)
    with pytest.raises(ValueError, match="16 bits of colour"):
        read_image(tmp_path / "deep.png")
    image_class.new("CMYK", (4, 4)).save(tmp_path / "print.tiff")
    with pytest.raises(ValueError, match="CMYK"):
        read_image(tmp_path / "print.tiff")
    with pytest.raises(ValueError, match="16 bits a colour"):
        write_image(tmp_path / "out.png", colour.astype(np.uint16))
    with pytest.raises(ValueError, match="16 bits a colour"):
        write_image(tmp_path / "out.jpg", grey.astype(np.uint16))


def test_what_is_no_image_is_refused(tmp_path, image_class):
    (tmp_path / "text.png").write_text("not an image")
    (tmp_path / "short.npy").write_bytes(b"\x93NUMPY")
    for name, sentence in (
        ("none.png", "no file"),
        ("text.png", "cannot be read"),
        ("short.npy", "npy file"),
        ("", "folder"),
    ):
        with pytest.raises(ValueError, match=sentence):
            read_image(tmp_path / name)
    whole = tmp_path / "whole.png"
    write_image(whole, grey)
    (tmp_path / "cut.png").write_bytes(whole.read_bytes()[:60])
    with pytest.raises(ValueError, match="cannot be read"):
        read_image(tmp_path / "cut.png")
    for name in ("no-ending", "a.xyz"):
        with pytest.raises(ValueError, match="ending"):
            write_image(tmp_path / name, grey)


def test_nothing_is_left_by_half(tmp_path, image_class):
    before = write_image(tmp_path / "a.png", grey).read_bytes()
    with pytest.raises(ValueError, match="cannot be written"):
        write_image(tmp_path / "a.jpg", grey, grey)  # a format that has no transparency
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"] and (tmp_path / "a.png").read_bytes() == before


def test_without_pillow_npy_works_and_the_rest_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "PIL", None)
    write_image(tmp_path / "a.npy", grey)
    assert np.array_equal(read_image(tmp_path / "a.npy").pixels, grey)
    with pytest.raises(ValueError, match=r"unmix\[images\]"):
        write_image(tmp_path / "a.png", grey)
    (tmp_path / "a.png").write_bytes(b"")
    with pytest.raises(ValueError, match=r"unmix\[images\]"):
        read_image(tmp_path / "a.png")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_device_or_a_pipe_is_never_replaced_by_an_image(tmp_path):
    pipe = tmp_path / "pipe.png"
    os.mkfifo(pipe)
    with pytest.raises(ValueError, match="is a device or a pipe"):
        write_image(pipe, np.zeros((2, 2)))
    assert pipe.is_fifo()
