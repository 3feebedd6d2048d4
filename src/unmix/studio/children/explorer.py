"""One run: explore a table as `unmix explore` does, tell how far it is, and write the results whole or not at all."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from unmix.cli.lean_start import load_scikit_learn
from unmix.cli.stages import SHARES, Stages
from unmix.core.compiling import watch_compiling
from unmix.io.errors import TableError
from unmix.studio.children.pipe import Pipe

EVERY = 0.4  # seconds between two words on how far it is


def main() -> None:
    pipe = Pipe()
    asked = pipe.hear()
    if asked is None:
        return
    pipe.end_with_server()
    try:
        run(pipe, **asked)
        pipe.say(state="done")
    except TableError as error:
        pipe.say(state="failed", error=str(error))
    except MemoryError:
        pipe.say(state="failed", error="The table does not fit into memory; give fewer rows or columns.")


def run(pipe: Pipe, table: str, folder: str, command: str, settings: dict[str, Any]) -> None:
    stages, over = Stages(SHARES["explore"]), threading.Event()

    def tell() -> None:
        pipe.say(words=stages.words, fraction=stages.fraction(), left=stages.left())

    def tick() -> None:
        while not over.wait(EVERY):
            tell()

    def begin(words: str) -> None:
        stages.begin(words)
        tell()

    threading.Thread(target=tick, daemon=True).start()
    begin("starting")
    load_scikit_learn()
    from unmix.exploration.explore import explore

    try:
        with watch_compiling(lambda name: pipe.say(compiling=name)):
            findings = explore(table, progress=begin, command=command, **settings)
            begin("writing the report")
            findings.save(Path(folder))
    finally:
        over.set()


if __name__ == "__main__":
    main()
