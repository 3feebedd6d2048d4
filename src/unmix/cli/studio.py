"""`unmix studio` opens explore, roles and separate in the browser; its server is an extra, and loaded here only."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import click

from unmix.cli.terminal.console import DASK, refusals, user_errors
from unmix.cli.terminal.lean_start import load_scikit_learn

MISSING = "unmix: the studio needs a web server, which is an extra; install it: pip install 'unmix[studio]'"


@click.command(short_help="Take a table apart in the browser.")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--port", default=0, type=click.IntRange(0, 65535), help="Port on 127.0.0.1.  [default: any free one]")
@click.option("--no-browser", is_flag=True, help="Only print the link.")
@click.option(
    "--workspace", type=click.Path(path_type=Path, file_okay=False), default=Path("unmix-studio"), show_default=True,
    help="Folder for tables, runs and groups.",
)  # fmt: skip
@DASK
def studio(file: Path | None, port: int, no_browser: bool, workspace: Path, dask: str | None) -> None:
    """Take a table apart in the browser: rows into groups, access into roles, mixed signals into sources.

    Everything stays on this machine: the page is served to this machine alone, and nothing is loaded from elsewhere.

    \b
    unmix studio
    unmix studio penguins.csv --workspace penguins
    unmix studio --dask tcp://10.0.0.1:8786
    """
    if not all(map(find_spec, ("starlette", "uvicorn"))):
        click.echo(MISSING, err=True)
        sys.exit(2)
    load_scikit_learn()
    with user_errors(), refusals():
        # The studio stands above the commands and uses them, so it is looked up by name.
        serve = import_module("unmix.studio.serve").serve
        serve(file, port, not no_browser, workspace, lambda words: click.echo(words, err=True), dask)
