"""Standard streams that can be written to: some may be closed when a command starts, or know few letters."""

from __future__ import annotations

import codecs
import errno
import io
import json
import os
import sys


def make_writable() -> None:
    """Give closed streams somewhere to go, and let letters that an output cannot show be written in others.

    A file that is opened later would otherwise get the number of a closed stream, and what is printed to that with it.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free, which is this one
    codecs.register_error("unmix", _escaped)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 for as long as the process lives
        elif isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="unmix")


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """Letters as JSON writes them in ASCII, so that JSON on standard output stays the same values."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


def is_stuck(error: OSError) -> bool:
    """Whether an error is that of a stream with no room left: those of files have been told with their names."""
    return error.filename is None and error.errno in (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EFBIG)
