"""A folder of files on worker processes gives the bits of one thread, also when workers join, leave, stop or die."""

import json
import os
import signal
import threading

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import unmix
from tests.io.data_set.made import NAMES, numbers, write
from unmix.cli.main import main
from unmix.cluster import KMeans
from unmix.decomposition import PCA
from unmix.density import GaussianMixture
from unmix.io import DataSet, TableError
from unmix.roles import read as read_access
from unmix.validation import select
from unmix.validation.fits.parallel import in_parallel

from .models import different, fitted_bits

distributed = pytest.importorskip("distributed", reason="needs the [dask] extra")
pytestmark = [pytest.mark.slow_without_jit, pytest.mark.filterwarnings("ignore")]
ROWS = 60_000


def model():
    return KMeans(5, swaps=0, tol=0, max_iter=6, random_state=0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("files")
    write(pl.DataFrame(numbers(ROWS), schema=NAMES), made / "parquet", "parquet")
    write(pl.DataFrame(numbers(6000), schema=NAMES), made / "csv", "csv")
    return made


@pytest.fixture(scope="module")
def expected():
    with unmix.execution(threads=1):
        return fitted_bits(model().fit(pl.DataFrame(numbers(ROWS), schema=NAMES)))


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as made:
        yield made


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster, set_as_default=False) as made:
        made.wait_for_workers(2, timeout=120)
        yield made


def fit(client, path, observe=None):
    with unmix.execution(executor=client, observe=observe):
        return model().fit(path)


def once(action):
    """An observer that acts after the second iteration, and what says whether it did."""
    seen = []

    def observe(record):
        seen.append(record)
        if len(seen) == 2:
            action()

    return observe, seen


def test_rows_are_read_on_the_workers(client, folder, expected):
    assert different(fit(client, folder / "parquet"), expected) == []
    frame = pl.DataFrame(numbers(6000), schema=NAMES)
    with unmix.execution(executor=client):
        assert fitted_bits(PCA(2).fit(folder / "csv")) == fitted_bits(PCA(2).fit(frame))


@pytest.mark.long
def test_mixtures_and_partitions(client, folder, tmp_path):
    from tests.io.data_set.made import write_hive

    table = write_hive(pl.DataFrame(numbers(9000), schema=NAMES), tmp_path / "hive").drop("city")
    data = DataSet(tmp_path / "hive", columns=table.columns)
    for made in (lambda: GaussianMixture(2, max_iter=3, tol=0, random_state=0), lambda: PCA(2)):
        with unmix.execution(executor=client):
            found = fitted_bits(made().fit(data))
        assert found == fitted_bits(made().fit(table))


@pytest.mark.long
def test_a_worker_is_killed(client, folder, expected):
    observe, seen = once(lambda: os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL))
    assert different(fit(client, folder / "parquet", observe), expected) == [] and len(seen) > 2


@pytest.mark.long
def test_a_worker_joins_and_another_leaves(client, cluster, folder, expected):
    """Tasks are cut for the workers there were at first; what they add up to is the same on any."""
    joined, _ = once(lambda: (cluster.scale(3), client.wait_for_workers(3, timeout=120)))
    assert different(fit(client, folder / "parquet", joined), expected) == []
    left, seen = once(lambda: client.retire_workers([next(iter(client.nthreads()))]))
    assert different(fit(client, folder / "parquet", left), expected) == [] and len(seen) > 2
    cluster.scale(2)


@pytest.mark.long
def test_a_straggler(client, folder, expected):
    """One worker stands still for a while in the middle of the fit."""
    slow = next(iter(client.run(os.getpid).values()))

    def stop():
        os.kill(slow, signal.SIGSTOP)
        threading.Timer(3.0, os.kill, (slow, signal.SIGCONT)).start()

    observe, seen = once(stop)
    assert different(fit(client, folder / "parquet", observe), expected) == [] and len(seen) > 2


def test_a_changed_file_stops_the_fit(client, tmp_path):
    write(pl.DataFrame(numbers(6000), schema=NAMES), tmp_path / "data", "parquet")

    with unmix.execution(executor=client):
        data = DataSet(tmp_path / "data")
        assert data.shape == (6000, 4)
        os.utime(tmp_path / "data" / "part-1.parquet", (1, 1))
        with pytest.raises(TableError, match=r"part-1\.parquet was changed while it was in use"):
            PCA(2).fit(data)


