"""Manners of the command line: progress on standard error, one sentence and exit code 2 for what the user can mend."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """A spinner where there is a terminal to spin on, one line a step elsewhere."""
    if not sys.stderr.isatty():
        yield lambda words: click.echo(f"unmix: {words}", err=True)
        return
    from rich.console import Console

    with Console(stderr=True).status("starting") as status:
        yield lambda words: status.update(words)


@contextmanager
def user_errors() -> Iterator[None]:
    """Turn what the user can mend into one sentence and exit code 2; a bug keeps its traceback."""
    from unmix.io.errors import TableError

    try:
        yield
    except TableError as error:
        click.echo(f"unmix: {error}", err=True)
        sys.exit(2)
    except MemoryError:
        click.echo("unmix: the table does not fit into memory; try it with fewer rows.", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        click.echo("unmix: stopped; nothing was written.", err=True)
        sys.exit(130)


@contextmanager
def refusals() -> Iterator[None]:
    """What reading and working refuse is the user's to mend; it comes as one sentence already."""
    from unmix.io.errors import TableError

    try:
        yield
    except OSError as error:
        raise TableError(f"{error.strerror}: {error.filename}" if error.strerror else str(error)) from None
    except (ValueError, csv.Error) as error:
        raise TableError(str(error)) from None
