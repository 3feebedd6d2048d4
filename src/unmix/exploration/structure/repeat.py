"""Would another table of the same kind give the same number of clusters?  Ask parts of this one.

Each of ten random parts (90 % of the rows) is counted by the same yardstick. The share of parts that give a number
again is its repeatability, and the votes of the criteria on the parts show what else the number might be.
What chance does is not measured again for each part: the yardstick (depth of chance valleys, spread of shuffled
tables) hardly depends on which rows are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from unmix.core.beside import shared
from unmix.core.execution import current_execution
from unmix.core.random import spawn
from unmix.exploration.structure.chance import fit_again, log_ratios
from unmix.exploration.structure.evaluation_set import EvaluationSet
from unmix.validation import Consensus, Selection
from unmix.validation.evidence.far_rows import far_rows
from unmix.validation.evidence.references.reference import Reference
from unmix.validation.fits.refit import in_parallel
from unmix.validation.selection.probability import Answer

_parts, _share = 10, 0.9


@dataclass(frozen=True)
class ConsensusAgain(Consensus):
    """Consensus by the chance valleys of an earlier evaluation."""

    known: tuple[float, ...] = ()

    def _chance(self, models: list[Any], draw: Reference, rng: np.random.Generator) -> np.ndarray:
        return np.array(self.known)


class Asked(NamedTuple):
    """What is asked of each part: rows, their blocks, the near ones, the models, and how the table itself was judged.

    `known` are the chance valleys of the consensus, `gap` the yardstick where there was none.
    """

    X: np.ndarray
    blocks: np.ndarray
    near: np.ndarray
    models: list[Any]
    sizes: list[int | None]
    known: tuple[float, ...]
    gap: Any
    independent: bool
    seed: int


def answers_of_parts(found: Selection, evaluated: EvaluationSet, seed: int) -> list[Answer]:
    """What each of the parts of the judged rows says."""
    X = evaluated.space
    blocks = np.arange(len(X)) if evaluated.order is None else evaluated.order.blocks
    near = ~far_rows(X)  # as in the count of the whole table, which sets far rows aside
    gap = found.details["gap"] if "gap" in found.evaluations else None
    known = () if gap is not None else tuple(found.details["consensus"].chance.tolist())
    models, sizes = list(found.estimators), list(found.sizes)
    asked = Asked(X, blocks, near, models, sizes, known, gap, evaluated.order is None, seed)
    if current_execution().n_threads > 1:
        return in_parallel(partial(_answer, asked), _parts, "parts")
    return shared(partial(_apart, asked), range(_parts))


def _apart(asked: Asked, part: int) -> Answer:
    answer: Answer = in_parallel(lambda _: _answer(asked, part), 1, "parts")[0]
    return answer


def _answer(asked: Asked, part: int) -> Answer:
    rng = spawn(asked.seed, 8, part)
    rows = part_of(asked.blocks, rng)
    table = asked.X[rows[asked.near[rows]]]
    models = [fit_again(model, table, int(rng.integers(2**31))) for model in asked.models]
    if asked.gap is not None:
        return Answer(asked.sizes[int(asked.gap.choose(log_ratios(models)))] or 1)
    criterion = ConsensusAgain(known=asked.known, mixtures_confirm=asked.independent)
    seen = criterion.evaluate_grid(models, table, rng).details
    return Answer(seen.n_clusters, tuple(seen.votes.values()))


def part_of(blocks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Nine tenths of the rows; where they depend on each other, blocks of them stay together or are left out."""
    n_blocks = int(blocks.max()) + 1
    kept = np.zeros(n_blocks, bool)
    kept[rng.choice(n_blocks, max(int(_share * n_blocks), 1), replace=False)] = True
    return np.flatnonzero(kept[blocks])
