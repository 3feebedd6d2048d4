"""What a process left behind that was killed: told by the number of the process in its name, and by its age."""

from __future__ import annotations

import os
import re
import shutil
import time
from contextlib import suppress
from pathlib import Path

OLD = 24 * 3600.0  # seconds, as the number in a name may be that of a process on another machine


def remove_abandoned(folder: Path, pattern: str) -> None:
    """Remove files and folders whose whole name is of this pattern, with the number of their process as its group."""
    with suppress(OSError):
        for path in folder.iterdir():
            found = re.fullmatch(pattern, path.name)
            with suppress(OSError):
                if found and time.time() - path.lstat().st_mtime > OLD and not is_running(int(found[1])):
                    _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink()


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
