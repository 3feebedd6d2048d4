"""A command ends its process at once: after everything is said and done, and with its code."""

import json
import os
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
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_what_was_to_be_done_at_the_end_is_done_and_nothing_else(arguments, code, unbuffered):
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))}
    command = [sys.executable, "-c", PROGRAM, *arguments]
    answer = subprocess.run(command, capture_output=True, text=True, env=bare | {"PYTHONUNBUFFERED": unbuffered})
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


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_change_nothing(closed, tmp_path):
    (tmp_path / "access.csv").write_text("user,permission\nann,a\nann,b\nbob,b\n")
    command = f"{sys.executable} -m unmix roles why missing ann a {closed}"
    answer = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=tmp_path)
    assert answer.returncode == 2 and "Traceback" not in answer.stderr


def test_an_output_that_is_full_or_knows_few_letters_is_no_traceback(monkeypatch):
    command = f"{sys.executable} -m unmix --help"
    full = subprocess.run(f"{command} >/dev/full", shell=True, capture_output=True, text=True)
    assert full.returncode == 2 and "standard output cannot be written to" in full.stderr
    assert full.stderr.count("\n") == 1
    monkeypatch.setenv("UNMIX_NUM_THREADS", "no")
    wrong = subprocess.run(f"{sys.executable} -m unmix roles why x y z", shell=True, capture_output=True, text=True)
    assert wrong.returncode == 2 and wrong.stderr.startswith("unmix: UNMIX_NUM_THREADS='no'")


def test_letters_that_cannot_be_shown_are_written_as_json_does():
    from unmix.cli.terminal.streams import _escaped, codecs

    codecs.register_error("unmix", _escaped)
    text = '{"a": "≥ 😀 \\udcff"}'
    assert json.loads(text.encode("ascii", "unmix")) == json.loads(text)
