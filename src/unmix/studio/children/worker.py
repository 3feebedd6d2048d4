"""One run: do what it asks, tell how far it is, and write the results whole or not at all."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from unmix.cli.terminal.console import clipped
from unmix.cli.terminal.lean_start import load_scikit_learn
from unmix.cli.terminal.stages import SHARES, Stages
from unmix.core.compiled.compiling import watch_compiling
from unmix.io.base.errors import TableError
from unmix.studio.children.commands import mine_roles, separate_signals
from unmix.studio.children.explorer import explore_table
from unmix.studio.children.pipe import Pipe

EVERY = 0.4  # seconds between two words on how far it is
WORK: dict[str, Any] = {"explore": explore_table, "roles": mine_roles, "separate": separate_signals}


def main() -> None:
    pipe = Pipe()
    asked = pipe.hear()
    if asked is None:
        return
    pipe.end_with_server()
    try:
        run(pipe, asked.pop("kind"), asked)
        pipe.say(state="done")
    except TableError as error:
        pipe.say(state="failed", error=str(error))
    except MemoryError:
        pipe.say(state="failed", error="The table does not fit into memory; give fewer rows or columns.")
    except Exception as error:
        traceback.print_exc()
        words = "The run met an error of unmix itself; the terminal in which the studio was started shows where"
        pipe.say(state="failed", error=clipped(f"{words} ({type(error).__name__}: {error})."))


def run(pipe: Pipe, kind: str, asked: dict[str, Any]) -> None:
    stages = Stages(SHARES.get(kind, {}))

    def report_state() -> None:
        known = {"fraction": stages.fraction(), "left": stages.left()} if stages.order else {}
        pipe.say(words=stages.words, **known)

    def begin(words: str) -> None:
        stages.begin(words)
        report_state()

    with again_and_again(report_state):
        begin("starting")
        load_scikit_learn()
        with watch_compiling(lambda name: pipe.say(compiling=name)):
            WORK[kind](begin, **asked)


@contextmanager
def again_and_again(report_state: Any) -> Iterator[None]:
    over = threading.Event()

    def tick() -> None:
        while not over.wait(EVERY):
            report_state()

    threading.Thread(target=tick, daemon=True).start()
    try:
        yield
    finally:
        over.set()


if __name__ == "__main__":
    main()
