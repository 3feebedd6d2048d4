"""Missing cells in a few sentences: what is missing together, and whether being missing depends on other columns.

Being missing is a column of two levels, and its bits with the others are compared with chance like those of any pair.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.exploration.associations.coding import Coded, Column, join
from unmix.exploration.associations.compare import Compared, compare
from unmix.exploration.associations.pairs import Evidence
from unmix.exploration.associations.words import level_in_words
from unmix.exploration.columns.preparation import Prepared

TOGETHER = 0.9  # of the rows that lack one of two columns lack both
FEWEST_ROWS = 5  # with a gap, and without
MOST_SENTENCES = 5
MOST_NAMES = 4


class Gap(NamedTuple):
    """Names of columns that are missing together, and in which rows."""

    names: list[str]
    missing: np.ndarray


def gaps(
    prepared: Prepared, rows: np.ndarray, coded: Coded, evidence: Evidence | None, rng: np.random.Generator
) -> list[str]:
    """Nothing where nothing is missing; `evidence` None: rows are too few to tell dependence from chance."""
    found = missing_together(prepared, rows)
    dropped = prepared.missing.n_rows_dropped
    said = (
        [f"{_count(dropped, 'row')} {'has' if dropped == 1 else 'have'} no value in any column that was used."]
        if dropped
        else []
    )
    said += [_together(gap, len(rows), len(prepared.X)) for gap in found if len(gap.names) > 1][:2]
    tested = [gap for gap in found if FEWEST_ROWS <= gap.missing.sum() <= len(rows) - FEWEST_ROWS]
    if not tested or evidence is None or not coded.names:
        return said[:MOST_SENTENCES]
    left = join(len(rows), {_named(gap.names): _indicator(gap) for gap in tested})
    said += _often_together(tested, left, evidence, rng)
    asked = np.array([[name not in gap.names for name in coded.names] for gap in tested])
    return [*said, *_depending(tested, left, coded, compare(left, coded, evidence.null, rng, asked))][:MOST_SENTENCES]


def _often_together(tested: list[Gap], left: Coded, evidence: Evidence, rng: np.random.Generator) -> list[str]:
    """The two that go together most, of gaps that are not the same."""
    asked = np.triu(np.ones((len(tested),) * 2, bool), 1)
    found = compare(left, None, evidence.null, rng, asked).beyond_chance() if asked.any() else []
    return [_two(tested[i], tested[j]) for i, j in found[:1]]


def _two(one: Gap, other: Gap) -> str:
    both = int((one.missing & other.missing).sum())
    expected = float(one.missing.mean() * other.missing.mean()) * len(one.missing)
    often = "more" if both > expected else "less"
    return (
        f"Where {_named(one.names)} {_verb(one)} missing, {_named(other.names)} {_verb(other)} so {often} often than "
        f"by chance: in {_count(both, 'row')}, where chance would give {expected:.{0 if expected >= 10 else 1}f}."
    )


def missing_together(prepared: Prepared, rows: np.ndarray) -> list[Gap]:
    """Columns with gaps among the rows; those with nearly the same gaps are one, the most frequent gaps first."""
    found: list[Gap] = []
    for column, kind in zip(prepared.columns, prepared.kinds):
        gone = kind.values.gather(rows).is_null().to_numpy()
        if not gone.any() or gone.all() or column.what.startswith("left out, as asked"):
            continue
        like = next((gap for gap in found if _alike(gap.missing, gone)), None)
        if like is None:
            found.append(Gap([column.name], gone))
        else:
            like.names.append(column.name)
    return sorted(found, key=lambda gap: -int(gap.missing.sum()) * len(gap.names))


def _alike(one: np.ndarray, other: np.ndarray) -> bool:
    return bool((one & other).sum() >= TOGETHER * (one | other).sum())


def _indicator(gap: Gap) -> Column:
    none = np.full(len(gap.missing), np.nan)
    return Column(gap.missing.astype(int), none, none, ["given", "missing"])


def _named(names: list[str]) -> str:
    if len(names) > MOST_NAMES:
        return f"{', '.join(names[:MOST_NAMES])} and {len(names) - MOST_NAMES} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _together(gap: Gap, n: int, whole: int) -> str:
    of = "" if n == whole else f" of the {n:,} that were looked at"
    return f"{_named(gap.names)} are missing together, in {_count(int(gap.missing.sum()), 'row')}{of}."


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}{'s' * (n != 1)}"


def _depending(tested: list[Gap], left: Coded, coded: Coded, found: Compared) -> list[str]:
    """For every gap the column that tells most of it; one sentence where no column tells of any."""
    said = []
    for i, gap in enumerate(tested):
        tells = [j for a, j in found.beyond_chance() if a == i]
        if tells:
            said.append(_where(gap, _verb(gap), coded, tells[0]))
    if said:
        return said
    return [f"Which cells are missing depends on no other column, as far as {len(left.codes):,} rows tell."]


def _verb(gap: Gap) -> str:
    return "is" if len(gap.names) == 1 else "are"


def _where(gap: Gap, verb: str, coded: Coded, j: int) -> str:
    """Where the share of gaps is highest against the other rows: a level, or an end of a number."""
    codes = coded.codes[:, j]
    shares = [float(gap.missing[codes == c].mean()) if (codes == c).any() else 0.0 for c in range(codes.max() + 1)]
    c = int(np.argmax(shares))
    levels = coded.levels[j]
    third = len(shares) / 3
    end = "low" if c < third else "high" if c >= 2 * third else "in the middle"
    inside = codes == c
    rest = float(gap.missing[(codes >= 0) & ~inside].mean())
    place = f"{coded.names[j]} is {level_in_words(levels[c]) if levels else end}"
    return (
        f"{_named(gap.names)} {verb} missing more often where {place}: {_percent(shares[c])} against {_percent(rest)}."
    )


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share == 0 or share >= 0.01 else "< 1 %"
