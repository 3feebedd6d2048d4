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
        "import time\n"
        "with beside():\n"
        "    ask = later(who, np.arange(200_000), None)\n"
        "    ask()\n"  # and once more below: it is kept
        "    asleep = later(time.sleep, 0.5)\n"
        "    busy = later(who, 2)\n"  # one piece at a time: the second is done here
        "    pid, (array, nothing) = ask()\n"
        "    asleep()\n"
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


@needs_fork
def test_work_that_is_done_there_makes_room_for_more_before_it_is_asked_for():
    program = (
        "import time\n"
        "with beside():\n"
        "    first = later(who, 1)\n"
        "    while (second := later(who, 2))()[0] == os.getpid(): time.sleep(0.01)\n"
        "    print(first()[0] == second()[0] != os.getpid(), first()[1], second()[1])\n"
    )
    assert run(program) == "True (1,) (2,)"


@needs_fork
@pytest.mark.parametrize("threads, processes", [(1, 2), (2, 1)])
def test_shared_work_comes_in_its_order_from_both_processes(threads, processes):
    program = (
        "import time\n"
        "from unmix.core.beside import shared\n"
        "from unmix.core.execution import execution\n"
        "def slow(i):\n"
        "    time.sleep(0.02 * (i == 0) + 0.05 * (i == 9))\n"
        "    return i, os.getpid()\n"
        f"with execution(threads={threads}), beside():\n"
        "    found = shared(slow, range(10))\n"
        "    print([i for i, _ in found] == list(range(10)), len({pid for _, pid in found}))\n"
        "    print(shared(slow, []), [i for i, _ in shared(slow, [3])])\n"
    )
    assert run(program) == f"True {processes}\n[] [3]"


@needs_fork
def test_shared_work_whose_second_process_dies_is_done_here():
    program = (
        "from unmix.core.beside import shared\n"
        "from unmix.core.execution import execution\n"
        "with execution(threads=1), beside():\n"
        "    print(set(shared(dies, [os.getpid()] * 5)) == {os.getpid()})\n"
    )
    assert run(program) == "True"


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
