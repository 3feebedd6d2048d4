"""Full and failing disks under every command: one sentence, and what stood there as it was."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from tests.faults.broken_disk import AGAIN, failing, input_output_error, no_file_beyond, on_small_disk, small_disks
from tests.faults.commands import COMMANDS, OUT, WRITING, invoke, prepare, state_of, unclear
from tests.faults.part import Case

EARLIER = {"explore": ["--seed", "5"], "roles": ["--seed", "5"], "separate": ["--n-components", "2"]}
SIZES = (0, 1, 100, 2000, 20_000, 200_000)


def disk(folder: Path, short: bool) -> Iterator[Case]:
    prepare(folder)
    for name in WRITING[:1] + WRITING[2:4] if short else WRITING:
        for earlier in (False, True):  # with nothing there, and over the results of an earlier run
            _fresh(folder, name, earlier)
            for size in SIZES[1::3] if short else SIZES:
                yield (
                    f"{name}, no file beyond {size} bytes{', again' * earlier}",
                    _kept(name, folder, lambda size=size: no_file_beyond(size)),
                )
            with failing(None, input_output_error) as counted:
                invoke(COMMANDS[name], folder)
            _fresh(folder, name, earlier)
            for at in range(1, counted.seen + 1, 3 if short else 1):
                yield (
                    f"{name}, input/output error at call {at}{', again' * earlier}",
                    _kept(name, folder, lambda at=at: failing(at, input_output_error)),
                )
    if not short and small_disks():
        yield from _small(folder)


def _fresh(folder: Path, name: str, earlier: bool) -> None:
    """The folder without results of this command, or with those of an earlier run of other settings."""
    for out in set(OUT.values()):
        shutil.rmtree(folder / out, ignore_errors=True)
        (folder / out).unlink(missing_ok=True)
    if earlier:
        invoke([*COMMANDS[name], *EARLIER.get(name, [])], folder)


def _kept(name: str, folder: Path, broken: Callable[[], AbstractContextManager[object]]) -> str | None:
    """Where the command fails, nothing that was there changed; where it does not, it must have written."""
    before = state_of(folder)
    with broken():
        result = invoke(COMMANDS[name], folder)
    if problem := unclear(result):
        return problem
    after = state_of(folder)
    if result.exit_code == 0:
        return _put_back(name, folder, before) if _whole(after, before, name) else "it said 0, and results are missing"
    return None if after == before else f"it failed, and {_changed(before, after)} changed"


def _whole(after: dict[str, bytes | None], before: dict[str, bytes | None], name: str) -> bool:
    """All that a run without faults writes is there, and not empty."""
    held = [content for path, content in after.items() if path.split("/")[0] == OUT[name]]
    return bool(held) and all(content is None or len(content) for content in held)


def _put_back(name: str, folder: Path, before: dict[str, bytes | None]) -> None:
    _fresh(folder, name, earlier=OUT[name] in before)


def _changed(before: dict[str, bytes | None], after: dict[str, bytes | None]) -> str:
    return ", ".join(sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))[:4])


def _small(folder: Path) -> Iterator[Case]:
    """Real disks of a few kilobytes, in a name space of their own."""
    for name in WRITING:
        words = [word.replace("out", "disk/out") if word.startswith("out") else word for word in COMMANDS[name]]
        for kilobytes in (4, 16, 64):
            done = on_small_disk([sys.executable, "-m", "unmix", *words], folder, kilobytes)
            yield f"{name} on a disk of {kilobytes} KiB", _told(done, (0, 2))
        done = on_small_disk([sys.executable, "-m", "unmix", *words], folder, 4096, AGAIN)
        yield f"{name} over older results on a disk that is full", _told(done, (2,))
    for what in ("fit", "save", "checkpoint"):
        for kilobytes in (4, 16):
            done = on_small_disk([sys.executable, "-c", PYTHON, what], folder, kilobytes)
            yield f"{what} on a disk of {kilobytes} KiB", _told(done, (0,) if what == "checkpoint" else (2,))


def _told(done: subprocess.CompletedProcess[str], codes: tuple[int, ...]) -> str | None:
    """After a failure the sentence is the last line: nothing was left on the disk, and nothing changed there."""
    lines = done.stderr.strip().splitlines()
    clear = done.returncode in codes and (done.returncode == 0 or (lines and lines[-1].startswith("unmix: ")))
    return None if clear else f"{done.returncode}: {lines[-3:]}"


# A table of text that is written out as numbers while it is used, a model, and a fit whose checkpoints find no room.
PYTHON = """
import os, sys, warnings
warnings.simplefilter("ignore")
os.environ["TMPDIR"] = os.path.abspath("disk")
import numpy as np, unmix
from unmix.cluster import KMeans
X = np.random.default_rng(0).normal(size=(2000, 8))
try:
    if sys.argv[1] == "fit":
        np.savetxt("numbers.csv", X, delimiter=",", header="a,b,c,d,e,f,g,h", comments="")
        KMeans(2, random_state=0).fit("numbers.csv")
    elif sys.argv[1] == "save":
        KMeans(400, random_state=0, max_iter=2).fit(X).save("disk/model.unmix")
    else:
        with unmix.execution(checkpoint="disk/fit.checkpoint", checkpoint_seconds=0):
            KMeans(400, random_state=0).fit(X)
except OSError as error:
    print("unmix:", error, file=sys.stderr)
    sys.exit(2)
"""
