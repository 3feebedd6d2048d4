"""Work beside: the same answers from a second process, from none, and when it dies."""

import os
import signal
import subprocess
import sys

import pytest

from unmix.core.beside import beside, later

# A process of its own: the test's has threads, and a fork of it would not.
START = """
import os, signal
import numpy as np
from unmix.core.beside import beside, later

def who(*arguments):
    return os.getpid(), arguments

def fails():
    raise ValueError(f"in {os.getpid()}")

def dies(first):
    if os.getpid() != first:
        os.kill(os.getpid(), signal.SIGKILL)
    return os.getpid()
"""

needs_fork = pytest.mark.skipif(sys.platform != "linux", reason="a second process is a fork, made on Linux only")


def run(program: str, threads: str = "2") -> str:
    settings = os.environ | {"UNMIX_NUM_THREADS": threads}
    answer = subprocess.run([sys.executable, "-c", START + program], capture_output=True, text=True, env=settings)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout.strip()


def test_without_a_second_process_work_is_done_when_asked_for():
    done = []
    ask = later(done.append, 1)
    assert done == []
    ask()
    assert done == [1]


@needs_fork
def test_a_second_process_does_the_work_and_arrays_come_back_whole():
    program = (
        "with beside():\n"
        "    ask = later(who, np.arange(200_000), None)\n"
        "    busy = later(who, 2)\n"  # one piece at a time: the second is done here
        "    pid, (array, nothing) = ask()\n"
        "    again = later(who)\n"
        "    print(pid == os.getpid(), int(array.sum()), nothing, busy()[0] == os.getpid(), again()[0] == pid)\n"
    )
    assert run(program) == f"False {199_999 * 100_000} None True True"


@needs_fork
def test_what_fails_there_fails_here_and_what_dies_there_is_done_here():
    program = (
        "with beside():\n"
        "    ask = later(fails)\n"
        "    try:\n"
        "        ask()\n"
        "    except ValueError as error:\n"
        "        print(str(error) == f'in {os.getpid()}')\n"
        "    ask = later(dies, os.getpid())\n"
        "    print(ask() == os.getpid(), later(who)()[0] == os.getpid())\n"
    )
    assert run(program) == "True\nTrue True"


def test_one_thread_means_one_process():
    assert run("with beside():\n    print(later(who)()[0] == os.getpid())", threads="1") == "True"


@needs_fork
def test_it_ends_with_the_first_process():
    program = "with beside():\n    pid = later(who)()[0]\nprint(pid, flush=True)"
    with pytest.raises(ProcessLookupError):
        os.kill(int(run(program)), signal.SIG_DFL)


def test_work_inside_ends_as_it_would_outside():
    with beside(wanted=False):
        assert later(max, 3, 4)() == 4
