"""Would another table of the same kind give the same number of clusters?  Ask parts of this one.

Each of ten random parts (90 % of the rows) is counted by the same yardstick. The share of parts that give a number
again is its repeatability, and the votes of the criteria on the parts show what else the number might be.
What chance does is not measured again for each part: the yardstick (depth of chance valleys, spread of shuffled
tables) hardly depends on which rows are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unmix.core.random import spawn
from unmix.exploration.structure.chance import fit_again, log_ratios
from unmix.exploration.structure.judged import Judged
from unmix.validation import Consensus, Selection
from unmix.validation.evidence.far_rows import far_rows
from unmix.validation.evidence.reference import Reference
from unmix.validation.fits.refit import in_parallel
from unmix.validation.selection.probability import Answer

_parts, _share = 10, 0.9


@dataclass(frozen=True)
class ConsensusAgain(Consensus):
    """Consensus by the chance valleys of an earlier evaluation."""

    known: tuple[float, ...] = ()

    def _chance(self, models: list[Any], draw: Reference, rng: np.random.Generator) -> np.ndarray:
        return np.array(self.known)


def answers_of_parts(found: Selection, judged: Judged, seed: int) -> list[Answer]:
    """What each of the parts of the judged rows says."""
    X = judged.space
    blocks = np.arange(len(X)) if judged.order is None else judged.order.blocks
    near = ~far_rows(X)  # as in the count of the whole table, which sets far rows aside

    def answer(part: int) -> Answer:
        rng = spawn(seed, 8, part)
        rows = part_of(blocks, rng)
        table = X[rows[near[rows]]]
        models = [fit_again(model, table, int(rng.integers(2**31))) for model in found.estimators]
        if "gap" in found.evaluations:
            return Answer(found.sizes[_by_gap(found, models)] or 1)
        return _by_consensus(found, models, table, rng, judged.order is None)

    return in_parallel(answer, _parts, "parts")


def part_of(blocks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Nine tenths of the rows; where they depend on each other, blocks of them stay together or are left out."""
    n_blocks = int(blocks.max()) + 1
    kept = np.zeros(n_blocks, bool)
    kept[rng.choice(n_blocks, max(int(_share * n_blocks), 1), replace=False)] = True
    return np.flatnonzero(kept[blocks])


def _by_consensus(
    found: Selection, models: Sequence[Any], table: np.ndarray, rng: np.random.Generator, independent: bool
) -> Answer:
    known = tuple(found.details["consensus"].chance.tolist())
    seen = ConsensusAgain(known=known, mixtures_confirm=independent).evaluate_grid(models, table, rng).details
    return Answer(seen.n_clusters, tuple(seen.votes.values()))


def _by_gap(found: Selection, models: Sequence[Any]) -> int:
    return int(found.details["gap"].choose(log_ratios(models)))
