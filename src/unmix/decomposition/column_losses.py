"""Which loss each column of a table gets: as asked for, or by its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from unmix.losses import Loss, Squared, resolve

BY_KIND = {
    "number": "squared",
    "count": "squared",
    "date": "squared",
    "boolean": "logistic",
    "category": "multinomial",
    "ordered": "ordinal",
}


def losses_of(model: Any, cells: Callable[[], np.ndarray]) -> list[Loss]:
    """One loss a column, each checked against the values of its column."""
    d, asked = model.n_features_in_, model.loss
    names = [str(name) for name in getattr(model, "feature_names_in_", range(d))]
    kinds = getattr(model, "kinds_", ["number"] * d)
    if isinstance(asked, Mapping):
        known = set(names) | set(BY_KIND)
        for key in asked:
            if str(key) not in known:
                raise ValueError(f"loss names {key!r}, which is neither a column nor a kind ({', '.join(BY_KIND)})")
        chosen = [asked.get(name, asked.get(kind, BY_KIND[kind])) for name, kind in zip(names, kinds, strict=True)]
    elif isinstance(asked, Sequence) and not isinstance(asked, str):
        if len(asked) != d:
            raise ValueError(f"loss has {len(asked)} entries, but X has {d} columns; give one a column")
        chosen = list(asked)
    else:
        chosen = [asked] * d
    losses = [resolve(BY_KIND[kind] if given == "auto" else given) for given, kind in zip(chosen, kinds, strict=True)]
    if all(type(loss) is Squared for loss in losses):
        return losses  # any number will do
    for name, loss, column in zip(names, losses, cells().T, strict=True):
        if np.isnan(column).all():
            raise ValueError(f"column {name!r} has no observed value; drop it")
        reason = loss.problem(column[:, None])
        if reason:
            raise ValueError(f"column {name!r} cannot be measured by the {loss.name} loss: it {reason}")
    return losses
