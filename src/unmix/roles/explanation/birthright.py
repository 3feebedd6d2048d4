"""Birthright access: what nearly everybody has, found before any role, since it says nothing about anybody's work."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.roles.access.access import Access, Name


class Birthright(NamedTuple):
    """A permission nearly everybody has, and how many users with access do not."""

    permission: Name
    holders: int
    without: int


def birthright(access: Access, share: float = 0.95) -> list[Birthright]:
    """Permissions of at least ``share`` of the users who have any access, the most common first.

    Examples
    --------
    >>> from unmix.roles import Access, birthright
    >>> birthright(Access.of_pairs([("ann", "mail"), ("bob", "mail"), ("bob", "vpn")]))
    [Birthright(permission='mail', holders=2, without=0)]
    """
    if not 0 < share <= 1:
        raise ValueError(f"share is {share!r}; give a share of the users above 0 and at most 1.")
    active = int((np.diff(access.matrix.indptr) > 0).sum())
    holders = np.diff(access.transposed.indptr)
    if active < 2:
        return []
    common = [j for j in np.argsort(-holders, kind="stable") if holders[j] >= share * active]
    return [Birthright(access.permissions[j], int(holders[j]), active - int(holders[j])) for j in common]
