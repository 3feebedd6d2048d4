"""The command line: one command a file, all of them joined here.

Standard output carries the answer, standard error the progress and the complaints.
Exit codes: 0 answered, 2 something about the input (one sentence says what), 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import atexit
import os
import sys
from typing import Any

import click

from unmix import __version__
from unmix.cli.assign import assign
from unmix.cli.compare import compare
from unmix.cli.explore import explore
from unmix.cli.images import background, denoise, inpaint
from unmix.cli.roles.command import roles
from unmix.cli.select import select
from unmix.cli.separate import separate
from unmix.cli.studio import studio
from unmix.cli.terminal.streams import is_stuck, make_writable
from unmix.cli.warm import warm


class Commands(click.Group):
    """Ends as soon as everything is written, where it is the whole of its process."""

    def main(self, args: Any = None, *more: Any, **settings: Any) -> Any:
        if args is not None:  # called from Python
            return super().main(args, *more, **settings)
        make_writable()
        try:
            return super().main(args, *more, **settings)
        except SystemExit as end:
            if end.code is None or isinstance(end.code, int):
                _leave(end.code or 0)
            raise
        except OSError as error:
            if not is_stuck(error):
                raise
            click.echo(f"unmix: standard output cannot be written to ({error.strerror}).", err=True)
            atexit._run_exitfuncs()
            os._exit(2)


def _leave(code: int) -> None:
    """End the process without taking it to pieces, which takes longer than many a command; what must be done, is."""
    atexit._run_exitfuncs()
    try:  # what they said, too
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):  # nobody reads: Python says so as it ends
        return
    os._exit(code)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="unmix %(version)s")
def main() -> None:
    """Take data apart into the structure that made it, and say how much of that structure is real."""


for command in (explore, assign, compare, select, studio, roles, separate, denoise, inpaint, background, warm):
    main.add_command(command)
