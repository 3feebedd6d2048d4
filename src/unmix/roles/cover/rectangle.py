"""All maximal rectangles of ones (formal concepts) of a Boolean matrix, up to a bound.

Close-by-one: extend a rectangle by one column after another, close it, and keep it only if no earlier column came in.

Reference: S. O. Kuznetsov, Learning of simple conceptual graphs from positive and negative examples, PKDD 1999.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.roles.access.bits import Bits, enlarged, structure
from unmix.roles.problem.budget import Budget

WORK = 20_000_000  # word operations between two looks at the time


def maximal_rectangles(matrix: Any, most: int = 100_000, budget: Budget | None = None) -> tuple[Bits, Bits] | None:
    """Users and permissions of every maximal rectangle with at least one of each.

    None if there are more than ``most``, or if the time is over before all are found.

    >>> users, permissions = maximal_rectangles([[1, 1, 0], [0, 1, 1]])
    >>> permissions.dense().astype(int).tolist()
    [[0, 1, 0], [1, 1, 0], [0, 1, 1]]
    """
    from unmix.roles.cover.rectangle_kernel import DONE, ROOM, enumerate_rectangles

    matrix = structure(matrix)
    rows, columns = Bits.of(matrix), Bits.of(matrix.T)
    everyone = Bits.of(np.ones((1, matrix.shape[0]), bool)).words[0]
    stack = [Bits.zeros(matrix.shape[1] + 2, width).words for width in matrix.shape]
    position, progress = np.zeros(matrix.shape[1] + 2, np.int64), np.zeros(2, np.int64)
    users, permissions = (Bits.zeros(min(1024, most), width) for width in matrix.shape)
    steps = max(1, WORK // max(1, rows.words.size))
    while True:
        state = enumerate_rectangles(
            rows.words, columns.words, everyone, matrix.shape[1], *stack, position, progress, users.words,
            permissions.words, steps,
        )  # fmt: skip
        if state == DONE:
            break
        if (state == ROOM and users.shape[0] >= most) or (budget is not None and budget.over):
            return None
        if state == ROOM:
            users, permissions = (enlarged(bits, min(8 * users.shape[0], most)) for bits in (users, permissions))
    count = int(progress[0])
    users, permissions = Bits(users.words[:count], users.width), Bits(permissions.words[:count], permissions.width)
    real = (users.counts() > 0) & (permissions.counts() > 0)
    return Bits(users.words[real], users.width), Bits(permissions.words[real], permissions.width)
