"""A driver that is killed in the middle of a fit leaves a checkpoint; the fit resumed from it gives the same bits."""

import signal
import subprocess
import sys

import pytest

import unmix

from .models import MODELS, data, different, fitted_bits, table

pytestmark = pytest.mark.slow_without_jit

KILL_ITSELF = """
import os, signal, sys
import unmix
from tests.executors.models import MODELS, data

records = []

def kill_at(record):
    records.append(record)
    if len(records) == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)

with unmix.execution(checkpoint=sys.argv[2], checkpoint_seconds=0, observe=kill_at):
    MODELS[sys.argv[1]]().fit(data(sys.argv[1]))
"""


@pytest.mark.parametrize(
    "name, at",
    [
        ("PCA missing", 3),
        ("DictionaryLearning", 3),
        ("Factorization", 3),
        ("KMeans", 3),
        ("GaussianMixture", 3),
        ("SelfOrganizingMap", 2),
        ("GrowingKMeans", 2),
    ],
)
def test_killed_driver(name, at, tmp_path, pytestconfig):
    expected = fitted_bits(MODELS[name]().fit(data(name)))
    path = tmp_path / "fit.checkpoint"
    command = [sys.executable, "-c", KILL_ITSELF, name, str(path), str(at)]
    killed = subprocess.run(command, cwd=pytestconfig.rootpath, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    assert path.exists()
    with unmix.execution(checkpoint=path):
        model = MODELS[name]().fit(data(name))
    assert different(model, expected) == []
    assert not path.exists()


def test_checkpoint_of_other_data_is_refused(tmp_path):
    path = tmp_path / "fit.checkpoint"

    calls = []

    def interrupt(record):
        calls.append(record)
        if len(calls) == 3:
            raise KeyboardInterrupt

    with (
        pytest.raises(KeyboardInterrupt),
        unmix.execution(checkpoint=path, checkpoint_seconds=0, observe=interrupt),
    ):
        MODELS["KMeans"]().fit(table())
    with unmix.execution(checkpoint=path), pytest.raises(ValueError, match=r"another fit \(different data\)"):
        MODELS["KMeans"]().fit(table()[::-1])
    with unmix.execution(checkpoint=path), pytest.raises(ValueError, match=r"another fit \(different parameters\)"):
        MODELS["KMeans"]().set_params(n_clusters=5).fit(table())