@pytest.mark.long
def test_explore_and_assign(client, tmp_path):
    write(pl.DataFrame(numbers(9000), schema=NAMES), tmp_path / "data", "parquet")
    here = unmix.explore(tmp_path / "data", sample=1000)
    there = unmix.explore(tmp_path / "data", sample=1000, client=client)
    ours, theirs = ({**found.to_dict(), "created": None} for found in (here, there))
    assert ours == theirs and not len(there.labels)
    there.save(tmp_path / "there")
    labels = pl.concat(DataSet(tmp_path / "there" / "labels").batches())
    assert (labels["cluster"].fill_null(-1).to_numpy() == here.labels).all()
    assert np.array_equal(labels["confidence"].to_numpy(), here.confidence, equal_nan=True)
    local = unmix.assign(here, tmp_path / "data")
    remote = unmix.assign(there, tmp_path / "data", out=tmp_path / "new", client=client)
    assert remote.counts == local.counts() and remote.said() == local.said()
    assert pl.concat(DataSet(tmp_path / "new").batches()).equals(local.frame(), null_equal=True)


@pytest.mark.long
@pytest.mark.parametrize("estimator", [KMeans(n_init=2), GaussianMixture(), PCA()], ids=lambda it: type(it).__name__)
def test_select(client, folder, estimator):
    """The workers draw rows, try criteria and fit the chosen model: the answer is that of one thread."""
    found = []
    for executor in (None, client):
        with unmix.execution(executor=executor, threads=1):
            found.append(select(estimator, folder / "parquet", [1, 2, 3], random_state=0, max_rows=2000))
    here, there = found
    assert there.verdict == here.verdict and there.notes == here.notes
    assert there.to_frame().equals(here.to_frame())
    assert fitted_bits(there.best_estimator) == fitted_bits(here.best_estimator)


@pytest.mark.long
def test_the_command_of_select(client, cluster, folder):
    """The command says on a cluster what it says without one."""
    words = ["select", str(folder / "parquet"), "--most", "3", "--max-rows", "2000", "--json"]
    here, there = (CliRunner().invoke(main, [*words, *more]) for more in ([], ["--dask", cluster.scheduler_address]))
    assert here.exit_code == there.exit_code == 0, there.output
    assert json.loads(here.stdout) == json.loads(there.stdout) and "2,000 of 60,000 rows" in here.stdout


def test_pieces_of_work_run_on_the_workers(client):
    with unmix.execution(executor=client):
        seen = []
        with unmix.execution(observe=seen.append):
            pids = in_parallel(lambda i: (i, os.getpid()), 6, "pieces")
    assert [i for i, _ in pids] == list(range(6)) and os.getpid() not in {pid for _, pid in pids}
    assert [record.iteration for record in seen] == [1, 2, 3, 4, 5, 6]


@pytest.mark.long
def test_roles(client, cluster, tmp_path, monkeypatch):
    """Grants are read by the workers; the command says and writes what it does without them."""
    rng = np.random.default_rng(0)
    groups = rng.integers(3, size=60)
    pairs = [(f"u{u}", f"g{groups[u]} p{p}") for u in range(60) for p in range(4)] * 2
    table = pl.DataFrame(pairs, schema=["user", "permission"], orient="row")
    for i in range(4):
        (tmp_path / "grants").mkdir(exist_ok=True)
        table[120 * i : 120 * (i + 1)].write_parquet(tmp_path / "grants" / f"part-{i}.parquet")
    with unmix.execution(executor=client):
        found = read_access(tmp_path / "grants")
        with monkeypatch.context() as small, pytest.raises(TableError, match=r"240 grants .* 500 bytes are free"):
            small.setattr("unmix.roles.access.from_files.free_bytes", lambda: 500)
            read_access(tmp_path / "grants")
    here = read_access(table)
    assert (found.users, found.problems) == (here.users, here.problems) and (found.matrix != here.matrix).sum() == 0
    ours, theirs = (
        CliRunner().invoke(main, ["roles", str(tmp_path / "grants"), "-o", str(tmp_path / name), *more])
        for name, more in (("here", []), ("there", ["--dask", cluster.scheduler_address]))
    )
    assert ours.exit_code == theirs.exit_code == 0, theirs.output
    one, other = ((tmp_path / name / "roles.json").read_text() for name in ("here", "there"))
    assert json.loads(one)["roles"] == json.loads(other)["roles"] and "--dask" not in json.loads(other)["command"]
