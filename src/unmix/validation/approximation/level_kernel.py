"""Moves of single objects that never lift a cost above a limit: a uniform walk over an approximation set.

Proposals are symmetric and either accepted or not by the limit alone, so every labelling below it is equally likely.
"""

from typing import Any

import numpy as np

from unmix.core.compiled.kernel import kernel
from unmix.costs.moves import move_costs
from unmix.inference.local.sweeps import relocate


@kernel
def walk_below(
    first: Any, second: Any, labels: Any, other: Any, order: Any, proposed: Any, k: int, value: Any, limit: Any
) -> None:
    """One proposed label for every object of `order`; an infinite limit leaves the second cost out.

    `value` (one entry a cost) and both labellings (`other` is a copy for the second state) are changed in place.
    """
    share, h, both = np.zeros(k), np.empty(k), limit[1] < np.inf
    for step in range(order.size):
        i, new = order[step], proposed[step]
        own = labels[i]
        if new == own:
            continue
        share[own] = 1.0
        move_costs(first, i, share, h)
        rise = h[new] - h[own]
        allowed, rise_second = value[0] + rise <= limit[0], 0.0
        if allowed and both:
            move_costs(second, i, share, h)
            rise_second = h[new] - h[own]
            allowed = value[1] + rise_second <= limit[1]
        share[own] = 0.0
        if allowed:
            value[0] += rise
            relocate(first, labels, i, new)
            if both:
                value[1] += rise_second
                relocate(second, other, i, new)
