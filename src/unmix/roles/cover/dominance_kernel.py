"""Compiled sweep that drops every entry which is covered for free whenever another one is."""

from typing import Any

import numpy as np

from unmix.core.compiled.kernel import kernel
from unmix.roles.access.bit_kernel import clear, has, inside, put


@kernel
def neighbourhood(
    u: int, rows: Any, need: Any, column_rows: Any, begin: int, end: int, span_users: Any, span_permissions: Any
) -> None:
    """Rows and columns of needed entries that fit into one rectangle with one of u that column_rows[begin:end] hold."""
    for w in range(span_users.size):
        span_users[w] = np.uint64(0)
    for w in range(span_permissions.size):
        span_permissions[w] = np.uint64(0)
    for k in range(begin, end):
        v = column_rows[k]
        some = np.uint64(0)
        for w in range(span_permissions.size):
            word = rows[u, w] & need[v, w]
            some |= word
            span_permissions[w] |= word
        if some != np.uint64(0):
            put(span_users, v)


@kernel
def sweep(
    rows: Any,
    columns: Any,
    row_starts: Any,
    row_columns: Any,
    column_starts: Any,
    column_rows: Any,
    need: Any,
    entry_user: Any,
    entry_permission: Any,
    entry_number: Any,
    parent: Any,
    first: int,
    last: int,
    span_users: Any,
    span_permissions: Any,
    free: Any,
) -> int:
    """One pass over entries first..last; (v, q) falls to (u, p) if all that fits with (u, p) fits with (v, q) too.

    The last three are room for bits: of users, of permissions, and of permissions again.
    """
    dropped = 0
    for e in range(first, last):
        u = entry_user[e]
        p = entry_permission[e]
        if not has(need[u], p):
            continue
        begin = column_starts[p]
        end = column_starts[p + 1]
        neighbourhood(u, rows, need, column_rows, begin, end, span_users, span_permissions)
        for w in range(free.size):
            free[w] = np.uint64(0)
        for k in range(row_starts[u], row_starts[u + 1]):
            q = row_columns[k]
            if inside(span_users, columns[q]):
                put(free, q)
        for k in range(begin, end):
            v = column_rows[k]
            some = np.uint64(0)
            for w in range(free.size):
                some |= free[w] & need[v, w]
            if some == np.uint64(0) or not inside(span_permissions, rows[v]):
                continue
            for j in range(row_starts[v], row_starts[v + 1]):
                q = row_columns[j]
                if has(free, q) and has(need[v], q) and not (v == u and q == p):
                    clear(need[v], q)
                    parent[entry_number[j]] = e
                    dropped += 1
    return dropped


@kernel
def link(
    rows: Any,
    column_starts: Any,
    column_rows: Any,
    entry_user: Any,
    entry_permission: Any,
    left: Any,
    root: Any,
    where_row: Any,
) -> None:
    """root[a] <- the first position in ``left`` of the component of a: entries that fit together, and what fits those.

    ``root`` comes in as 0, 1, 2, …, and ``where_row`` (users,) as -1.
    """
    for a in range(left.size):
        u = entry_user[left[a]]
        p = entry_permission[left[a]]
        for k in range(column_starts[p], column_starts[p + 1]):
            where_row[column_rows[k]] = a
        for b in range(a):
            v = entry_user[left[b]]
            q = entry_permission[left[b]]
            if where_row[v] == a and has(rows[u], q):
                i = a
                j = b
                while root[i] != i:
                    root[i] = root[root[i]]
                    i = root[i]
                while root[j] != j:
                    root[j] = root[root[j]]
                    j = root[j]
                if i > j:
                    root[i] = j
                else:
                    root[j] = i
    for a in range(left.size):
        i = a
        while root[i] != i:
            i = root[i]
        root[a] = i
