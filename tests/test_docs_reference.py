"""Every public estimator says what it costs, where it comes from, and of every parameter its meaning and default."""

import importlib
import inspect
import re

import numpy as np
import pytest
from sklearn.base import BaseEstimator

FAMILIES = ("decomposition", "separation", "cluster", "density", "embedding", "roles")
COST = re.compile(r"O\(|operations|\bn k d\b|\bn d k\b|\bm k d\b|costs? about", re.IGNORECASE)
entry = re.compile(r"^(\w+(?:, \w+)*) : (.*)\n((?:    .*\n|\n)*)", re.MULTILINE)


def estimators():
    for family in FAMILIES:
        package = importlib.import_module(f"unmix.{family}")
        for name in package.__all__:
            found = getattr(package, name)
            if inspect.isclass(found) and issubclass(found, BaseEstimator):
                yield found


def section(text, title):
    found = re.search(rf"^{title}\n-+\n(.*?)(?=^\w[\w ]*\n-+\n|\Z)", text, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def holes(estimator):
    """What the docstring of an estimator leaves out."""
    text = inspect.getdoc(estimator) or ""
    found = [] if COST.search(text.partition("\nParameters\n")[0] + section(text, "Notes")) else ["cost"]
    found += [] if section(text, "References").strip() else ["references"]
    entries = entry.findall(section(text, "Parameters") + "\n")
    described = {name: (kind, meaning) for names, kind, meaning in entries for name in names.split(", ")}
    for name, parameter in inspect.signature(estimator).parameters.items():
        kind, meaning = described.get(name, ("", ""))
        if not meaning.strip():
            found.append(f"meaning of {name}")
        if parameter.default is not inspect.Parameter.empty and not re.search("default|optional", kind):
            found.append(f"default of {name}")
    return found


@pytest.mark.parametrize("estimator", list(estimators()), ids=lambda estimator: estimator.__name__)
def test_nothing_is_left_out(estimator):
    assert holes(estimator) == []


def shown(docstring):
    """Type and default of each parameter, as the reference shows them."""
    griffe = pytest.importorskip("griffe")
    from docs.stated_types import NO_WIDTH, stated

    parent = griffe.Function("f", parameters=griffe.Parameters())
    read = griffe.Docstring(stated(docstring), parent=parent).parse("numpy", warnings=False)
    parts = [part.value for part in read if part.kind is griffe.DocstringSectionKind.parameters]
    return {one.name: (str(one.annotation).strip(NO_WIDTH), one.value) for part in parts for one in part}


@pytest.mark.parametrize("estimator", list(estimators()), ids=lambda estimator: estimator.__name__)
def test_the_reference_shows_the_defaults_of_the_code(estimator):
    found = shown(inspect.getdoc(estimator))
    for name, parameter in inspect.signature(estimator).parameters.items():
        if parameter.default is not inspect.Parameter.empty and found[name][1] is not None:
            assert eval(found[name][1], {"inf": np.inf}) == parameter.default, name


def test_the_reference_shows_types_as_they_are_stated():
    entries = 'a : {"x", "y"} or (k, d) array, default=None\n    One.\nb : int or "auto"\n    Two.\n'
    text = f"Sum.\n\nParameters\n----------\n{entries}"
    assert shown(text) == {"a": ('"x", "y" or (k, d) array', "None"), "b": ('int or "auto"', None)}


def test_a_hole_is_seen():
    class Bare:
        """Nothing.

        Parameters
        ----------
        a : int
        """

        def __init__(self, a, b=1):
            pass

    assert holes(Bare) == ["cost", "references", "meaning of a", "meaning of b", "default of b"]
