"""The rows that were looked at without their copies: a row that is there three times is one observation."""

from __future__ import annotations

import numpy as np

from unmix.exploration.structure.evaluation_set import Rows
from unmix.validation.dependence.copies import find_copies


def single_rows(looked_at: Rows) -> Rows:
    """The first of equal rows, in the order along which rows depend, if they do."""
    copies = find_copies(looked_at.X)
    if copies is None:
        return looked_at
    first, order = np.sort(copies.first), looked_at.order
    if order is not None:
        units = None if order.units is None else np.unique(order.units[first], return_inverse=True)[1]
        order = order._replace(order=order.order[first], units=units)
    return Rows(looked_at.numbers[first], looked_at.X[first], order)
