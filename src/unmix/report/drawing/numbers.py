"""Numbers and cells as a reader wants them: few digits, grouped thousands, a dash where there is nothing."""

from __future__ import annotations

import math
import re
from itertools import pairwise
from typing import Any, TypeGuard

from unmix.report.drawing.markup import Markup, element, join

NO_VALUE = "–"
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
LONGEST_CELL = 80


def is_number(value: Any) -> TypeGuard[float]:
    """A finite number, not a truth value."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def number(value: Any, digits: int = 4) -> str:
    """`digits` significant digits, thousands grouped, powers of ten where plain digits would be unreadable."""
    if not is_number(value):
        return NO_VALUE
    if isinstance(value, int) and abs(value) < 10**12:
        return minus(f"{value:,}")
    value = float(value)
    if value == 0:
        return "0"
    exponent = math.floor(math.log10(abs(value)))
    if exponent < -4 or exponent >= 9:
        mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
        return minus(f"{mantissa.rstrip('0').rstrip('.')}×10{str(int(power)).translate(SUPERSCRIPT)}")
    shown = f"{value:,.{max(0, digits - 1 - exponent)}f}"
    return minus(shown.rstrip("0").rstrip(".") if "." in shown else shown)


def minus(shown: str) -> str:
    """A true minus sign instead of a hyphen at the front."""
    return f"−{shown[1:]}" if shown.startswith("-") else shown


def true_minus(words: str) -> str:
    """The same inside a sentence: a hyphen before a digit that follows no letter or digit."""
    return re.sub(r"(?<![\w-])-(?=\d)", "−", words)


def unbroken(words: str) -> str:
    """Numbers stay on one line with their sign, error, unit or name."""
    return re.sub(r"(?<=±) | (?=[±%])|(?<=\b[pK]) (?=[=<≤])|(?<=\b[pK] [=<≤]) ", "\N{NO-BREAK SPACE}", words)


def percent(fraction: Any) -> str:
    """A share in percent: one digit below ten, never rounded to a false 0 or 100."""
    if not is_number(fraction):
        return NO_VALUE
    share = 100 * fraction
    if 0 < share < 0.1:
        shown = "< 0.1"
    elif 99.5 <= share < 100:
        shown = "> 99"
    else:
        shown = f"{share:.1f}".removesuffix(".0") if share < 10 else f"{share:.0f}"
    return f"{shown} %".replace(" ", "\N{NO-BREAK SPACE}")


def count(n: Any, noun: str, plural: str | None = None) -> str:
    """`3 rows`, `1 row`."""
    return f"{number(n)} {noun if n == 1 else plural or noun + 's'}"


def size(n_bytes: Any) -> str:
    """A file's size in the unit that keeps it short."""
    if not is_number(n_bytes):
        return NO_VALUE
    amount = float(n_bytes)
    for unit in ("bytes", "kB", "MB", "GB"):
        if amount < 1000 or unit == "GB":
            break
        amount /= 1000
    return f"{number(amount, 3)} {unit}"


def clip(value: Any, longest: int = LONGEST_CELL) -> str:
    """Text cut to a length that fits a table."""
    shown = str(value)
    return shown if len(shown) <= longest else shown[: longest - 1].rstrip() + "…"


LETTER = r"[^\s_.\-/:]"
BREAK = re.compile(rf"(?:{LETTER}{{24}}|[_.\-/:]+)(?={LETTER})")


def both_ends(name: str, most: int = LONGEST_CELL) -> str:
    """A long name without its middle: names of one table often begin alike, and say what they are at their ends.

    >>> both_ends("how satisfied are you with the price", 16)
    'how satis… price'
    """
    tail = (most - 1) * 2 // 5
    return name if len(name) <= most else f"{name[: most - 1 - tail]}…{name[-tail:]}"


def breakable(name: Any) -> Markup:
    """A name that may be broken after _ . - / : or 24 letters of one word, so that it never widens a table."""
    words = clip(name)
    cuts = [0, *(found.end() for found in BREAK.finditer(words)), len(words)]
    return join((words[a:b] for a, b in pairwise(cuts)), element("wbr"))


def cell(value: Any) -> Markup | str:
    """A table cell's value: whole numbers as they are (2007 may be a year), others shortened, missing marked."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return element("span", NO_VALUE, class_="nothing", title="missing")
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value, 6) if isinstance(value, float) else clip(minus(str(value)) if is_number(value) else value)
