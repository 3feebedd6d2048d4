"""The tree shows the architecture: every room says what it computes, and rooms import forward only."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src"
ROOMS = sorted(path.parent for path in (SOURCE / "unmix").rglob("__init__.py"))

# A cost loads its compiled moves on first use, and they are written for the state that it makes.
LOADED_ON_FIRST_USE = {("unmix.costs", "unmix.costs.move_kernels")}


MOST_FILES = 25  # in a room: beyond, a second one hides in it


def name(room: Path) -> str:
    return ".".join(room.relative_to(SOURCE).parts)


def imported(path: Path) -> set[str]:
    """The rooms a file imports from, at its head or on first use."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("unmix."):
            parts = Path(*node.module.split("."))
            room = parts if (SOURCE / parts).is_dir() else parts.parent
            found.add(".".join(room.parts))
    return found


@pytest.mark.parametrize("room", ROOMS, ids=name)
def test_every_room_says_in_a_sentence_what_it_computes(room):
    text = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8"))) or ""
    assert text.splitlines()[0].endswith(".")


@pytest.mark.parametrize("room", ROOMS, ids=name)
def test_no_room_is_crowded(room):
    assert len([path for path in room.glob("*.py") if path.name != "__init__.py"]) <= MOST_FILES


def test_rooms_import_forward_only():
    calls = {
        name(room): set().union(*(imported(path) for path in room.glob("*.py") if path.name != "__init__.py"))
        for room in ROOMS
    }
    forward = {a: {b for b in found if b != a and (a, b) not in LOADED_ON_FIRST_USE} for a, found in calls.items()}
    TopologicalSorter(forward).prepare()  # raises an error that names the rooms of a circle
