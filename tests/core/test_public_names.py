"""Packages that import their names on first use: what tools read, what is imported and `__all__` say the same."""

import ast
import inspect
import subprocess
import sys
from importlib import import_module
from types import ModuleType

import pytest

PACKAGES = ["cluster", "constraints", "decomposition", "density", "information", "optimize", "separation"]


def imports_for_tools(package: ModuleType) -> dict[str, str]:
    (block,) = (node for node in ast.parse(inspect.getsource(package)).body if isinstance(node, ast.If))
    return {name.name: node.module for node in block.body for name in node.names}


@pytest.mark.parametrize("name", PACKAGES)
def test_names_are_those_that_tools_read(name):
    package = import_module(f"unmix.{name}")
    assert package._homes == imports_for_tools(package)
    assert sorted(package.__all__) == sorted(package._homes)
    assert set(package.__all__) <= set(dir(package))


@pytest.mark.parametrize("name", PACKAGES)
def test_every_name_is_there_and_is_no_module(name):
    package = import_module(f"unmix.{name}")
    for public in package.__all__:
        assert not isinstance(getattr(package, public), ModuleType)


def test_a_function_keeps_its_name_when_its_module_is_imported_before_it():
    program = (
        "import unmix.decomposition.svd, unmix.decomposition as package\n"
        "from unmix.decomposition import svd\n"
        "assert svd is package.svd is package.__dict__['svd'] and callable(svd)\n"
        "assert type(__import__('sys').modules['unmix.decomposition.svd']).__name__ == 'module'\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_one_estimator_does_not_load_the_others():
    program = (
        "import sys\nfrom unmix.decomposition import PCA\n"
        "assert 'unmix.decomposition.nmf' not in sys.modules and 'unmix.decomposition.pca' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_an_unknown_name_is_said():
    package = import_module("unmix.cluster")
    with pytest.raises(AttributeError, match=r"module 'unmix.cluster' has no attribute 'KMeanz'"):
        package.KMeanz  # noqa: B018
