"""A command ends its process at once: after everything is said and done, and with its code."""

import subprocess
import sys

import pytest

PROGRAM = """
import atexit, sys

class Last:
    def __del__(self):
        print("taken to pieces")

last = Last()
atexit.register(print, "done at exit")
sys.argv = ["unmix", *sys.argv[1:]]
from unmix.cli.main import main
print("begun")
sys.exit(main())
"""


@pytest.mark.parametrize("arguments, code", [(["--version"], 0), (["explore"], 2), (["no-such-command"], 2)])
def test_what_was_to_be_done_at_the_end_is_done_and_nothing_else(arguments, code):
    answer = subprocess.run([sys.executable, "-c", PROGRAM, *arguments], capture_output=True, text=True)
    lines = answer.stdout.splitlines()
    assert (answer.returncode, lines[0], lines[-1]) == (code, "begun", "done at exit")


def test_a_reader_that_has_gone_is_no_traceback():
    command = f"{sys.executable} -m unmix --help | true"
    answer = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert "Traceback" not in answer.stderr


def test_called_from_python_it_returns():
    from unmix.cli.main import main

    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
