"""What a column's name says of it: weak evidence, which only counts where the values allow it.

A name is cut into words at blanks, marks and capital letters: peak_hour → peak hour, customerID → customer id.
"""

from __future__ import annotations

import re

_numbered = re.compile(r"column \d+")  # a name we gave ourselves says nothing
_part = re.compile(r"[A-Z]?[a-zà-öø-ÿ]+|[A-Z]+(?![a-z])|\d+")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


IDENTIFIER = _set("id idx idno idnum index nr no key uid uuid guid pid rowid rownames rowname unnamed")
YEAR = _set("year yr jahr année annee año anno decade")
# What a time counted in seconds is called.
CLOCK = _set("time timestamp datetime date ts unix epoch created updated modified seen at")
TARGET = _set("target class label outcome diagnosis")
TARGET_OF_FEW = _set("y")  # of few levels, beside no x: with one it is a place
LATITUDE = _set("lat latitude")
LONGITUDE = _set("lon long lng longitude")
# What a category is called, so that whole numbers under it are codes.
CODE = _set(
    "code iso fips zip zipcode postcode plz id type kind category class cluster group region zone district department "
    "dept sector branch store shop site plot block batch ward clinic hospital institution inst country county state "
    "city species breed brand sex gender race ethnicity religion color colour season origin occupation status"
)
# Whose a row is, where the name says nothing else; students, or the size of a household, are counted.
UNIT = _set(
    "subject subj patient person participant respondent individual animal pig dog cow rat mouse family household hh "
    "litter firm company station event player user customer client rater judge"
)
# What is never measured, however many different values it has; "iso_num" too.
WRITTEN_CODE = _set("code iso fips zip zipcode postcode plz")
NUMBER = _set("num no nr number numeric")
# Measured in a place: miles per gallon in the city, the tax of a county.
PLACE = _set("region zone district site country county state city")
MEASURE = _set(
    "mpg mph kmh km miles price prices cost costs tax income sales wage wages pct percent share pop population"
)
# What a scale is called, so that whole numbers under it are steps.
SCALE = _set("rating rate score grade level stage rank quality severity satisfaction likert scale")
# Words that make a number of what would else be a part of the calendar: hours per week, number of days.
QUANTITY = _set("per number num n count since total avg mean age delta diff")
# Part of the calendar or the clock: its least and its largest value.
PARTS = {
    "month": (1, 12), "mon": (1, 12), "mnth": (1, 12), "monat": (1, 12), "mois": (1, 12), "day": (1, 366),
    "yday": (0, 366), "weekday": (0, 7), "wday": (0, 7), "dow": (0, 7), "week": (0, 53), "quarter": (1, 4),
    "qtr": (1, 4), "hour": (0, 24), "hr": (0, 24), "minute": (0, 60), "second": (0, 60), "doy": (0, 366),
}  # fmt: skip


def words(name: str) -> list[str]:
    """The words of a name in small letters; none for a name that was made up for a column without one."""
    return [] if _numbered.fullmatch(name) else [_last_part(part.lower()) for part in _part.findall(name)]


def _last_part(word: str) -> str:
    """birthyear is a year, and cowcode a code."""
    return next((last for last in ("year", "month", "code") if word.endswith(last)), word)


def last_word(name: str) -> str:
    found = words(name)
    return found[-1] if found else ""


def is_identifier(name: str) -> bool:
    return last_word(name) in IDENTIFIER or words(name)[:1] in (["row"], ["unnamed"])


def is_code(name: str) -> bool:
    """Whether a name is that of a category, and not of what was measured in one."""
    found = words(name)
    measured = last_word(name) in PLACE and not MEASURE.isdisjoint(found)
    return not (CODE.isdisjoint(found[:1] + found[-1:]) or measured or is_quantity(name))


def is_written_code(name: str) -> bool:
    """Whether a name is that of postal codes and the like, which differ from row to row as measurements do."""
    found = [word for word in words(name) if not word.isdigit()]
    last = found[0] if len(found) == 2 and found[1] in NUMBER else found[-1] if found else ""
    return last in WRITTEN_CODE and MEASURE.isdisjoint(found)


def is_unit(name: str) -> bool:
    """Whether a name says whose a row is, as subject or patient_no."""
    found = words(name)
    return bool(found) and found[0] in UNIT and NUMBER.issuperset(found[1:])


def is_quantity(name: str) -> bool:
    return not QUANTITY.isdisjoint(words(name))
