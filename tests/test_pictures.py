"""Pictures and the answers beside them are what the code gives today; `python docs/pictures` draws them anew."""

import hashlib
import importlib.util
import json
import re
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from docs.making import picture

docs = Path(__file__).parents[1] / "docs"
ASSETS = docs / "assets"
LONG = pytest.mark.long
KEPT = json.loads((docs / "pictures" / "shown.json").read_text(encoding="utf-8"))
SOURCES = {path.stem: path.read_text(encoding="utf-8") for path in (docs / "pictures").glob("[a-z]*.py")}
COLOUR = re.compile(r"#[0-9a-f]{6}")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def scripts_with(function, quick=()):
    found = sorted(name for name, text in SOURCES.items() if f"def {function}(" in text)
    return [name if name in quick else pytest.param(name, marks=LONG) for name in found]


@cache
def script(name):
    spec = importlib.util.spec_from_file_location(name, docs / "pictures" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if hasattr(module, "DATA") and not module.DATA.exists():
        pytest.skip("the shared data sets (../shared/data beside the project) are not on this machine")
    return module


def drawn(text):
    """Patterns of the pictures that the first line of a script promises: `docs/assets/{one,two}-*.png`."""
    named = re.findall(r"docs/assets/([\w*-]*)(?:\{([^}]*)\})?([\w*-]*)\.(?:png|svg)", text.split('"""')[1])
    return [before + part + after for before, between, after in named for part in between.split(",")]


def test_every_picture_of_a_page_has_a_script():
    texts = [page.read_text(encoding="utf-8") for page in docs.rglob("*.md")]
    on_pages = {name for text in texts for name in re.findall(r"assets/([\w-]+)\.(?:png|svg)", text)}
    assert {path.stem for path in ASSETS.iterdir() if path.suffix != ".css"} == on_pages
    patterns = [pattern for text in SOURCES.values() for pattern in drawn(text)]
    assert [name for name in on_pages if not any(fnmatch(name, pattern) for pattern in patterns)] == []


def test_every_script_that_shows_answers_has_kept_them():
    assert {name for name, text in SOURCES.items() if "def shown(" in text} == set(KEPT)
    assert {name for name, text in SOURCES.items() if "def main(" in text} == {
        name for name, kept in KEPT.items() if "screenshots" in kept
    }


@pytest.mark.slow_without_jit
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", scripts_with("figures", quick={"smooth_kmeans"}))
def test_a_figure_is_what_the_code_draws_today(name):
    picture.begin()
    for stem, figure in script(name).figures().items():
        different = picture.difference(figure, ASSETS / f"{stem}.png")
        assert different <= picture.MOST_DIFFERENT, f"{stem}.png is stale: run `python docs/pictures {name}`"


def test_a_planted_figure_is_seen(tmp_path):
    """What the test above compares: the picture of one script is not that of another, nor of the same one askew."""
    picture.begin()
    figure = script("smooth_kmeans").figures()["smooth-kmeans"]
    picture.save(figure, tmp_path / "kept.png")
    assert picture.difference(figure, tmp_path / "kept.png") == 0
    figure.axes[2].images[0].set_data(figure.axes[3].images[0].get_array())
    assert picture.difference(figure, tmp_path / "kept.png") > picture.MOST_DIFFERENT


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name", scripts_with("drawings"))
def test_a_drawing_is_what_the_code_draws_today(name):
    for stem, drawing in script(name).drawings().items():
        both = [COLOUR.sub("", text) for text in (drawing.svg, (ASSETS / f"{stem}.svg").read_text(encoding="utf-8"))]
        today, kept = (np.array(NUMBER.findall(text), float) for text in both)
        assert NUMBER.sub("", both[0]) == NUMBER.sub("", both[1]), f"run `python docs/pictures {name}`"
        np.testing.assert_allclose(today, kept, atol=0.011)


@pytest.mark.parametrize("name", [name for name, kept in KEPT.items() if "screenshots" in kept])
def test_screenshots_were_taken_with_the_answers_that_are_kept(name):
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in ASSETS.glob(f"{name}*.png")}
    assert found == KEPT[name]["screenshots"], f"run `python docs/pictures {name}`"


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name", scripts_with("shown", quick={"report"}))
def test_answers_are_those_of_today(name):
    assert script(name).shown() == KEPT[name]["shown"], f"the pictures are stale: run `python docs/pictures {name}`"


@pytest.mark.parametrize("name", [name for name, kept in KEPT.items() if "on the page" in kept["shown"]])
def test_a_page_says_what_its_pictures_say(name):
    page = re.search(r'^PAGE = "(.*)"', SOURCES[name], re.MULTILINE)[1]
    text = " ".join((docs / page).read_text(encoding="utf-8").split())
    assert [line for line in KEPT[name]["shown"]["on the page"] if " ".join(line.split()) not in text] == []
