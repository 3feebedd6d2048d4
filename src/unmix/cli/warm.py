"""`unmix warm` compiles every kernel once, so that no later first use waits for it.

Exit codes: 0 all is compiled, 1 something could not be (it is named), 2 there is no place to keep kernels.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import click

from unmix.core.compiled.compiling import watch_compiling


@dataclass(frozen=True)
class Warmed:
    """What one use compiled, and the error that ended it, if any."""

    name: str
    kernels: int
    error: str = ""


@click.command(short_help="Compile every kernel once.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes at once.  [default: as many as processors]")
@click.option("--only", help="Families, estimators or commands, with commas: cluster,density.GaussianMixture,explore")
def warm(jobs: int | None, only: str | None) -> None:
    """Compile every kernel once: for images, clusters and CI, or before a demonstration.

    Runs small examples of every estimator, command and function, in double and single precision. They are kept in the
    folder ``unmix`` of NUMBA_CACHE_DIR if that is set, else in your cache folder, and are found there until their
    source, Python, numba or the processor changes.

    \b
    unmix warm
    unmix warm --only explore --jobs 1
    NUMBA_CACHE_DIR=/opt/kernels unmix warm
    """
    from unmix.core.compiled.kernel_cache import cache_folder
    from unmix.core.threads import default_threads

    names, folder, begun = chosen(only), cache_folder(), time.perf_counter()
    if folder is None:
        click.echo("unmix: there is no folder to keep kernels in; set NUMBA_CACHE_DIR to one.", err=True)
        sys.exit(2)
    done = []
    with bar(len(names)) as show:
        for result in run(names, jobs or default_threads()):
            done.append(result)
            show(result)
    count, seconds = sum(result.kernels for result in done), time.perf_counter() - begun
    click.echo(f"Compiled {count} kernels in {seconds:.0f} s; kept in {folder}")
    for result in done:
        if result.error:
            click.echo(f"unmix: {result.name} could not be run: {result.error}", err=True)
    sys.exit(1 if any(result.error for result in done) else 0)


def chosen(only: str | None) -> list[str]:
    """The names that are meant: a family stands for its estimators."""
    from unmix.cli.first_uses import names

    every = names()
    if only is None:
        return every
    wanted = [word.strip() for word in only.split(",") if word.strip()]
    for word in wanted:
        if not any(word in (name, name.partition(".")[0]) for name in every):
            families = sorted({name.partition(".")[0] for name in every})
            raise click.UsageError(
                f"--only {word!r} is none of {', '.join(families)}, nor an estimator like {every[-1]}."
            )
    return [name for name in every if name in wanted or name.partition(".")[0] in wanted]


def run(names: list[str], jobs: int) -> Iterator[Warmed]:
    """Use each in one of several processes, which live on: what they have compiled they need not load."""
    if jobs == 1 or len(names) == 1:
        yield from map(warm_up, names)
        return
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    with ProcessPoolExecutor(min(jobs, len(names)), get_context("spawn"), initializer=one_thread) as pool:
        for future in as_completed([pool.submit(warm_up, name) for name in names]):
            yield future.result()


def one_thread() -> None:
    """Processes side by side take one thread each."""
    import os

    os.environ["UNMIX_NUM_THREADS"] = "1"


def warm_up(name: str) -> Warmed:
    from unmix.cli.first_uses import every_use

    heard: list[str] = []
    with watch_compiling(heard.append):
        try:
            every_use(name)
        except Exception as error:  # the others are warmed all the same, and this one is named at the end
            return Warmed(name, len(heard), f"{type(error).__name__}: {error}")
    return Warmed(name, len(heard))


@contextmanager
def bar(total: int) -> Iterator[Callable[[Warmed], Any]]:
    """A bar where there is a terminal, one line a use elsewhere."""
    if not sys.stderr.isatty():
        yield lambda result: click.echo(f"unmix: {result.name}: {result.kernels} kernels", err=True)
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("compiling", total=total)
        yield lambda result: progress.update(task, advance=1, description=f"compiled {result.name}")
