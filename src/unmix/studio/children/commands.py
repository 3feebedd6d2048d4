"""Runs of `unmix roles` and `unmix separate`: the commands' own functions, where their files lie side by side."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from unmix.cli.terminal.console import refusals
from unmix.studio.children.checkpoints import going_on_or_anew
from unmix.studio.store.options import checked


@contextmanager
def beside_each_other(files: dict[str, str]) -> Iterator[None]:
    """The folder where these files, by name, are: what is written of their names is then what the command writes."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        for name, path in files.items():
            try:
                (Path(folder) / name).symlink_to(path)
            except OSError:  # a system that lets nobody link
                (Path(folder) / name).write_bytes(Path(path).read_bytes())
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def mine_roles(
    begin: Callable[[str], None], files: dict[str, str], folder: str, checkpoints: str, arguments: list[str]
) -> None:
    """It has no checkpoints: an exact search has no state that is worth as much as the time it took."""
    from unmix.cli.roles.output import save
    from unmix.cli.roles.run import run

    asked = checked("roles", arguments)
    access, attributes, risk = (asked.pop(name) for name in ("access", "attributes", "risk"))
    del asked["out"], asked["force"]
    with beside_each_other(files):
        tree, held, _ = run(access, attributes, risk, asked, begin)
        begin("writing the report")
        save(tree, held, Path(folder))


def separate_signals(
    begin: Callable[[str], None], files: dict[str, str], folder: str, checkpoints: str, arguments: list[str]
) -> None:
    from unmix.cli.separate import run, save

    asked = checked("separate", arguments)
    given = asked.pop("files")
    del asked["out"], asked["force"]
    with beside_each_other(files), refusals():
        tree, parts = going_on_or_anew(Path(checkpoints) / "search", lambda path: run(given, asked, begin, path))
        begin("writing the report")
        save(tree, parts, Path(folder), given)
