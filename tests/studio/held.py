"""A run that stands still where a test wants it to, for as long as it wants: no state can pass between two looks.

Python imports `sitecustomize` as it starts. One that is put into the path of a studio asks in the process of a run to
hear of every file that is opened or renamed, and waits there before the one that is meant: nothing of unmix is changed.
"""

import os
from pathlib import Path

from tests.studio.server import SOURCE, wait_for

CUSTOM = """
import sys

if "unmix.studio.children.worker" in sys.orig_argv:
    import time
    from pathlib import Path

    at, seen = Path(__file__).with_name("at"), []

    def listen(event, given):
        if event not in ("open", "os.rename"):
            return
        name = str(given[event == "os.rename"])
        if name == str(at) or not at.is_file():  # to read it is to open a file
            return
        what, ending, times = at.read_text().split()
        if event != what or not name.endswith(ending):
            return
        seen.append(name)
        if len(seen) == int(times):
            at.with_name("held").touch()
            while at.is_file():
                time.sleep(0.01)

    sys.addaudithook(listen)
"""


class Hold:
    """Where the process of a run waits: before it opens a file, or gives one its name, by the ending of that name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        (folder / "sitecustomize.py").write_text(CUSTOM)
        self.path = os.pathsep.join([str(folder), str(SOURCE)])

    def before_opening(self, ending: str) -> None:
        self._at("open", ending, 1)

    def before_naming(self, ending: str, times: int) -> None:
        """One such file; those before it have their names."""
        self._at("os.rename", ending, times)

    def _at(self, *words: object) -> None:
        (self.folder / "scratch").write_text(" ".join(map(str, words)))
        (self.folder / "scratch").replace(self.folder / "at")

    def reached(self) -> None:
        """Return once the run that was started stands there."""
        wait_for((self.folder / "held").is_file)

    def release(self) -> None:
        """Whoever stands there goes on, and the next ones are not held."""
        (self.folder / "at").unlink()
        (self.folder / "held").unlink(missing_ok=True)
