"""Manners of the command line: progress on standard error, one sentence and exit code 2 for what the user can mend."""

from __future__ import annotations

import atexit
import csv
import json
import math
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import click

from unmix.cli.terminal.stages import SHARES, Stages
from unmix.core.compiled.compiling import watch_compiling

MOST_SEED = 2**32 - 1  # what every generator takes
SEED = click.option(
    "--seed", default=0, show_default=True, type=click.IntRange(0, MOST_SEED), help="Same seed, same answer."
)
FORCE = click.option("--force", is_flag=True, help="Write into a folder that holds files of others too.")
DASK = click.option("--dask", metavar="ADDRESS", help="Work on the dask cluster whose scheduler is there.")
COMPILING = "unmix: compiling for the first use; what is compiled is kept (unmix warm compiles everything)"


class Finite(click.FloatRange):
    """A number within bounds that is neither infinite nor NaN."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{number} is not a finite number.", param, ctx)
        return number


def plain_name(table: str) -> str:
    """Of a file or folder its name without endings, of a pattern that of the folder it begins with."""
    from unmix.io.given import is_pattern

    path = Path(table)
    while is_pattern(path) and path.name:
        path = path.parent
    return (path if path.name else path.absolute()).name.split(".")[0] or "table"


@contextmanager
def on_cluster(address: str | None) -> Iterator[None]:
    """Files are read by the workers of the cluster at this address, if one is given."""
    if address is None:
        yield
        return
    from unmix.io.base.errors import TableError

    try:
        from unmix.core.dask_blocks import connected
    except ImportError:
        raise TableError("--dask needs dask, which is not installed: pip install 'unmix[dask]'.") from None
    from unmix.core.execution import execution

    try:
        with connected(address) as client, execution(executor=client):
            yield
    except (ConnectionError, RuntimeError) as error:
        raise TableError(f"{str(error)[:1].upper()}{str(error)[1:]}.") from None


@contextmanager
def progress(command: str = "") -> Iterator[Callable[[str], None]]:
    """A spinner where there is a terminal to spin on, one line a step elsewhere; both say so when kernels compile."""
    stages = Stages(SHARES.get(command, {}))
    if not sys.stderr.isatty():
        with watch_compiling(at_first(lambda: click.echo(COMPILING, err=True))):
            yield lambda words: click.echo(f"unmix: {stages.begin(words)}", err=True)
        return
    from rich.console import Console

    with Console(stderr=True).status("starting") as status:
        spinner = Spinner(status.update, command, stages)
        status.update(spinner)
        with watch_compiling(spinner.compile):
            yield spinner.say


def at_first(speak: Callable[[], None]) -> Callable[[str], None]:
    """An observer that speaks when it is first told of something."""
    printed: list[str] = []

    def observe(name: str) -> None:
        if not printed:
            speak()
        printed.append(name)

    return observe


class Spinner:
    """The words beside a spinner: the step, how much is done, and while kernels compile how many of those it needs."""

    def __init__(self, show: Callable[[Any], None], command: str, stages: Stages | None = None) -> None:
        self.show, self.compiled, self.command = show, 0, command
        self.stages = stages or Stages({})
        self.compiling = ""

    def __rich__(self) -> str:
        """Asked for some ten times a second, so that the share and the estimate go on within a step."""
        return f"{self.stages.now()}{self.compiling}"

    def say(self, words: str) -> None:
        self.stages.begin(words)
        self.compiling = ""
        self.show(self)

    def compile(self, name: str) -> None:
        self.compiled += 1
        total = kernel_counts().get(self.command, 0)
        of_all = f" of about {total}" if total >= self.compiled else ""
        self.compiling = f": compiling (first use) {self.compiled}{of_all}"
        self.show(self)


@cache
def kernel_counts() -> dict[str, int]:
    """How many kernels the first use of each estimator and command compiles."""
    counts: dict[str, int] = json.loads(Path(__file__).with_name("kernel_counts.json").read_text(encoding="utf-8"))
    return counts


@contextmanager
def user_errors() -> Iterator[None]:
    """Turn what the user can mend into one sentence and exit code 2; a bug keeps its traceback."""
    from unmix.io.base.errors import TableError

    try:
        with tidy_end():
            _check_threads()
            yield
        atexit.register(ignore_interrupts)  # all is written: Ctrl-C while Python tidies up changes nothing
    except TableError as error:
        click.echo(f"unmix: {clipped(str(error))}", err=True)
        sys.exit(2)
    except MemoryError:
        click.echo("unmix: the table does not fit into memory; try it with fewer rows.", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        click.echo("unmix: stopped; nothing was written.", err=True)
        sys.exit(130)


def _check_threads() -> None:
    """Before any work: how many threads are wanted is asked for deep inside it."""
    from unmix.core.threads import default_threads
    from unmix.io.base.errors import TableError

    try:
        default_threads()
    except ValueError as error:
        raise TableError(f"{error}.") from None


def clipped(text: str) -> str:
    """One line in which no word, perhaps given by mistake, fills the screen, and no letter commands the terminal."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return re.sub(r"\S{200,}", lambda word: f"{word[0][:60]} … {word[0][-20:]}", shown)


@contextmanager
def tidy_end() -> Iterator[None]:
    """Asked to end (SIGTERM), end as after an error, so that temporary files go."""
    if threading.current_thread() is not threading.main_thread():  # which alone is told of signals
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def refusals() -> Iterator[None]:
    """What reading and working refuse is the user's to mend; it comes as one sentence already."""
    from unmix.io.base.errors import TableError

    try:
        yield
    except OSError as error:
        named = error.strerror and error.filename is not None
        raise TableError(f"{error.strerror}: {error.filename}" if named else error.strerror or str(error)) from None
    except (ValueError, csv.Error) as error:
        raise TableError(str(error)) from None
