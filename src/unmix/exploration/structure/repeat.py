"""Would another table of the same kind give the same number of clusters?  Ask parts of this one.

confidence = share of random parts (90 % of the rows) whose own count, made with the same yardstick, is the same.
What chance does is not measured again for each part: the yardstick (depth of chance valleys, spread of shuffled
tables) hardly depends on which rows are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unmix.core.random import spawn
from unmix.exploration.structure.chance import choose_by_gap, fit_again, log_ratios
from unmix.validation import Consensus, Selection
from unmix.validation.fits.refit import in_parallel

_parts, _share = 10, 0.9


@dataclass(frozen=True)
class ConsensusAgain(Consensus):
    """Consensus by the chance valleys of an earlier evaluation."""

    known: tuple[float, ...] = ()

    def _chance(self, models: list[Any], X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return np.array(self.known)


def share_of_same_answer(found: Selection, X: np.ndarray, best: int, seed: int) -> float:
    """How many of the parts of X prefer grid point `best` too, between 0 and 1."""

    def answer(part: int) -> int | None:
        rng = spawn(seed, 8, part)
        table = X[np.sort(rng.choice(len(X), int(_share * len(X)), replace=False))]
        models = [fit_again(model, table, int(rng.integers(2**31))) for model in found.estimators]
        return _by_gap(found, models) if "gap" in found.evaluations else _by_consensus(found, models, table, rng)

    return float(np.mean([choice == best for choice in in_parallel(answer, _parts, "parts")]))


def _by_consensus(found: Selection, models: Sequence[Any], table: np.ndarray, rng: np.random.Generator) -> int | None:
    known = tuple(found.details["consensus"].chance.tolist())
    return ConsensusAgain(known=known).evaluate_grid(models, table, rng).choice


def _by_gap(found: Selection, models: Sequence[Any]) -> int:
    chance, errors = found.details["gap"]
    return choose_by_gap(chance - log_ratios(models), errors)
