"""A disk that fails: too small for what is written, or with an error at the n-th write, sync or rename."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from unmix.core.storage import folder

# Every way in which a command asks the system to keep something.
CALLS = ("fsync", "replace", "rename", "mkdir")


@contextmanager
def no_file_beyond(size: int) -> Iterator[None]:
    """The system writes no file beyond so many bytes: what a full disk is to one file, without a disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


class Failing:
    """Counts calls to the system and fails the one of number ``at``, or only counts."""

    def __init__(self, at: int | None, fail: Callable[[], None]) -> None:
        self.at, self.fail, self.seen = at, fail, 0

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            self.seen += 1
            if self.seen == self.at:
                self.fail()
            return function(*arguments, **options)

        return call


@contextmanager
def failing(at: int | None, fail: Callable[[], None]) -> Iterator[Failing]:
    """Inside, call number ``at`` of those above does what ``fail`` does first."""
    counter = Failing(at, fail)
    patches = [patch.object(os, name, counter(getattr(os, name))) for name in CALLS]
    patches.append(patch.object(folder, "swap", counter(folder.swap)))
    for one in patches:
        one.start()
    try:
        yield counter
    finally:
        for one in patches:
            one.stop()


def input_output_error() -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


def small_disks() -> bool:
    """Whether this user may mount a disk of a few kilobytes for one command, seen by nobody else."""
    if shutil.which("unshare") is None:
        return False
    words = ["unshare", "--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


ONCE = 'mount -t tmpfs -o size={}k tmpfs disk && "$@"; code=$?; ls -A disk >&2; exit $code'
# Written once with room, then the rest of the disk is filled: what stands there must be there afterwards.
AGAIN = """
mount -t tmpfs -o size={}k tmpfs disk && "$@" >first.log 2>&1 || exit 99
sums() {{ (cd disk && find . -type f ! -name filler -exec sha256sum {{}} + | sort); }}
sums >before.txt
cat /dev/zero >disk/filler 2>/dev/null
"$@"
code=$?
sums >after.txt
cmp -s before.txt after.txt || echo "what stood there changed" >&2
exit $code
"""


def on_small_disk(words: list[str], folder: Path, kilobytes: int, how: str = ONCE) -> subprocess.CompletedProcess[str]:
    """A command whose folder ``folder/disk`` is a real disk of so many kilobytes, seen by nobody else."""
    (folder / "disk").mkdir(exist_ok=True)
    line = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", how.format(kilobytes), "sh", *words]
    return subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)
