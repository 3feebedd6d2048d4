"""Would another table of the same kind give the same number of clusters?  Ask parts of this one.

confidence = share of random parts (90 % of the rows) whose own count, made with the same yardstick, is the same.
What chance does is not measured again for each part: the yardstick (depth of chance valleys, spread of shuffled
tables) hardly depends on which rows are left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.core.random import spawn
from unmix.exploration.chance import choose_by_gap, log_ratios
from unmix.validation import Selection
from unmix.validation.reference import undo_rounding
from unmix.validation.refit import in_parallel, refit
from unmix.validation.valley import spanning_valleys, valley_depths

_parts, _share = 10, 0.9


def share_of_same_answer(found: Selection, X: np.ndarray, ks: list[int], chosen: int, seed: int) -> float:
    """How many of the parts of X give `chosen` clusters too, between 0 and 1."""

    def answer(part: int) -> int:
        rng = spawn(seed, 8, part)
        table = X[np.sort(rng.choice(len(X), int(_share * len(X)), replace=False))]
        models = [refit(model, table, int(rng.integers(2**31))) for model in found.estimators]
        return _by_gap(found, models, ks) if "gap" in found.evaluations else _by_valleys(found, models, table, rng)

    return float(np.mean([k == chosen for k in in_parallel(answer, _parts, "parts")]))


def _by_valleys(found: Selection, models: list[Any], table: np.ndarray, rng: np.random.Generator) -> int:
    limit, smooth = found.details["separation"].level_depth, undo_rounding(table, rng)
    valleys = [spanning_valleys(valley_depths(smooth, np.asarray(model.labels_))) for model in models]
    return max(1 + int((depths > limit).sum()) for depths in valleys)


def _by_gap(found: Selection, models: list[Any], ks: list[int]) -> int:
    chance, errors = found.details["gap"]
    return ks[choose_by_gap(chance - log_ratios(models), errors)]
