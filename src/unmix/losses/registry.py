"""The losses by name."""

from __future__ import annotations

from typing import Any

from unmix.losses.absolute import Absolute
from unmix.losses.base import Loss
from unmix.losses.huber import Huber
from unmix.losses.indicators import Indicators
from unmix.losses.kullback_leibler import KullbackLeibler
from unmix.losses.logarithm import Logarithm
from unmix.losses.logistic import Logistic
from unmix.losses.multinomial import Multinomial
from unmix.losses.ordinal import Ordinal
from unmix.losses.periodic import Periodic
from unmix.losses.poisson import Poisson
from unmix.losses.quantile import Quantile
from unmix.losses.scores import Scores
from unmix.losses.squared import Squared

LOSSES: dict[str, type[Loss]] = {
    "squared": Squared,
    "logarithm": Logarithm,
    "absolute": Absolute,
    "huber": Huber,
    "quantile": Quantile,
    "poisson": Poisson,
    "kullback-leibler": KullbackLeibler,
    "logistic": Logistic,
    "multinomial": Multinomial,
    "indicators": Indicators,
    "ordinal": Ordinal,
    "scores": Scores,
    "periodic": Periodic,
}


def resolve(loss: Any) -> Loss:
    """The loss of this name with its usual parameters, or the loss that was given.

    Parameters
    ----------
    loss : str or Loss
        One of the names in `LOSSES`, or a loss of your own.

    Returns
    -------
    Loss

    Examples
    --------
    >>> resolve("huber")
    Huber(threshold=1.35)
    """
    if isinstance(loss, Loss):
        return loss
    if isinstance(loss, str) and loss in LOSSES:
        return LOSSES[loss]()
    if isinstance(loss, type) and issubclass(loss, Loss):
        raise ValueError(f"loss={loss.__name__} is a class; give a loss, made with ()")
    names = ", ".join(map(repr, LOSSES))
    raise ValueError(f"loss={loss!r} is not known; give one of {names}, or a Loss of your own")
