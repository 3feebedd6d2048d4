"""The command line: one command a file, all of them joined here.

Standard output carries the answer, standard error the progress and the complaints.
Exit codes: 0 answered, 2 something about the input (one sentence says what), 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import click

from unmix import __version__
from unmix.cli.assign import assign
from unmix.cli.compare import compare
from unmix.cli.explore import explore
from unmix.cli.images import background, denoise, inpaint
from unmix.cli.roles import roles
from unmix.cli.separate import separate
from unmix.cli.warm import warm


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="unmix %(version)s")
def main() -> None:
    """Take data apart into the structure that made it, and say how much of that structure is real."""


for command in (explore, assign, compare, roles, separate, denoise, inpaint, background, warm):
    main.add_command(command)
