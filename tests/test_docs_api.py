"""The API pages have every public name, and no name that does not exist."""

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import unmix

root = Path(__file__).parents[1]
stated = re.compile(r"^::: (\S+)(?:\n    options: \{.*?members: \[(.*?)\].*?\})?", re.MULTILINE)
HIDDEN = {"unmix.exploration", "unmix.report", "unmix.shell", "unmix.studio"}  # no names for others to import
PACKAGES = [
    f"unmix.{package.name}"
    for package in pkgutil.iter_modules(unmix.__path__)
    if package.ispkg and hasattr(importlib.import_module(f"unmix.{package.name}"), "__all__")
]


def page_of(package):
    return root / "docs" / "api" / f"{package.split('.')[-1]}.md"


@pytest.mark.parametrize("package", sorted(set(PACKAGES) - HIDDEN))
def test_every_public_name_has_its_place(package):
    text = page_of(package).read_text(encoding="utf-8")
    missing = [name for name in importlib.import_module(package).__all__ if not re.search(rf"\b{name}\b", text)]
    assert missing == []


@pytest.mark.parametrize("page", sorted((root / "docs" / "api").glob("*.md")), ids=lambda page: page.stem)
def test_every_name_on_the_pages_exists(page):
    for name, members in stated.findall(page.read_text(encoding="utf-8")):
        module, _, last = name.rpartition(".")
        found = importlib.import_module(module)
        found = getattr(found, last) if hasattr(found, last) else importlib.import_module(name)
        if members:
            place = importlib.import_module(name)
            assert all(hasattr(place, member.strip()) for member in members.split(",")), name


def test_every_page_is_in_the_navigation():
    listed = (root / "mkdocs.yml").read_text(encoding="utf-8")
    assert [page.name for page in (root / "docs" / "api").glob("*.md") if f"api/{page.name}" not in listed] == []
    assert [
        page.name for page in (root / "docs" / "methods").glob("*.md") if f"methods/{page.name}" not in listed
    ] == []


ORDER = ("Parameters", "Attributes", "Returns", "Yields", "Raises", "See Also", "Notes", "References", "Examples")
section = re.compile(rf"^ *({'|'.join(ORDER)})\n *-+$", re.MULTILINE)


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_every_public_name_has_a_docstring_with_sections_in_the_usual_order(package):
    module = importlib.import_module(package)
    for name in module.__all__:
        text = getattr(module, name).__doc__ or ""
        assert text and not text.startswith(f"{name}("), f"{package}.{name} has no docstring"
        found = [ORDER.index(title) for title in section.findall(text)]
        assert found == sorted(found), f"{package}.{name}: order of sections"


def test_the_page_of_what_is_stable_speaks_of_every_package():
    """Those on the API pages are stable; of the others it says that they may change."""
    text = (root / "docs" / "stability.md").read_text(encoding="utf-8")
    stated = set(re.findall(r"`(unmix\.\w+)`", text.partition("## May still change")[2]))
    packages = {f"unmix.{package.name}" for package in pkgutil.iter_modules(unmix.__path__) if package.ispkg}
    assert {package for package in packages - stated if not page_of(package).exists()} == set()
    assert stated <= packages and {name for name in unmix.__all__ if f"unmix.{name}" in stated} == set()
