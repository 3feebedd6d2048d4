"""Clusters that fail in the middle of a fit: workers killed or spilling, all of it restarted, the scheduler gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import unmix
from tests.executors.models import MODELS, data, different
from tests.executors.models import fitted_bits as bits_of
from tests.faults.part import Case, is_sentence, short_of
from tests.faults.workers import cluster, fit

ROOT = Path(__file__).parents[2]
WAIT = 60  # seconds that a client looks for a scheduler
SPILL = {
    "distributed.worker.memory.target": 1e-4,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
}


def clusters(folder: Path, short: bool) -> Iterator[Case]:
    warnings.simplefilter("ignore")
    for name in ("KMeans",) if short else ("PCA missing", "KMeans", "GaussianMixture", "NMF"):
        with cluster() as client:  # each of its own: a machine under load may take minutes to replace a worker
            yield f"{name}, a worker killed", _killed(name, client)
    with cluster() as client:
        yield "a cluster restarted, and the fit taken up again", _restarted("KMeans", client, folder)
    yield "the scheduler killed, another one started, and the fit taken up again", _scheduler_killed("KMeans", folder)
    with cluster(**SPILL) as client:
        for name in ("KMeans",) if short else ("PCA", "KMeans", "NMF"):
            yield f"{name} on workers that spill", _spilled(name, client)


def _expected(name: str) -> dict[str, bytes]:
    with unmix.execution(threads=1):
        return bits_of(MODELS[name]().fit(data(name)))


def _told(other: list[str]) -> str | None:
    return f"other bits in {', '.join(other)}" if other else None


def _killed(name: str, client: Any) -> str | None:
    client.wait_for_workers(2, timeout=120)
    killed: list[int] = []

    def kill_once(record: Any) -> None:
        if not killed:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    with unmix.execution(observe=kill_once):
        model = fit(name)
    return _told(different(model, _expected(name))) if killed else "the fit ended before a worker could be killed"


def _restarted(name: str, client: Any, folder: Path) -> str | None:
    """All that the scheduler knew is lost in the middle of a fit."""
    client.wait_for_workers(2, timeout=120)
    path, seen = folder / "fit.checkpoint", []

    def restart_once(record: Any) -> None:
        seen.append(record)
        if len(seen) == 3:
            client.restart(timeout=120)

    if problem := _broken_off(name, path, restart_once):
        return problem
    client.wait_for_workers(2, timeout=120)
    with unmix.execution(checkpoint=path):
        return _told(different(fit(name), _expected(name)))


def _broken_off(name: str, path: Path, observe: Any) -> str | None:
    """What is wrong with how a fit ends whose cluster is taken away: a sentence, and a checkpoint to go on from."""
    try:
        with unmix.execution(checkpoint=path, checkpoint_seconds=0, observe=observe):
            fit(name)
    except ConnectionError as error:
        if not is_sentence(str(error)):
            return short_of(error)
    return None if path.exists() else "no checkpoint is left to go on from"


@contextmanager
def processes(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], Any]]:
    """A scheduler and two workers started by hand, and a client that looks a minute for a lost one."""
    import distributed

    file = folder / "scheduler.json"
    file.unlink(missing_ok=True)
    words = ["scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    started = [_started(folder, *words)]
    words = ["worker", "--scheduler-file", str(file), "--nthreads", "1", "--no-dashboard", "--no-nanny"]
    started += [_started(folder, *words) for _ in range(2)]
    try:
        with distributed.Client(scheduler_file=str(file), timeout=WAIT) as client:
            client.wait_for_workers(2, timeout=120)
            yield started[0], client
    finally:
        for process in started:
            process.kill()
            process.wait()


def _started(folder: Path, what: str, *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *words]
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(command, cwd=folder, env=os.environ | {"PYTHONPATH": path}, **quiet)  # type: ignore[call-overload]


def _scheduler_killed(name: str, folder: Path) -> str | None:
    """The scheduler itself is killed in the middle of a fit, and another one started."""
    path, seen = folder / "scheduler.checkpoint", []
    with processes(folder) as (scheduler, _):

        def kill_once(record: Any) -> None:
            seen.append(record)
            if len(seen) == 3:
                scheduler.kill()
                scheduler.wait()

        problem = _broken_off(name, path, kill_once)
    if problem:
        return problem
    with processes(folder), unmix.execution(checkpoint=path):
        return _told(different(fit(name), _expected(name)))


def _spilled(name: str, client: Any) -> str | None:
    spilled: list[int] = []

    def look(record: Any) -> None:
        spilled.extend(client.run(_on_disk).values())

    with unmix.execution(observe=look):
        model = fit(name)
    if name != "PCA" and not any(spilled):
        return "no worker spilled"
    return _told(different(model, _expected(name)))


def _on_disk(dask_worker: Any) -> int:
    return len(getattr(dask_worker.data, "slow", None) or ())
