"""Names that the pages state in prose exist: `unmix.x.y` can be imported, and a function that is named is public."""

import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import unmix

root = Path(__file__).parents[1]
pages = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
fences = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
dotted = re.compile(r"`(unmix(?:\.\w+)+)")
called = re.compile(r"`([a-z_]\w*)\(")
ELSEWHERE = {"max", "min", "sqrt", "log", "exp", "print", "u_ν", "marginal", "register"}  # mathematics, other libraries


def resolves(name):
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:length]))
        except ImportError:
            continue
        for part in parts[length:]:
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


def public_names():
    """What packages export, and the methods, attributes and parameters of it."""
    names = set(unmix.__all__)
    for package in pkgutil.walk_packages(unmix.__path__, "unmix."):
        if not package.ispkg:
            continue
        module = importlib.import_module(package.name)
        for name in getattr(module, "__all__", ()):
            thing = getattr(module, name)
            names |= {name, *dir(thing)} if inspect.isclass(thing) else {name}
            names |= set(inspect.signature(thing).parameters) if inspect.isfunction(thing) else set()
    return names


@pytest.mark.parametrize("page", pages, ids=lambda page: str(page.relative_to(root)))
def test_dotted_names_resolve(page):
    stated = set(dotted.findall(page.read_text(encoding="utf-8")))
    assert [name for name in sorted(stated) if not resolves(name)] == []


def test_functions_named_in_prose_are_public():
    known, missing = public_names() | ELSEWHERE, []
    for page in pages:
        text = page.read_text(encoding="utf-8")
        on_page = " ".join(fences.findall(text))  # what the page itself defines
        stated = set(called.findall(fences.sub("", text)))
        missing += [(page.name, name) for name in sorted(stated - known) if f"{name}(" not in on_page]
    assert missing == []


def test_a_name_that_does_not_exist_is_seen():
    assert resolves("unmix.decomposition.svd") and resolves("unmix.cluster.KMeans.fit")
    assert not resolves("unmix.decomposition.no_such_norm")
    assert "no_such_norm" not in public_names()


def test_no_formula_waits_for_a_renderer():
    """Pages load nothing from elsewhere, so a formula is plain text, not TeX that would be shown as it is typed."""
    tex = re.compile(r"\$\$|\$[^$\n`]*\\[a-z]+[^$\n`]*\$")
    assert [page.name for page in pages if tex.search(fences.sub("", page.read_text(encoding="utf-8")))] == []
