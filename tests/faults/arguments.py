"""Every option of every command with values that nobody should give: an answer, or one sentence and exit code 2."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import click

from tests.faults.commands import given_of, invoke, options_of, prepare, unclear
from tests.faults.part import Case
from tests.forms import spread

NUMBERS = ("-1", "0", "1", "1e309", "nan", "x", "", "99999999999999999999", "1.5", "-inf")
WORDS = (
    "",
    " ",
    "nowhere",
    "a",
    "a=b",
    "=",
    "../..",
    "\x1b[31m",
    "é\u202e",
    "x" * 5000,
    "<b>",
    "-",
    "\udcff",
    "{}",
    "1",
)
# What is read may be anything on the machine. What is written stays in the folder: a harness that is run by root and
# names a device would put a file in its place where a guard fails.
PATHS = ("", "nowhere/deep/x.csv", ".", "/dev/null", "/proc/self/mem", "loop", "x.csv", "-", "x" * 300, "\udcff", "~")
OUTPUTS = ("", "nowhere/deep/out", ".", "loop", "x.csv", "x" * 300, "x.csv/out", "~")


def values_of(parameter: click.Parameter) -> tuple[str, ...]:
    if isinstance(parameter.type, click.types.IntParamType | click.types.FloatParamType):
        return NUMBERS
    if parameter.name == "out":
        return OUTPUTS
    if isinstance(parameter.type, click.Path) or parameter.param_type_name == "argument":
        return PATHS
    return ("", "x", "AUTO") if isinstance(parameter.type, click.Choice) else WORDS


def lines() -> Iterator[list[str]]:
    """Command lines: each option with each value after a good line, each argument replaced, options twice, none."""
    for words, command in options_of():
        good = given_of(words)
        yield words
        yield [*good, "--no-such-option"]
        yield [*good, "one", "more", "argument"]
        place = len(words)
        for parameter in command.params:
            if parameter.param_type_name == "argument":
                for value in values_of(parameter):
                    yield [*good[:place], value, *good[place + 1 :]]
                place += 1
            elif parameter.is_flag:  # type: ignore[attr-defined]
                yield [*good, parameter.opts[-1]]
            else:
                yield [*good, parameter.opts[-1]]  # without its value
                for value in values_of(parameter):
                    yield [*good, f"{parameter.opts[-1]}={value}" if parameter.opts[-1].startswith("--") else value]


def is_wanted(words: list[str]) -> bool:
    """`warm` compiles for minutes and `studio` serves until it is stopped: they are asked only what they refuse."""
    refused = ("--no-such-option", "argument", "--jobs=0", "--jobs=x", "--only=nowhere")
    return words[:1] not in (["warm"], ["studio"]) or words[-1] in refused


def arguments(folder: Path, short: bool) -> Iterator[Case]:
    prepare(folder)
    (folder / "loop").symlink_to("loop")
    wanted = [words for words in lines() if is_wanted(words)]
    chosen = sorted(wanted, key=lambda words: spread(" ".join(map(ascii, words))))[:24] if short else wanted
    for words in chosen:
        result = invoke(words, folder)
        yield f"unmix {' '.join(words)[:90]!a}", unclear(result)
        for out in ("out", "one", "x"):
            shutil.rmtree(folder / out, ignore_errors=True)
