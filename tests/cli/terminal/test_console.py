"""What a command says while it works: the step, and that kernels compile, on a terminal and in a pipe."""

import pytest

from unmix.cli.first_uses import names
from unmix.cli.terminal import console
from unmix.cli.terminal.console import COMPILING, Spinner, clipped, kernel_counts, progress
from unmix.core.compiled.compiling import tell_compiling


def test_a_pipe_is_told_once_that_kernels_compile(capsys):
    with progress("explore") as say:
        say("reading the table")
        tell_compiling("first")
        tell_compiling("second")
        say("clustering")
    tell_compiling("third")  # nobody listens any more
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["unmix: reading the table, 0 %", COMPILING, "unmix: clustering, 0 %"]


def test_a_warm_run_says_nothing_of_kernels(capsys):
    with progress("explore") as say:
        say("reading the table")
    assert capsys.readouterr().err == "unmix: reading the table, 0 %\n"


def test_a_terminal_shows_the_step_and_how_many_of_all(monkeypatch):
    monkeypatch.setattr(console, "kernel_counts", lambda: {"explore": 2})
    shown = []
    spinner = Spinner(lambda words: shown.append(words.__rich__()), "explore")
    spinner.say("clustering")
    for name in "abc":
        spinner.compile(name)
    spinner.say("writing the report")
    assert shown == [
        "clustering",
        "clustering: compiling (first use) 1 of about 2",
        "clustering: compiling (first use) 2 of about 2",
        "clustering: compiling (first use) 3",  # more than was known
        "writing the report",
    ]


def test_the_spinner_of_a_terminal_listens(monkeypatch):
    class Status:
        shown: list[str] = []

        def __init__(self, *_, **__):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def update(self, words):
            self.shown.append(words.__rich__())

    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setattr("rich.console.Console.status", Status)
    with progress("nothing that is known") as say:
        say("reading")
        tell_compiling("kernel")
    assert Status.shown == ["starting", "reading", "reading: compiling (first use) 1"]


@pytest.mark.parametrize("name", names())
def test_the_number_of_kernels_of_every_first_use_is_known(name):
    assert kernel_counts()[name] >= 0


def test_a_sentence_stays_one_line_and_commands_no_terminal():
    assert clipped("There is no file a\nb\x1b[31m.csv") == "There is no file a\\nb\\x1b[31m.csv"
