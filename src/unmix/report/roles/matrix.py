"""The access matrix reordered so that roles form blocks, as runs of cells: [column, length, role] in each user's row.

Users and permissions are sorted by the roles they are in, read as binary numbers with the role that explains most first
(rank order clustering). A cell has the first role that gives it, -1 for a grant beside the roles, -2 for one that the
roles would add.

Reference: J. R. King, Machine-component grouping in production flow analysis: an approach using a rank order
clustering algorithm, International Journal of Production Research 18 (1980).
"""

from __future__ import annotations

from typing import Any

import numpy as np

BESIDE, ADDED = -1, -2


def matrix(tree: dict[str, Any]) -> dict[str, Any]:
    """Names of users and permissions in their new order, and the runs of each row."""
    users, permissions, roles = list(tree["assignments"]), tree["permissions"], tree["roles"]
    number = {role["name"]: k for k, role in enumerate(roles)}
    column = {name: j for j, name in enumerate(permissions)}
    ranking = rank_roles(roles)
    held = [[number[name] for name in tree["assignments"][user]] for user in users]
    holds = [[column[name] for name in role["permissions"]] for role in roles]
    row_order = ordered(held, ranking, len(users))
    within: list[list[int]] = [[] for _ in permissions]
    for k, columns in enumerate(holds):
        for j in columns:
            within[j].append(k)
    column_order = ordered(within, ranking, len(permissions))
    place = np.empty(len(permissions), int)
    place[column_order] = np.arange(len(permissions))
    odd = {kind: by_user(tree[kind], column) for kind in ("direct", "lost", "gained")}
    rank = {k: r for r, k in enumerate(ranking)}
    rows = []
    for i in row_order:
        cells = np.full(len(permissions), BESIDE - 2, int)
        for k in sorted(held[i], key=lambda k: -rank[k]):
            cells[place[holds[k]]] = k  # the largest role last: it is on top
        for kind, value in (("direct", BESIDE), ("lost", BESIDE), ("gained", ADDED)):
            cells[place[odd[kind].get(users[i], [])]] = value
        rows.append(runs(cells))
    return {
        "users": [users[i] for i in row_order],
        "permissions": [permissions[j] for j in column_order],
        "rows": rows,
    }


def rank_roles(roles: list[dict[str, Any]]) -> list[int]:
    """Roles that explain most first; those of a single user after all that are shared."""
    return sorted(
        range(len(roles)),
        key=lambda k: (roles[k]["n_users"] < 2, -roles[k]["n_users"] * len(roles[k]["permissions"]), k),
    )


def ordered(membership: list[list[int]], ranking: list[int], n: int) -> list[int]:
    """Things sorted by the roles they are in, the first role of the ranking counting most; those in none last."""
    rank = {k: r for r, k in enumerate(ranking)}
    last = len(ranking)

    def key(i: int) -> tuple[list[int], int]:
        return [*sorted(rank[k] for k in membership[i]), last], i

    return sorted(range(n), key=key)


def by_user(pairs: list[list[str]], column: dict[str, int]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for user, permission in pairs:
        found.setdefault(user, []).append(column[permission])
    return found


def runs(cells: np.ndarray) -> list[list[int]]:
    """Equal neighbours as [column, length, value], empty cells left out.

    >>> runs(np.array([-3, 0, 0, 1, -3, -1]))
    [[1, 2, 0], [3, 1, 1], [5, 1, -1]]
    """
    starts = np.flatnonzero(np.r_[True, cells[1:] != cells[:-1]]) if cells.size else np.array([], int)
    lengths = np.diff(np.r_[starts, cells.size])
    found = zip(starts.tolist(), lengths.tolist(), cells[starts].tolist())
    return [[start, length, value] for start, length, value in found if value >= ADDED]
