"""Places that are no plain files: links, pipes, devices, folders, names with line ends, what belongs to others.

All of them are made inside the folder of the harness, devices too: what is tried must not reach the machine's own.
"""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.faults.commands import prepare, state_of
from tests.faults.part import Case

ROOT = Path(__file__).parents[2]
NOBODY = 65534
SECONDS = 600  # a case that waits for a pipe or reads a device without end is ended
DEVICES = {"null": (1, 3), "zero": (1, 5), "full": (1, 7)}
PYTHON = """
import sys
import numpy as np
import unmix
from unmix.cluster import KMeans
X, what, place = np.arange(40.0).reshape(20, 2), sys.argv[1], sys.argv[2]
try:
    if what == "load":
        unmix.load(place)
    elif what == "save":
        KMeans(2, random_state=0).fit(X).save(place)
    else:
        with unmix.execution(checkpoint=place, checkpoint_seconds=0):
            KMeans(2, random_state=0).fit(X)
except (ValueError, OSError) as error:
    print("unmix:", ascii(str(error)), file=sys.stderr)  # what a program does with the words is its own
    sys.exit(2)
"""
WRITES = (
    ["explore", "x.csv", "--max-k", "2", "--out", "{}"],
    ["roles", "access.csv", "--out", "{}"],
    ["separate", "x.wav", "--out", "{}"],
    ["background", "video.npy", "--out", "{}"],
    ["assign", "first", "x.csv", "--out", "{}"],
    ["denoise", "x.png", "--sigma", "5", "--out", "{}.png"],
)
READS = (
    ["explore", "{}.csv", "--json"],
    ["roles", "{}.csv"],
    ["separate", "{}.wav"],
    ["denoise", "{}.png", "--out", "new.png"],
    ["background", "{}.npy", "--out", "new"],
    ["compare", "first", "{}.csv"],
    ["explore", "--replay", "{}", "x.csv"],
    ["roles", "why", "{}", "ann", "a"],
    ["assign", "{}", "x.csv"],
)


def places(folder: Path, short: bool) -> Iterator[Case]:
    prepare(folder)
    made = make(folder)
    writes, reads = (WRITES[:1], READS[:1]) if short else (WRITES, READS)
    for place in made[::4] if short else made:
        for what in ("load",) if short else ("load", "save", "checkpoint"):
            yield f"{what} {place!a}", _tried(folder, place, ["-c", PYTHON, what, place])
        for words in writes:
            yield from _command(folder, words, place)
    for place in [name for name in ("zero", "null", "dangling", "loop", "folder", "a\nb") if name in made]:
        for words in reads:
            yield from _command(folder, words, place)
    if not short and os.getuid() == 0 and runs_as(NOBODY):
        yield from _others(folder)


def make(folder: Path) -> list[str]:
    """Every odd place, also under the names that readers know by their endings."""
    names = ["pipe", "dangling", "loop", "folder", "linked", "a\nb", "\x1b[31m"]
    for ending in ("", ".csv", ".wav", ".png", ".npy"):
        os.mkfifo(folder / f"pipe{ending}")
        (folder / f"dangling{ending}").symlink_to("nowhere")
        (folder / f"loop{ending}").symlink_to(f"loop{ending}")
        (folder / f"folder{ending}").mkdir()
        (folder / f"linked{ending}").symlink_to(f"folder{ending}")
        if os.getuid() == 0:
            for name, (major, minor) in DEVICES.items():
                os.mknod(folder / f"{name}{ending}", 0o666 | stat.S_IFCHR, os.makedev(major, minor))
    return names + (list(DEVICES) if os.getuid() == 0 else [])


def _command(folder: Path, words: list[str], place: str) -> Iterator[Case]:
    given = [word.replace("{}", place) for word in words]
    yield f"unmix {' '.join(given)!a}", _tried(folder, place, ["-m", "unmix", *given])


def _tried(folder: Path, place: str, words: list[str], user: int | None = None) -> str | None:
    """An answer or a sentence, in time; links, pipes and devices are there as before."""
    before = kinds(folder)
    problem = _ended(folder, words, user)
    after = kinds(folder)
    gone = [name for name, kind in before.items() if not stat.S_ISDIR(kind) and after.get(name) != kind]
    return problem or (f"{gone[0]!a} is no longer what it was" if gone else None)


def _ended(folder: Path, words: list[str], user: int | None) -> str | None:
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            [sys.executable, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, errors="replace", timeout=SECONDS, check=False, user=user, preexec_fn=little_memory,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"no end within {SECONDS} seconds"
    last = done.stderr.rstrip("\n").rpartition("\n")[2]
    if done.returncode == 0 or (
        done.returncode == 2 and last.startswith(("unmix: ", "Error: ")) and last.isprintable()
    ):
        return None
    return f"exit code {done.returncode}: {last[-200:]!a}"


def little_memory() -> None:
    """In the new process: what reads without end is told so after a few gigabytes."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (6 * 2**30, resource.getrlimit(resource.RLIMIT_AS)[1]))


def kinds(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IFMT(path.lstat().st_mode) for path in folder.iterdir()}


def _others(folder: Path) -> Iterator[Case]:
    """As another user, who may not write here: refused in one sentence, and nothing is changed."""
    for words in WRITES:
        before = state_of_plain(folder)
        given = [word.replace("{}", "first") for word in words]
        problem = _ended(folder, ["-m", "unmix", *given], NOBODY)
        yield (
            f"another user: {' '.join(given)}",
            problem or (None if state_of_plain(folder) == before else "something changed"),
        )


def runs_as(user: int) -> bool:
    """Whether another user may start this Python at all."""
    try:
        done = subprocess.run([sys.executable, "-c", "import numpy"], user=user, capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


def state_of_plain(folder: Path) -> dict[str, bytes | None]:
    return state_of(folder / "first") | dict.fromkeys(kinds(folder))
