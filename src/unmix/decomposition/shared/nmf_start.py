"""Where a non-negative factorization starts: a kind by name, or factors that the user gives, checked."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.utils.validation import check_array

from unmix.algorithms.nonnegative.start import STARTS, Start
from unmix.core.arguments import is_whole

FROM_VECTORS = ("nndsvda", "nndsvd", "nndsvdar")


def chosen_start(init: Any, k: Any, shape: tuple[int, int], W: Any, H: Any) -> str | Start:
    """The kind of start, or the factors given; ``k`` is their number of components, where it is known."""
    known = int(k) if is_whole(k, 1) else None
    if isinstance(init, str) and init == "custom":
        if W is None or H is None:
            raise ValueError("init='custom' needs codes W and components H; give both to fit, or another init")
        components = given_factor("H", H, (known, shape[1]))
        return Start(given_factor("W", W, (shape[0], len(components))), components)
    if W is not None or H is not None:
        warnings.warn(
            f"When init!='custom', provided W or H are ignored: init={init!r}; leave them out, or give init='custom'",
            RuntimeWarning,
            stacklevel=5,
        )
    if init is None or isinstance(init, str):
        return init or STARTS[0]
    return Start(np.empty((0, 0)), given_factor("init", init, (known, shape[1])))


def given_factor(name: str, factor: Any, shape: tuple[int | None, int]) -> np.ndarray:
    """A factor of this shape without negative entries; its first length may be anything where that is None."""
    checked: np.ndarray = check_array(factor, dtype=np.float64, input_name=name)
    for place, got, wanted in zip(("first", "second"), checked.shape, shape):
        if wanted not in (None, got):
            raise ValueError(
                f"Array with wrong {place} dimension passed to NMF (input {name}). Expected {wanted}, but got {got}: W "
                "is (n_samples, n_components), H and init are (n_components, n_features)"
            )
    if (checked < 0).any():
        raise ValueError(f"Negative values in data passed to NMF (input {name}); a start has amounts of 0 or more")
    if not checked.any():
        raise ValueError(f"Array passed to NMF (input {name}) is full of zeros; no rule leads away from there")
    return checked


def check_vectors(init: Any, k: int, shape: tuple[int, int]) -> None:
    """There are no more singular vectors than rows or columns; left to itself, the rest of a start is drawn."""
    if isinstance(init, str) and init in FROM_VECTORS and k > min(shape):
        raise ValueError(
            f"init = '{init}' can only be used when n_components <= min(n_samples, n_features), got {k} components of "
            f"a table of {shape[0]} rows and {shape[1]} columns; use init=None, which draws the others, or 'random'"
        )
