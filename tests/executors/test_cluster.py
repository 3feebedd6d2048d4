"""Two worker processes give the bits of one thread, also when one of them is killed."""

import os
import signal
import threading
from functools import cache

import numpy as np
import pytest

import unmix

from .models import MODELS, data, different, fitted_bits

distributed = pytest.importorskip("distributed", reason="needs the [dask] extra")

SHORT = ("PCA", "KMeans")  # each worker compiles for itself
pytestmark = [pytest.mark.slow_without_jit, pytest.mark.filterwarnings("ignore")]


def test_where_no_scheduler_answers_nothing_is_left_running():
    from unmix.core.dask_blocks import connected

    before = set(threading.enumerate())
    for address in ("", "a=b", "nonsense://x", "tcp://127.0.0.1:1"):
        with pytest.raises(ConnectionError, match="no dask scheduler answers"), connected(address, timeout=0.2):
            pass
    assert set(threading.enumerate()) == before


@pytest.fixture(scope="module")
def cluster_client():
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture
def client(cluster_client):
    cluster_client.wait_for_workers(2, timeout=60)  # the one killed by the test before is started anew
    return cluster_client


@pytest.fixture(scope="module")
def expected():
    @cache
    def on_one_thread(name):
        with unmix.execution(threads=1):
            return fitted_bits(MODELS[name]().fit(data(name)))

    return on_one_thread


@pytest.mark.parametrize(
    "name", [name if name in SHORT else pytest.param(name, marks=pytest.mark.long) for name in MODELS]
)
def test_two_processes(client, expected, name):
    import dask.array as da

    assert different(MODELS[name]().fit(da.from_array(data(name), chunks=(11_000, 5))), expected(name)) == []


@pytest.mark.long
@pytest.mark.parametrize("name", ["PCA", "KMeans", "GaussianMixture", "NMF"])
def test_two_processes_given_as_the_executor(client, expected, name, tmp_path):
    np.save(tmp_path / "x.npy", data(name))
    with unmix.execution(executor=client):
        assert different(MODELS[name]().fit(tmp_path / "x.npy"), expected(name)) == []
        assert different(MODELS[name]().fit(data(name)), expected(name)) == []


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("PCA missing", marks=pytest.mark.long),
        "KMeans",
        pytest.param("GaussianMixture", marks=pytest.mark.long),
    ],
)
def test_a_worker_is_killed_during_the_fit(client, expected, name):
    import dask.array as da

    killed = []

    def kill_once(record):
        if not killed:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    with unmix.execution(observe=kill_once):
        model = MODELS[name]().fit(da.from_array(data(name), chunks=(11_000, 5)))
    assert killed, "the fit ended before a worker could be killed"
    assert different(model, expected(name)) == []
