"""The column of a table that is the clock, not a channel: it rises in equal steps, and says the sample rate."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

CLOCK = re.compile(r"(t|times?|time[ _-]?stamps?|zeit|temps|seconds?|secs?|millis\w*|micros\w*|clock|date ?time)", re.I)
COUNTER = re.compile(r"(index|idx|row|n|i|nr|no|samples?|frames?|unnamed.*|#)?", re.I)
UNIT = re.compile(
    r"^(.*?)[ _]*[\[(/ _]\s*(s|secs?|seconds?|ms|millis\w*|us|µs|μs|micros\w*|min|minutes?|h|hours?)\s*[\])]?$", re.I
)
SECONDS = {"s": 1.0, "ms": 1e-3, "mil": 1e-3, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "mic": 1e-6, "min": 60.0, "h": 3600.0}


class Clock(NamedTuple):
    """The rate in rows per second, None where steps are unequal or not of time, and a sentence about it."""

    rate: float | None
    note: str


def read_clock(name: str, values: np.ndarray, leading: bool) -> Clock | None:
    """The clock this column is, or None for a channel; a ramp without a name for it counts only in the first column."""
    if len(values) < 3 or not np.isfinite(values).all() or not (np.diff(values) > 0).all():
        return None
    stem, seconds = unit(name.strip())
    timed, counts = CLOCK.fullmatch(stem), COUNTER.fullmatch(stem)
    step = (values[-1] - values[0]) / (len(values) - 1)
    # the line through first and last moment, so that times printed with few digits still count as equal steps
    even = bool((np.abs(values - values[0] - step * np.arange(len(values))) < 0.5 * step).all())
    if not timed and not (leading and even):
        return None
    if timed and not even:
        reason = "its steps are not equal, so frequencies are given in cycles per row"
        return Clock(None, f"Column {name!r} is the time and was left out; {reason}.")
    if not timed:
        what = "counts the rows" if counts else "rises in equal steps like a clock"
        return Clock(None, f"Column {name!r} {what} and was left out.")
    rate = float(f"{1 / (step * seconds):.6g}")
    return Clock(rate, f"Column {name!r} is the time and was left out; its steps say {rate:,.6g} Hz.")


def unit(name: str) -> tuple[str, float]:
    """The name without its unit, and the unit in seconds.

    >>> unit("time (ms)"), unit("t"), unit("milliseconds")
    (('time', 0.001), ('t', 1.0), ('milliseconds', 0.001))
    """
    found = UNIT.match(name)
    stem, ending = (found[1], found[2]) if found and found[1] else (name, name)
    ending = ending.lower()
    for known in ("mil", "mic", "min", "ms", "us", "µs", "μs", "h"):
        if ending == known or (len(known) == 3 and ending.startswith(known)) or (known == "h" and ending[:4] == "hour"):
            return stem, SECONDS[known]
    return stem, 1.0
