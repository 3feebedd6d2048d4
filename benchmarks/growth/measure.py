"""CPU seconds of a fit on one thread, in a process that can be ended when it takes too long."""

import multiprocessing
import time
import warnings
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

SHORT = 1.0  # seconds; below it a fit is repeated: the first at a size may have kernels to load


def measure(name: str, sides: list[dict[str, int]], limit: float) -> list[float]:
    """Seconds at each size in turn, infinity for one beyond `limit`; what comes after it is not tried."""
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_serve, args=(theirs, name, sides))
    process.start()
    theirs.close()
    found: list[float] = []
    try:
        ours.recv()  # imported and compiled
        for _ in sides:
            if not ours.poll(2 * limit):  # of wall time; the machine may have other work
                return [*found, np.inf]
            found.append(ours.recv())
            if found[-1] > limit:
                return found
    except EOFError:
        return [*found, np.nan]
    finally:
        process.kill()
        process.join()
    return found


def _serve(pipe: Connection, name: str, sides: list[dict[str, int]]) -> None:
    from threadpoolctl import threadpool_limits

    from benchmarks.growth.subjects import SUBJECTS
    from unmix import execution

    warnings.simplefilter("ignore")  # a fit stopped by max_iter has its time too
    subject = SUBJECTS[name]
    with threadpool_limits(1), execution(threads=1):
        _seconds(subject, sides[0])
        pipe.send("ready")
        for size in sides:
            pipe.send(_seconds(subject, size))


def _seconds(subject: Any, size: dict[str, int]) -> float:
    X = subject.table(size["n"], size["d"], size["k"], np.random.default_rng(0))
    best, spent = np.inf, 0.0
    while spent < SHORT:
        start = time.process_time()
        subject.work(X, size["k"])
        taken = time.process_time() - start
        best, spent = min(best, taken), spent + taken
    return best
