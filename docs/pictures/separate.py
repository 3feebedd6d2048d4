"""Takes docs/assets/separate.png: the report on four voices (needs ../shared/data, playwright and a Chromium)."""

import shutil
import tempfile
from pathlib import Path

import numpy as np
from click.testing import CliRunner
from scipy.io import wavfile

from unmix.cli.main import main as command
from unmix.separation import sir

ROOT = Path(__file__).parents[2]
DATA = ROOT / ".." / "shared" / "data" / "ica" / "speech_cmu_arctic.npz"
PAGE = "separate.md"
METHODS = ["fastica", "infomax", "jade", "second_order"]


def voices() -> tuple[np.ndarray, int]:
    """Four people at once, each as loud as the others."""
    with np.load(DATA) as file:
        recorded = [file[name] for name in file if name != "fs"][:4]
        rate = int(file["fs"])
    n = min(map(len, recorded))
    S = np.column_stack([voice[:n] for voice in recorded]).astype(float)
    return S / S.std(axis=0), rate


def decibels(S: np.ndarray, found: np.ndarray) -> str:
    """How far the others are below the voice in each column, from the worst to the best."""
    ratio = sir(S, found)
    return f"{ratio.min():.0f} to {ratio.max():.0f} dB".replace("-", "−")


def separated(folder: Path, method: str) -> tuple[str, np.ndarray]:
    """What the command prints, and the sources it writes."""
    names = [str(folder / f"mic{j + 1}.wav") for j in range(4)]
    result = CliRunner().invoke(command, ["separate", *names, "-o", str(folder / method), "--method", method])
    assert result.exit_code == 0, result.output
    found = [wavfile.read(folder / method / f"source-{j}.wav")[1] for j in (1, 2, 3, 4)]
    return result.stdout.replace(str(folder / method), "voices"), np.column_stack(found)


def record(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """The voices, and what four microphones make of them."""
    S, rate = voices()
    X = S @ np.random.default_rng(1).normal(size=(4, 4))
    for j, channel in enumerate(X.T):
        samples = np.round(30000 * channel / np.abs(channel).max()).astype(np.int16)
        wavfile.write(folder / f"mic{j + 1}.wav", rate, samples)
    return S, X


def shown() -> dict:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        S, X = record(folder)
        results = {method: separated(folder, method) for method in METHODS}
    printed = [line for line in results["fastica"][0].splitlines() if line]
    quality = {method: decibels(S, found) for method, (_, found) in results.items()}
    return {"on the page": [*printed, decibels(S, X), *quality.values()]}


def main() -> None:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        folder = Path(name)
        record(folder)
        separated(folder, "fastica")
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"))
        page = browser.new_page(viewport={"width": 1180, "height": 1320}, color_scheme="light")
        page.goto((folder / "fastica" / "report.html").as_uri())
        page.screenshot(path=ROOT / "docs" / "assets" / "separate.png")
        browser.close()
