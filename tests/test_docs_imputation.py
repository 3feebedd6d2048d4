"""What the page on factorization says of holes filled is what the stored run holds."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from benchmarks.imputation.stored import PATH, compared, counts, within

PAGE = (Path(__file__).parents[1] / "docs" / "methods" / "factorization.md").read_text(encoding="utf-8")
RUN = json.loads(PATH.read_text(encoding="utf-8"))
NAMES = {
    "Factorization": "factorization",
    "Gaussian copula (gcimpute)": "copula",
    "chained regressions (IterativeImputer)": "iterative",
    "mean and mode": "mean and mode",
    "nearest neighbours (KNNImputer)": "neighbours",
}


def test_the_table_counts_the_run():
    rows = dict(re.findall(r"^\| ([^|]+) \| (\d+ \| \d+) \|$", PAGE, re.MULTILINE))
    told = {name: [counts(RUN[kind])[key]["all"] for kind in ("in sight", "further")] for name, key in NAMES.items()}
    assert {name: [int(number) for number in rows[name].split(" | ")] for name in NAMES} == told
    tables = [len({case["table"] for case in RUN[kind]}) for kind in ("in sight", "further")]
    first, second = (compared(RUN[kind]) for kind in ("in sight", "further"))
    assert f"| {tables[0]} tables in sight, {first} errors | {tables[1]} others, {second} errors |" in PAGE


@pytest.mark.parametrize(
    ("words", "kind"),
    [("numbers in (\\d+)", "number"), ("truth values in (\\d+)", "boolean"), ("categories in (\\d+)", "category")],
)
def test_kinds_of_columns_are_as_in_the_run(words, kind):
    found = re.search(words + r" of (\d+)", PAGE.replace("\n", " "))
    cases = sum(kind in case["errors"]["factorization"] for case in RUN["further"])
    assert [int(number) for number in found.groups()] == [counts(RUN["further"])["factorization"][kind], cases]


def test_ordered_levels_are_as_in_the_run():
    found = re.search(
        r"lowest in (\d+) and (\d+) of (\d+) cases, and by the distance in levels in (\d+) and (\d+)", PAGE
    )
    each = [counts(RUN["further"])[name] for name in ("copula", "factorization")]
    cases = sum("ordered" in case["errors"]["factorization"] for case in RUN["further"])
    said = [*(one["ordered"] for one in each), cases, *(one["distance"] for one in each)]
    assert [int(number) for number in found.groups()] == said


def test_shares_removed_are_as_in_the_run():
    cases = [case for kind in RUN.values() for case in kind]
    each = {share: [case for case in cases if case["share"] == share] for share in (0.5, 0.3, 0.1)}
    lowest = [counts(some)["factorization"]["all"] for some in each.values()]
    text = PAGE.replace("\n", " ")
    found = re.search(
        r"lowest in (\d+) of (\d+) cases with 50 % removed and in (\d+) of (\d+) with 30 %, "
        r"but in (\d+) of (\d+) with 10 %, where chained regressions are in (\d+)",
        text,
    )
    told = [int(number) for number in found.groups()]
    assert told[0:6:2] == lowest
    assert told[1:6:2] == [compared(some) for some in each.values()]
    assert told[6] == counts(each[0.1])["iterative"]["all"]


def test_intervals_are_as_in_the_run():
    cases = [case for kind in RUN.values() for case in kind]
    text = PAGE.replace("\n", " ")
    held, near, all_of_them = re.search(r"they held (\d+) % .* in (\d+) of (\d+) cases", text).groups()
    assert int(held) == round(100 * np.mean([case["held"] for case in cases]))
    assert (int(near), int(all_of_them)) == (within(cases), len(cases))
