"""The compiled part of agglomerative.py. With f(t) = t log t, the loss of a merger is

    δ(a, b) = Σ_y [f(S_ay) + f(S_by) - f(S_ay + S_by)] - [f(S_a) + f(S_b) - f(S_a + S_b)]

and a feature that only one of the two has contributes nothing.
"""

import math
from typing import Any

import numpy as np

from unmix.core.compiled.kernel import kernel


@kernel
def x_log_x(t: float) -> float:
    return t * math.log(t) if t > 0 else 0.0


@kernel
def merger_loss(sums: Any, totals: Any, a: int, b: int) -> float:
    loss = x_log_x(totals[a] + totals[b]) - x_log_x(totals[a]) - x_log_x(totals[b])
    for y in range(sums.shape[1]):
        s = sums[a, y]
        t = sums[b, y]
        if s > 0 and t > 0:
            loss += x_log_x(s) + x_log_x(t) - x_log_x(s + t)
    return loss


@kernel
def find_partner(sums: Any, totals: Any, alive: Any, a: int, loss: Any, partner: Any) -> None:
    """The best of the groups after ``a``: each pair is looked at from its first member."""
    loss[a] = np.inf
    partner[a] = -1
    for b in range(a + 1, totals.size):
        if alive[b]:
            cost = merger_loss(sums, totals, a, b)
            if cost < loss[a]:
                loss[a] = cost
                partner[a] = b


@kernel
def merge_down(sums: Any, totals: Any, k: int, parent: Any, alive: Any, loss: Any, partner: Any) -> None:
    """Merge until k groups are left; ``sums`` and ``totals`` are used up, ``parent`` says where each group went.

    ``alive`` (m,) comes in as true, ``loss`` and ``partner`` as room.
    """
    m = totals.size
    for i in range(m):
        find_partner(sums, totals, alive, i, loss, partner)
    for _ in range(m - k):
        a: Any = np.int64(0)  # of no literal type, for which the loss would be compiled once more
        for i in range(1, m):
            if loss[i] < loss[a]:
                a = i
        b = partner[a]
        for y in range(sums.shape[1]):
            sums[a, y] += sums[b, y]
        totals[a] += totals[b]
        alive[b] = False
        loss[b] = np.inf
        for i in range(m):
            if parent[i] == b:
                parent[i] = a
        for i in range(b):
            if not alive[i]:
                continue
            if i == a or partner[i] == a or partner[i] == b:
                find_partner(sums, totals, alive, i, loss, partner)
            elif i < a:
                cost = merger_loss(sums, totals, i, a)
                if cost < loss[i]:
                    loss[i] = cost
                    partner[i] = a
