"""The commands for images: round trips through files, and one sentence for what cannot be done."""

import numpy as np
import pytest
from click.testing import CliRunner

from unmix.cli.main import main
from unmix.images import psnr, read_image, write_image

pytestmark = pytest.mark.slow_without_jit


def scene(h=40, w=48):
    x, y = np.meshgrid(np.arange(w), np.arange(h))
    return np.rint(128 + 60 * np.sin(x / 3) + 50 * np.cos((x - y) / 4)).astype(np.uint8)


def run(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


def test_denoise_a_png(tmp_path):
    pytest.importorskip("PIL")
    noisy = np.clip(scene() + np.random.default_rng(0).normal(0, 20, scene().shape), 0, 255).astype(np.uint8)
    alpha = np.full(noisy.shape, 200, np.uint8)
    write_image(tmp_path / "noisy.png", noisy, alpha)
    result = run("denoise", tmp_path / "noisy.png", "-o", tmp_path / "clean.png", "--sigma", 20)
    assert result.exit_code == 0 and "as given" in result.stdout and "learning atoms" in result.stderr
    read = read_image(tmp_path / "clean.png")
    assert psnr(scene(), read.pixels) > psnr(scene(), noisy) + 5
    assert np.array_equal(read.alpha, alpha)
    estimated = run("denoise", tmp_path / "noisy.png", "-o", tmp_path / "again.npy")
    assert estimated.exit_code == 0 and "estimated" in estimated.stdout


def test_inpaint_a_png_with_a_mask(tmp_path):
    pytest.importorskip("PIL")
    missing = np.random.default_rng(0).random(scene().shape) < 0.4
    write_image(tmp_path / "holes.png", np.where(missing, 0, scene()).astype(np.uint8))
    write_image(tmp_path / "mask.png", np.where(missing, 255, 0).astype(np.uint8))
    result = run("inpaint", tmp_path / "holes.png", "--mask", tmp_path / "mask.png", "-o", tmp_path / "whole.png")
    assert result.exit_code == 0 and f"filled {missing.sum()} of {missing.size} pixels" in result.stdout
    whole = read_image(tmp_path / "whole.png").pixels
    assert psnr(scene(), whole) > 35 and np.array_equal(whole[~missing], scene()[~missing])


def test_inpaint_an_npy_with_nan(tmp_path):
    image = scene() / 255
    image[3:6, 10:14] = np.nan
    np.save(tmp_path / "holes.npy", image)
    result = run("inpaint", tmp_path / "holes.npy", "-o", tmp_path / "whole.npy", "--method", "pursuit")
    assert result.exit_code == 0
    assert psnr(scene() / 255, np.load(tmp_path / "whole.npy")) > 40


def video():
    frames = np.repeat(scene(16, 20)[None], 12, axis=0)
    for t in range(12):
        frames[t, 5:8, t : t + 3] = 255
    return frames


def test_background_of_a_folder_and_of_a_video(tmp_path):
    pytest.importorskip("PIL")
    (tmp_path / "frames").mkdir()
    for t, frame in enumerate(video()):
        write_image(tmp_path / "frames" / f"{t:03}.png", frame)
    result = run("background", tmp_path / "frames", "-o", tmp_path / "apart", "--noise", 0)
    assert result.exit_code == 0 and "rank 1" in result.stdout
    assert len(list((tmp_path / "apart").iterdir())) == 24
    assert np.array_equal(read_image(tmp_path / "apart" / "background-004.png").pixels, scene(16, 20))
    movers = read_image(tmp_path / "apart" / "movers-004.png").pixels
    assert (movers[5:8, 4:7] == 255).all() and (movers > 0).sum() == 9
    np.save(tmp_path / "video.npy", video())
    result = run("background", tmp_path / "video.npy", "-o", tmp_path / "arrays", "--noise", 0)
    assert result.exit_code == 0
    assert np.array_equal(np.load(tmp_path / "arrays" / "background.npy")[0], scene(16, 20))
    assert sorted(path.name for path in (tmp_path / "arrays").iterdir()) == ["background.npy", "movers.npy"]


def test_bad_input_is_one_sentence_and_nothing_is_written(tmp_path):
    np.save(tmp_path / "image.npy", scene())
    np.save(tmp_path / "small.npy", np.ones((3, 3)))
    np.save(tmp_path / "cube.npy", np.ones((2, 2, 2, 2)))
    (tmp_path / "empty").mkdir()
    image, out = tmp_path / "image.npy", tmp_path / "out.npy"
    cases = [
        (("denoise", tmp_path / "none.png", "-o", out), "There is no file"),
        (("denoise", tmp_path / "cube.npy", "-o", out), "image has shape"),
        (("denoise", image, "-o", tmp_path / "no" / "out.png"), "cannot be written"),
        (("denoise", image, "-o", tmp_path / "out"), "ending"),
        (("denoise", image, "-o", tmp_path / "empty"), "folder"),
        (("inpaint", image, "-o", out), "no missing pixel"),
        (("inpaint", image, "--mask", tmp_path / "small.npy", "-o", out), "mask has shape"),
        (("background", image, "-o", tmp_path / "apart"), "frames have shape"),
        (("background", tmp_path / "empty", "-o", tmp_path / "apart"), "at least 2 frames"),
        (("background", tmp_path / "none.mp4", "-o", tmp_path / "apart"), "neither a folder"),
        (("background", image, "-o", image), "is a file"),
    ]
    before = sorted(tmp_path.rglob("*"))
    for words, sentence in cases:
        result = run(*words)
        assert result.exit_code == 2, words
        last = result.stderr.strip().splitlines()[-1]
        assert last.startswith("unmix: ") and sentence in last, (words, result.stderr)
    assert sorted(tmp_path.rglob("*")) == before
