"""The function of a contrast as the user names it: `fun` and its `fun_args`."""

from __future__ import annotations

from functools import partial
from numbers import Real
from typing import Any

from unmix.algorithms.independent.contrast import CONTRASTS, Contrast, check_derivative
from unmix.core.arguments import one_of


def contrast_of(fun: Any, fun_args: Any, weighted: bool = False) -> Contrast:
    """The contrast that `fun` is or names; a function is handed `fun_args` and its derivative is checked."""
    if fun_args is not None and not isinstance(fun_args, dict):
        raise ValueError(f"fun_args={fun_args!r}: give a dict, such as {{'alpha': 1.5}}, or None")
    if callable(fun):
        own = partial(fun, **fun_args) if fun_args else fun
        means = check_derivative(own)
        if means and weighted:
            raise ValueError(
                f"fun={fun!r} returns the mean of g' over rows, which weights of rows cannot enter; return g' itself, "
                "element by element"
            )
        return Contrast(own)
    one_of("fun", fun, CONTRASTS, "a function of an array that returns (g, g')")
    return Contrast(fun, alpha_of(fun, fun_args or {}))


def alpha_of(fun: str, fun_args: dict[str, Any]) -> float:
    """The slope of "logcosh", the only one with an argument."""
    others = [name for name in fun_args if name != "alpha"]
    if others:
        raise ValueError(f"fun_args={fun_args!r}: fun={fun!r} knows no {others[0]!r}, only 'alpha' (of 'logcosh')")
    alpha = fun_args.get("alpha", 1.0)
    if not isinstance(alpha, Real) or not 1 <= alpha <= 2:
        raise ValueError(f"alpha must be in [1,2], but fun_args={fun_args!r}: give a number from 1 to 2")
    return float(alpha)
