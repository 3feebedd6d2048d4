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
from unmix.exploration.structure.judged import Judged
from unmix.validation import Consensus, Selection
from unmix.validation.evidence.reference import Reference
from unmix.validation.fits.refit import in_parallel

_parts, _share = 10, 0.9


@dataclass(frozen=True)
class ConsensusAgain(Consensus):
    """Consensus by the chance valleys of an earlier evaluation."""

    known: tuple[float, ...] = ()

    def _chance(self, models: list[Any], draw: Reference, rng: np.random.Generator) -> np.ndarray:
        return np.array(self.known)


def share_of_same_answer(found: Selection, judged: Judged, best: int, seed: int) -> float:
    """How many of the parts of the judged rows prefer grid point `best` too, between 0 and 1."""
    X = judged.space
    blocks = np.arange(len(X)) if judged.order is None else judged.order.blocks

    def answer(part: int) -> int | None:
        rng = spawn(seed, 8, part)
        table = X[part_of(blocks, rng)]
        models = [fit_again(model, table, int(rng.integers(2**31))) for model in found.estimators]
        if "gap" in found.evaluations:
            return _by_gap(found, models)
        return _by_consensus(found, models, table, rng, judged.order is None)

    return float(np.mean([choice == best for choice in in_parallel(answer, _parts, "parts")]))


def part_of(blocks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Nine tenths of the rows; where they depend on each other, blocks of them stay together or are left out."""
    n_blocks = int(blocks.max()) + 1
    kept = np.zeros(n_blocks, bool)
    kept[rng.choice(n_blocks, max(int(_share * n_blocks), 1), replace=False)] = True
    return np.flatnonzero(kept[blocks])


def _by_consensus(
    found: Selection, models: Sequence[Any], table: np.ndarray, rng: np.random.Generator, independent: bool
) -> int | None:
    known = tuple(found.details["consensus"].chance.tolist())
    return ConsensusAgain(known=known, mixtures_confirm=independent).evaluate_grid(models, table, rng).choice


def _by_gap(found: Selection, models: Sequence[Any]) -> int:
    chance, errors = found.details["gap"]
    return choose_by_gap(chance - log_ratios(models), errors)
