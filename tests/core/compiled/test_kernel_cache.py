"""Compiled kernels on disk: found after a new installation, not found after any change, and never an error."""

import importlib
import os
import pickle
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numba
import numpy as np
import pytest

from unmix.core.compiled import kernel_cache
from unmix.core.compiled.kernel_cache import cache_folder, forget_oldest, source_digest

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing compiles (NUMBA_DISABLE_JIT is set)")

FILES = {
    "__init__": "",
    "scale": "FACTOR = 3.0\n",
    "inner": """
from unmix.core.compiled.kernel import kernel
from planted import scale
FACTOR = scale.FACTOR

@kernel
def inner(x):
    return FACTOR * x
""",
    "outer": """
from unmix.core.compiled.kernel import kernel
from planted.inner import (
    inner,
)

@kernel
def outer(x):
    return inner(x) + 1.0
""",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Kernels go into a folder of this test."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    kernel_cache.forget_oldest.cache_clear()
    yield tmp_path / "cache" / "unmix"
    for name in [name for name in sys.modules if name.partition(".")[0] == "planted"]:
        del sys.modules[name]


def install(place: Path, **changed: str) -> Path:
    (place / "planted").mkdir(parents=True)
    for name, text in (FILES | changed).items():
        (place / "planted" / f"{name}.py").write_text(text)
    return place


def outer_of(place: Path):
    """The kernel of the package as a new process would import it."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "planted"]:
        del sys.modules[name]
    sys.path.insert(0, str(place))
    importlib.invalidate_caches()
    try:
        return importlib.import_module("planted.outer").outer
    finally:
        sys.path.remove(str(place))


def found(kernel) -> bool:
    """Was the kernel for this call on disk?"""
    return sum(kernel.stats.cache_hits.values()) == 1 and not kernel.stats.cache_misses


def test_the_same_files_elsewhere_and_later_are_found(folder, tmp_path):
    first = outer_of(install(tmp_path / "first"))
    assert first(2.0) == 7.0
    assert not found(first)
    second = install(tmp_path / "second")
    for path in (second / "planted").iterdir():
        os.utime(path, (1e9, 1e9))
    again = outer_of(second)
    assert again(2.0) == 7.0
    assert found(again)


@pytest.mark.parametrize(
    "changed, answer",
    [
        ({"inner": FILES["inner"].replace("FACTOR * x", "FACTOR * x + 10")}, 17.0),
        ({"scale": "FACTOR = 4.0\n"}, 9.0),
        ({"outer": FILES["outer"].replace("1.0", "2.0")}, 8.0),
    ],
)
def test_a_change_in_any_file_it_uses_compiles_it_again(folder, tmp_path, changed, answer):
    assert outer_of(install(tmp_path / "old"))(2.0) == 7.0
    new = outer_of(install(tmp_path / "new", **changed))
    assert new(2.0) == answer
    assert not found(new)


def test_a_file_it_does_not_use_changes_nothing(folder, tmp_path):
    outer_of(install(tmp_path / "old", other="X = 1"))(2.0)
    new = outer_of(install(tmp_path / "new", other="X = 2"))
    new(2.0)
    assert found(new)


def test_kernels_with_and_without_checks_of_indices_are_kept_apart(folder, tmp_path, monkeypatch):
    place = install(tmp_path / "a")
    monkeypatch.setattr(numba.config, "BOUNDSCHECK", 0)
    outer_of(place)(2.0)
    monkeypatch.setattr(numba.config, "BOUNDSCHECK", 1)
    checked = outer_of(place)
    checked(2.0)
    assert not found(checked)


def test_an_entry_that_is_cut_off_or_foreign_is_compiled_again(folder, tmp_path):
    place = install(tmp_path / "a")
    outer_of(place)(2.0)
    for path in folder.glob("*.nbc"):
        path.write_bytes(path.read_bytes()[:-100])
    cut = outer_of(place)
    assert cut(2.0) == 7.0
    assert not found(cut)
    mended = outer_of(place)
    mended(2.0)
    assert found(mended)


def test_a_folder_that_can_only_be_read_is_read(folder, tmp_path, monkeypatch):
    place = install(tmp_path / "a")
    outer_of(place)(2.0)

    def refuse(**_):
        raise PermissionError("read-only")

    monkeypatch.setattr(kernel_cache.tempfile, "TemporaryFile", refuse)
    kernel_cache._first_usable.cache_clear()
    again = outer_of(place)
    again(2.0)
    assert found(again)
    kernel_cache._first_usable.cache_clear()


def test_no_place_at_all_and_a_full_disk_are_no_errors(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(kernel_cache, "_usable", lambda place: False)
    kernel_cache._first_usable.cache_clear()
    nowhere = outer_of(install(tmp_path / "a"))
    assert nowhere(2.0) == 7.0
    assert nowhere.stats.cache_path is None
    kernel_cache._first_usable.cache_clear()


def test_a_full_disk_leaves_nothing_behind(folder, tmp_path):
    place = install(tmp_path / "a")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))  # no file beyond a thousand bytes can be written
    try:
        assert outer_of(place)(2.0) == 7.0
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert list(folder.iterdir()) == []


def test_a_home_that_is_no_folder_leaves_the_package_itself(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    chosen = cache_folder()
    assert chosen is not None
    assert chosen.parts[-3:] == ("unmix", "__pycache__", "kernels")
    kernel_cache._first_usable.cache_clear()


def test_processes_that_compile_at_once_leave_whole_entries(folder, tmp_path):
    place = install(tmp_path / "a")
    code = "from planted.outer import outer; assert outer(2.0) == 7.0 and outer(2) == 7.0"
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder.parent)}
    environment["PYTHONPATH"] = os.pathsep.join([str(place), environment["PYTHONPATH"]])
    running = [subprocess.Popen([sys.executable, "-c", code], env=environment) for _ in range(2)]
    assert [process.wait() for process in running] == [0, 0]
    assert len(list(folder.iterdir())) == 4  # two kernels of two signatures, nothing half done
    here = outer_of(place)
    here(2.0)
    assert found(here)


def test_the_oldest_entries_go_when_there_are_too_many(tmp_path):
    for age in range(5):
        path = tmp_path / f"kernel-{age}.nbc"
        path.write_bytes(b"x" * 100)
        os.utime(path, (time.time() - age,) * 2)
    left_over = tmp_path / "kernel-1.abcdef"
    left_over.write_bytes(b"x")
    os.utime(left_over, (1e9, 1e9))
    forget_oldest(tmp_path, most=250)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kernel-0.nbc", "kernel-1.nbc"]


def test_using_an_entry_makes_it_young_again(folder, tmp_path):
    place = install(tmp_path / "a")
    outer_of(place)(2.0)
    (entry,) = folder.glob("planted.outer*.nbc")
    os.utime(entry, (1e9, 1e9))
    outer_of(place)(2.0)
    assert time.time() - entry.stat().st_mtime < 3600


def test_what_was_typed_at_a_prompt_is_never_found_again():
    assert source_digest(["unmix.core.compiled.kernel"]) == source_digest(["unmix.core.compiled.kernel"])
    assert source_digest(["unmix.core.compiled.kernel"]) != source_digest(["unmix.core.compiled.compiling"])
    assert source_digest(["nobody.has.this"]) != source_digest(["nobody.has.this"])


def test_kernels_survive_pickling(folder, tmp_path):
    kernel = pickle.loads(pickle.dumps(outer_of(install(tmp_path / "a"))))
    assert kernel(np.float32(2.0)) == 7.0
    shutil.rmtree(tmp_path / "a")


CALL = """
import sys
from numba import config
config.CACHE_DIR = sys.argv[1]
from planted.outer import outer
print(outer(2.0), sum(outer.stats.cache_hits.values()), "numba.np.arraymath" in sys.modules)
"""


def call_alone(place: Path, folder: Path) -> list[str]:
    """Its answer, whether it was on disk, and whether what numba needs to compile was loaded, in a new process."""
    paths = [str(place), str(Path(kernel_cache.__file__).parents[3])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-c", CALL, str(folder.parent)]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.split()


def test_a_kernel_on_disk_is_called_without_what_compiling_needs(folder, tmp_path):
    place = install(tmp_path / "a")
    assert call_alone(place, folder) == ["7.0", "0", "True"]
    assert call_alone(place, folder) == ["7.0", "1", "False"]


def test_a_kernel_that_calls_what_has_no_address_yet_loads_all(folder, tmp_path):
    outer = outer_of(install(tmp_path / "a"))
    outer(2.0)
    (entry,) = folder.glob("planted.outer*.nbc")
    signature, called, parts = pickle.loads(kernel_cache._read(entry))
    assert "PyFloat_AsDouble" in called
    kernel_cache._write(entry, kernel_cache.serialize.dumps((signature, [*called, "nobody_has_this"], parts)))
    assert call_alone(tmp_path / "a", folder) == ["7.0", "1", "True"]
