"""Importing unmix must stay cheap: heavy libraries are loaded by the first call that needs them."""

import json
import subprocess
import sys

import pytest

import unmix

heavy = {"numba", "llvmlite", "sklearn", "scipy", "polars", "pandas", "pyarrow", "dask", "distributed"}


def modules_after(statement: str) -> set[str]:
    program = f"import json, sys\n{statement}\nprint(json.dumps(sorted(sys.modules)))"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(json.loads(answer.stdout))


def test_import_loads_nothing_heavy():
    assert not modules_after("import unmix") & heavy


def test_listing_and_version_load_nothing_heavy():
    assert not modules_after("import unmix; dir(unmix); unmix.__version__") & heavy


def test_dask_is_loaded_only_when_the_user_brings_it():
    assert not modules_after("import unmix; unmix.execution; unmix.load") & {"dask", "distributed"}


def test_every_public_name_resolves():
    import unmix

    for name in unmix.__all__:
        assert getattr(unmix, name) is not None


def test_an_unknown_name_is_an_attribute_error():
    import unmix

    with pytest.raises(AttributeError, match="no_such_name"):
        unmix.no_such_name  # noqa: B018


@pytest.mark.parametrize("package", ["unmix.io", "unmix.roles", "unmix.validation", "unmix.images", "unmix.cluster"])
def test_polars_is_loaded_only_when_a_file_is_read(package):
    assert "polars" not in modules_after(f"import {package}")


def test_a_clone_that_is_not_installed_can_be_imported():
    """The folder of the sources alone, and no record of an installation."""
    program = (
        "import importlib.metadata as metadata\n"
        "find = metadata.Distribution.from_name\n"
        "def all_others(name):\n"
        "    if name == 'unmix': raise metadata.PackageNotFoundError(name)\n"
        "    return find(name)\n"
        "metadata.Distribution.from_name = all_others\n"
        "import unmix, unmix.cluster, unmix.cli.main\n"
        "print(unmix.__version__)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == unmix.__version__, done.stderr
