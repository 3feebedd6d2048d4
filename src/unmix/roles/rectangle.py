"""All maximal rectangles of ones (formal concepts) of a Boolean matrix, up to a bound.

Close-by-one: extend a rectangle by one column after another, close it, and keep it only if no earlier column came in.

Reference: S. O. Kuznetsov, Learning of simple conceptual graphs from positive and negative examples, PKDD 1999.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.roles.bits import Bits, structure


def maximal_rectangles(matrix: Any, most: int = 100_000) -> tuple[Bits, Bits] | None:
    """Users and permissions of every maximal rectangle with at least one of each; None if there are more than ``most``.

    >>> users, permissions = maximal_rectangles([[1, 1, 0], [0, 1, 1]])
    >>> permissions.dense().astype(int).tolist()
    [[0, 1, 0], [1, 1, 0], [0, 1, 1]]
    """
    from unmix.roles.rectangle_kernel import enumerate_rectangles

    matrix = structure(matrix)
    rows, columns = Bits.of(matrix), Bits.of(matrix.T)
    everyone = Bits.of(np.ones((1, matrix.shape[0]), bool)).words[0]
    size, count = min(1024, most), -1
    while count < 0:
        users, permissions = Bits.zeros(size, matrix.shape[0]), Bits.zeros(size, matrix.shape[1])
        count = enumerate_rectangles(
            rows.words, columns.words, everyone, matrix.shape[1], users.words, permissions.words
        )
        if count < 0 and size >= most:
            return None
        size = min(8 * size, most)
    users, permissions = Bits(users.words[:count], users.width), Bits(permissions.words[:count], permissions.width)
    real = (users.counts() > 0) & (permissions.counts() > 0)
    return Bits(users.words[real], users.width), Bits(permissions.words[real], permissions.width)
