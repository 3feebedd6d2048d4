"""Two names exchanged in one step, where the system can: at no moment is either of them without its folder."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

HERE, EXCHANGE = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of Linux


def swap(one: Path, other: Path) -> bool:
    """Whether each now has the name of the other; False where neither system nor disk can, and nothing is changed."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):  # a C library without it
        return False
    rename.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    return bool(rename(HERE, os.fsencode(one), HERE, os.fsencode(other), EXCHANGE) == 0)
