"""Compiled sweep that drops every entry which is covered for free whenever another one is."""

from typing import Any

import numpy as np
from numba import njit

from unmix.roles.access.bit_kernel import clear, has, inside, put


@njit(cache=True, nogil=True)
def neighbourhood(u: int, p: int, rows: Any, need: Any, users: Any, span_users: Any, span_permissions: Any) -> int:
    """Rows and columns of the needed entries that fit into one rectangle with (u, p); returns their number of rows."""
    span_users[:] = np.uint64(0)
    span_permissions[:] = np.uint64(0)
    count = 0
    for k in range(users.size):
        v = users[k]
        some = np.uint64(0)
        for w in range(span_permissions.size):
            word = rows[u, w] & need[v, w]
            some |= word
            span_permissions[w] |= word
        if some != np.uint64(0):
            put(span_users, v)
            count += 1
    return count


@njit(cache=True, nogil=True)
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
) -> int:
    """One pass over entries first..last; (v, q) falls to (u, p) if all that fits with (u, p) fits with (v, q) too."""
    span_users = np.zeros(columns.shape[1], np.uint64)
    span_permissions = np.zeros(rows.shape[1], np.uint64)
    free = np.zeros(rows.shape[1], np.uint64)
    dropped = 0
    for e in range(first, last):
        u, p = entry_user[e], entry_permission[e]
        if not has(need[u], p):
            continue
        users = column_rows[column_starts[p] : column_starts[p + 1]]
        neighbourhood(u, p, rows, need, users, span_users, span_permissions)
        free[:] = np.uint64(0)
        for k in range(row_starts[u], row_starts[u + 1]):
            q = row_columns[k]
            if inside(span_users, columns[q]):
                put(free, q)
        for k in range(users.size):
            v = users[k]
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


@njit(cache=True, nogil=True)
def link(
    rows: Any, column_starts: Any, column_rows: Any, need: Any, entry_user: Any, entry_permission: Any, left: Any
) -> Any:
    """Pairs (a, b) of positions in ``left`` that fit together and so belong to one component (spanning links only)."""
    root = np.arange(left.size)
    where_row = np.full(rows.shape[0], -1)
    for a in range(left.size):
        u, p = entry_user[left[a]], entry_permission[left[a]]
        for k in range(column_starts[p], column_starts[p + 1]):
            where_row[column_rows[k]] = a
        for b in range(a):
            v, q = entry_user[left[b]], entry_permission[left[b]]
            if where_row[v] == a and has(rows[u], q):
                i, j = a, b
                while root[i] != i:
                    root[i] = root[root[i]]
                    i = root[i]
                while root[j] != j:
                    root[j] = root[root[j]]
                    j = root[j]
                if i != j:
                    root[max(i, j)] = min(i, j)
    for a in range(left.size):
        i = a
        while root[i] != i:
            i = root[i]
        root[a] = i
    return root
