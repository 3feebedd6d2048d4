"""Work in a forked process, so that a crash is a result and a kill costs nothing but the child."""

from __future__ import annotations

import os
import pickle
import resource
import signal
import traceback
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple


class Ended(NamedTuple):
    """What the work gave, or how its process ended."""

    value: Any
    signal: int | None
    error: str | None


def in_child(work: Callable[[], Any], seconds: int = 300) -> Ended:
    """One process for one piece of work; it is ended after so many seconds of work, or ten times as many in all."""
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forking with threads: children use none of them
        child = os.fork()
    if child == 0:
        os.close(read)
        _work(work, write, seconds)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        answer = pipe.read()
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        return Ended(None, os.WTERMSIG(status), None)
    return Ended(*pickle.loads(answer)) if answer else Ended(None, None, f"exit {os.waitstatus_to_exitcode(status)}")


def _work(work: Callable[[], Any], write: int, seconds: int) -> None:
    """In the child: never returns."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    signal.alarm(10 * seconds)  # it waits for something; how fast the machine is must not matter
    try:
        answer = (work(), None, None)
    except BaseException:
        answer = (None, None, traceback.format_exc(limit=-3))
    with os.fdopen(write, "wb") as pipe:
        pickle.dump(answer, pipe)
    os._exit(0)
