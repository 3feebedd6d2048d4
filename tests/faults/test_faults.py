"""The short part of the harness; `python -m tests.faults` runs all of it."""

import subprocess
import sys

import pytest

from tests.faults.odd_tables import corpus
from tests.faults.part import run
from tests.faults.parts import PARTS
from tests.faults.planted import PLANTED

pytestmark = pytest.mark.slow_without_jit

# Parts that fork, or that need a process of their own to be measured; the others run in this one.
APART = ("models", "parameters", "checkpoints", "kills", "soak", "workers", "clusters")
HERE = [name for name in PARTS if name not in APART]
# Parts whose short form takes some seconds.
LONG = {"interrupts", "disk", "cells", "forms", "kills", "soak", "checkpoints", "workers", "clusters"}
LONG |= {"killed-commands", "places", "readers"}


def cases(names):
    return [pytest.param(name, marks=pytest.mark.long) if name in LONG else name for name in names]


def test_the_corpus_is_as_large_as_promised():
    assert len({(name, data) for _, name, data in corpus()}) >= 500


@pytest.mark.parametrize("name", cases(HERE))
def test_every_fault_is_held(name, tmp_path):
    tally = run(PARTS[name], tmp_path / name, short=True)
    assert tally.failures == [] and tally.tried > 0


@pytest.mark.parametrize("name", cases(APART))
def test_every_fault_is_held_in_a_process_of_its_own(name, pytestconfig):
    command = [sys.executable, "-m", "tests.faults", name, "--short"]
    done = subprocess.run(command, cwd=pytestconfig.rootpath, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{name:12} tried" in done.stdout


@pytest.mark.parametrize("defect", [name for name in PLANTED if name != "unchecked shape"])
def test_a_planted_defect_is_found(defect, tmp_path):
    with PLANTED[defect].defect():
        assert run(PLANTED[defect].part, tmp_path, short=True).failures != []


FIND = """
import sys, tempfile
from pathlib import Path
from tests.faults.part import run
from tests.faults.planted import PLANTED
planted = PLANTED["unchecked shape"]
with tempfile.TemporaryDirectory() as folder, planted.defect():
    print(*run(planted.part, Path(folder), short=True).failures, sep="\\n")
"""


def test_a_shape_that_is_not_checked_is_found(pytestconfig):
    """In a process of its own: it forks, as such a model may end the process that uses it."""
    command = [sys.executable, "-c", FIND]
    done = subprocess.run(command, cwd=pytestconfig.rootpath, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "model KMeans, crafted" in done.stdout, done.stderr[-2000:]
