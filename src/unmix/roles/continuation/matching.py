"""Which role became which: equal sets first, then pairs whose overlap adds up to most (Hungarian method).

The overlap of two roles is Jaccard's share of their permissions, |a ∩ b| / |a ∪ b|; below one half they are two roles.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linear_sum_assignment

from unmix.roles.review.register import SAME_ROLE

HOLDERS_COUNT = 1e-3  # of two equal overlaps that with more common holders is taken


class Match(NamedTuple):
    """A role before, the same role after, and their overlap."""

    old: str
    new: str
    overlap: float


def match_over_time(
    old: Mapping[str, frozenset[str]],
    new: Mapping[str, frozenset[str]],
    old_holders: Mapping[str, frozenset[str]] | None = None,
    new_holders: Mapping[str, frozenset[str]] | None = None,
) -> list[Match]:
    """Pairs of roles that are one role, in the order of the old ones; holders decide between equal overlaps.

    >>> match_over_time({"a": frozenset("xyz"), "b": frozenset("uv")}, {"c": frozenset("xy"), "d": frozenset("w")})
    [Match(old='a', new='c', overlap=0.6666666666666666)]
    """
    a, b = list(old), list(new)
    if not a or not b:
        return []
    shares = overlaps([old[name] for name in a], [new[name] for name in b])
    score = np.where(shares >= SAME_ROLE, shares, 0.0)
    score[shares == 1.0] += len(a) + len(b)  # no sum of partial overlaps outweighs an equal set
    if old_holders is not None and new_holders is not None:
        alike = overlaps([old_holders.get(n, frozenset()) for n in a], [new_holders.get(n, frozenset()) for n in b])
        score += np.where(score > 0, HOLDERS_COUNT * alike, 0.0)
    rows, columns = linear_sum_assignment(-score)
    return [Match(a[i], b[j], float(shares[i, j])) for i, j in zip(rows, columns) if score[i, j] > 0]


def overlaps(old: list[frozenset[str]], new: list[frozenset[str]]) -> np.ndarray:
    """Jaccard's share of every pair of sets; two empty sets share nothing."""
    members = dict.fromkeys(member for sets in (old, new) for one in sets for member in one)
    number = {member: k for k, member in enumerate(members)}
    x, y = (membership(sets, number) for sets in (old, new))
    shared = (x @ y.T).toarray().astype(float)
    union = np.array([len(s) for s in old])[:, None] + np.array([len(s) for s in new])[None, :] - shared
    return shared / np.maximum(union, 1.0)


def membership(sets: Iterable[frozenset[str]], number: dict[str, int]) -> sp.csr_array:
    """Sets as rows of 0 and 1, a column for each member."""
    starts, columns = [0], []
    for one in sets:
        columns += [number[member] for member in one]
        starts.append(len(columns))
    shape = (len(starts) - 1, max(1, len(number)))
    return sp.csr_array((np.ones(len(columns), np.int64), np.array(columns, np.int64), np.array(starts)), shape=shape)
