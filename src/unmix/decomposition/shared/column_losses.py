"""Which loss each column of a table gets: as asked for, or by its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from unmix.algorithms.factorization.columns import Sample
from unmix.losses import (
    Absolute,
    Huber,
    KullbackLeibler,
    Logarithm,
    Loss,
    Periodic,
    Poisson,
    Quantile,
    Squared,
    resolve,
)

BY_KIND = {
    "number": "squared",
    "count": "squared",
    "date": "squared",
    "boolean": "logistic",
    "category": "multinomial",
    "ordered": "ordinal",
}
# what serves codes with a normal law, for which losses must be quadratic
QUADRATIC = BY_KIND | {"boolean": "indicators", "category": "indicators", "ordered": "scores"}
OF_NUMBERS = (Squared, Logarithm, Absolute, Huber, Quantile, Poisson, KullbackLeibler, Periodic)
LONG_TAIL = 1.0  # skewness from which the logarithm of a number is looked at
MANY = 10  # distinct numbers, fewer of which have no tail


def losses_of(model: Any, normal: bool, sample: Callable[[], Sample]) -> list[Loss]:
    """One loss a column, each checked against the values of its column; quadratic ones where codes are normal."""
    d, asked = model.n_features_in_, model.loss
    names = [str(name) for name in getattr(model, "feature_names_in_", range(d))]
    kinds = getattr(model, "kinds_", ["number"] * d)
    usual = QUADRATIC if normal else BY_KIND
    chosen = asked_for(asked, names, kinds)
    losses = [
        resolve_for(name, usual[kind] if is_auto(given) else given, asked)
        for name, given, kind in zip(names, chosen, kinds, strict=True)
    ]
    if normal:
        losses = with_logarithms(losses, chosen, kinds, sample)
    for name, loss, kind, j in zip(names, losses, kinds, range(d), strict=True):
        if kind == "category" and isinstance(loss, OF_NUMBERS) and np.nanmax(sample().cells[:, j], initial=0.0) > 1:
            raise ValueError(
                f"column {name!r} holds categories, and the {loss.name} loss would take their places in a list for "
                f"amounts; give 'multinomial' or 'indicators', or, if they have an order, kinds={{{name!r}: 'ordered'}}"
            )
    if all(type(loss) is Squared for loss in losses):
        return losses  # any number will do
    for name, loss, column in zip(names, losses, sample().cells.T, strict=True):
        check_column(name, loss, column)
    return losses


def is_auto(given: Any) -> bool:
    return isinstance(given, str) and given == "auto"


def resolve_for(name: str, given: Any, asked: Any) -> Loss:
    """The loss of a column, whose name a complaint holds where losses were given column by column."""
    try:
        return resolve(given)
    except ValueError as reason:
        if isinstance(asked, str) or not isinstance(asked, Mapping | Sequence):
            raise
        raise ValueError(f"column {name!r}: {reason}") from None


def asked_for(asked: Any, names: list[str], kinds: list[str]) -> list[Any]:
    """What the user says of each column: a loss, its name, or "auto"."""
    if isinstance(asked, Mapping):
        for key in asked:
            if str(key) not in {*names, *BY_KIND}:
                raise ValueError(f"loss names {key!r}, which is neither a column nor a kind ({', '.join(BY_KIND)})")
        given = {str(key): loss for key, loss in asked.items()}  # columns of an array have numbers for names
        return [given.get(name, given.get(kind, "auto")) for name, kind in zip(names, kinds, strict=True)]
    if isinstance(asked, Sequence) and not isinstance(asked, str):
        if len(asked) != len(names):
            raise ValueError(f"loss has {len(asked)} entries, but X has {len(names)} columns; give one a column")
        return list(asked)
    return [asked] * len(names)


def with_logarithms(
    losses: list[Loss], chosen: list[Any], kinds: Sequence[str], sample: Callable[[], Sample]
) -> list[Loss]:
    """Numbers whose long right tail a logarithm shortens are compared by their logarithms, where nothing was asked.

    Not dates, whose zero means nothing.
    """
    own = [
        type(loss) is Squared and is_auto(given) and kind != "date"
        for loss, given, kind in zip(losses, chosen, kinds, strict=True)
    ]
    if not any(own):
        return losses
    return [
        Logarithm() if mine and has_long_tail(column, sample().of(j).weights) else loss
        for j, (loss, mine, column) in enumerate(zip(losses, own, sample().cells.T, strict=True))
    ]


def has_long_tail(column: np.ndarray, weights: np.ndarray) -> bool:
    seen = ~np.isnan(column)
    known, weight = column[seen], weights[seen]
    if not len(known) or known.min() < 0 or len(np.unique(known)) <= MANY:
        return False
    logs = Logarithm().fitted(known[:, None], weight).targets(known[:, None])[:, 0]
    plain = skewness(known, weight)
    return plain > LONG_TAIL and abs(skewness(logs, weight)) < plain


def skewness(values: np.ndarray, weights: np.ndarray) -> float:
    unit = float(np.abs(values).max()) or 1.0
    shares, total = values / unit, float(weights.sum())
    deviations = shares - weights @ shares / total
    spread = float(np.sqrt(weights @ deviations**2 / total))
    return float(weights @ deviations**3 / total / spread**3) if spread > 0 else 0.0


def check_column(name: str, loss: Loss, column: np.ndarray) -> None:
    if np.isnan(column).all():
        raise ValueError(f"column {name!r} has no observed value; drop it")
    reason = loss.problem(column[:, None])
    if reason:
        raise ValueError(f"column {name!r} cannot be measured by the {loss.name} loss: it {reason}")
