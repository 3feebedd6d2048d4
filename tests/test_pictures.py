"""Pictures of answers show what the code answers today; `python docs/pictures` draws them anew."""

import importlib.util
import json
from pathlib import Path

import pytest

folder = Path(__file__).parents[1] / "docs" / "pictures"
LONG = pytest.mark.long
KEPT = json.loads((folder / "shown.json").read_text(encoding="utf-8"))


def script(name):
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_script_that_shows_answers_has_kept_them():
    answers = {path.stem for path in folder.glob("[a-z]*.py") if "def shown(" in path.read_text(encoding="utf-8")}
    assert answers == set(KEPT)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(
    "name",
    [
        "report",
        pytest.param("front", marks=pytest.mark.long),
        pytest.param("is_it_real", marks=pytest.mark.long),
        pytest.param("studio", marks=pytest.mark.long),
    ],
)
def test_pictures_show_what_is_found_today(name):
    assert script(name).shown() == KEPT[name], f"the pictures are stale: run `python docs/pictures {name}`"
