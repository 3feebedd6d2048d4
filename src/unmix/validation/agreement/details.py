"""What posterior agreement saw of one model, and how much of it is more than chance.

    share = I / C,   C = H(sizes of the clusters) - log2 K! / n         the most bits an object K unnamed clusters carry
    bits beyond chance = C (share - chance) / (1 - chance)

That is C where the samples agree in everything and 0 where no more than chance does, as for the adjusted mutual
information. Whether it is more is asked of what is lost, log(1 - share): no share exceeds 1, and some tables without
groups come near. Tables without groups are treated as the data are, so if these had no groups either, the next of R + 1
numbers from one law would be below

    mean - t spread sqrt(1 + 1/R)

of the R others as rarely as Student's t says: 1 time in 20, all models that are asked about together. Where hardly
anything is shared their law has a longer tail; so bits beyond chance must also be two errors above 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.special import stdtrit

from unmix.validation.criteria.base import Score

N_STANDARD_ERRORS = 2.0  # standard errors above 0 from which bits count
FALSE_ALARMS = 0.05  # how often tables without groups may seem to have some


@dataclass(frozen=True)
class AgreementDetails:
    """What posterior agreement saw of one model.

    Attributes
    ----------
    score : bits per object and their standard error, at T*
    temperature : T*, in units of the cost; inf where no temperature gives any bits
    total : bits of all compared objects together
    temperatures, curve : I(T) in bits per object, the mean over pairs
    ceiling : the most bits per object that clusters of these sizes can carry
    chance_shares : share of the ceiling that each table without groups reached; empty where none was looked at
    chance : bits per object that chance makes, and their spread over tables
    excess : bits per object beyond chance, from 0 (no more than chance) to the ceiling (all samples agree)
    n_asked : models with more than one cluster that were looked at together
    sure : whether there are any: two errors above 0, and more than chance makes in 1 of 20 tables without groups
    """

    score: Score
    temperature: float
    total: float
    temperatures: np.ndarray = field(repr=False)
    curve: np.ndarray = field(repr=False)
    ceiling: float = float("inf")
    chance_shares: np.ndarray = field(default_factory=lambda: np.empty(0), repr=False)
    n_asked: int = 1

    @property
    def chance(self) -> Score:
        if not len(self.chance_shares):
            return Score(0.0, 0.0)
        return Score(float(self.ceiling * self.chance_shares.mean()), float(self.ceiling * _spread(self.chance_shares)))

    @property
    def excess(self) -> Score:
        """C (I - E) / (C - E) and its error, from those of I and of the mean E of chance."""
        if not len(self.chance_shares):
            return self.score
        bits, most, by_chance = min(self.score.value, self.ceiling), self.ceiling, self.chance
        room = most - by_chance.value
        if most <= 0 or room <= 0:
            return Score(0.0, 0.0)
        error_of_chance = by_chance.error / np.sqrt(len(self.chance_shares))
        error = most / room * np.hypot(self.score.error, (most - bits) / room * error_of_chance)
        return Score(float(most * (bits - by_chance.value) / room), float(error))

    @property
    def sure(self) -> bool:
        if not len(self.chance_shares):
            return self.score.value > 0 and self.score.value > N_STANDARD_ERRORS * self.score.error
        if not self.excess.value > max(N_STANDARD_ERRORS * self.excess.error, 0.0):
            return False
        resolution, n = self.score.value / self.total, len(self.chance_shares)  # one object of all
        lost = np.log(1 - np.minimum(self.chance_shares, 1.0) + resolution)
        own = np.log(1 - min(self.score.value / self.ceiling, 1.0) + resolution)
        times = stdtrit(max(n - 1, 1), 1 - FALSE_ALARMS / self.n_asked) * np.sqrt(1 + 1 / n)
        return bool(own < lost.mean() - times * _spread(lost))


def _spread(values: np.ndarray) -> float:
    return float(values.std(ddof=1)) if len(values) > 1 else 0.0
