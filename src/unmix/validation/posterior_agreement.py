"""Posterior agreement: how many bits of a clustering two samples of the same objects agree on.

    I(T) = log2 Σ_c p_T(c|X′) p_T(c|X″) / p(c),   p_T(c|X) ∝ exp(-R(c, X) / T)         bits = max over T of I(T)

Cold, the posteriors are sure of themselves and disagree where they fitted noise; hot, they agree on nothing in
particular. T* between the two is as sure as the data allow, and the bits there are what a model, a cost or an algorithm
reliably tells about the objects. A single cluster tells nothing, 0 bits.
Reference: Buhmann, Information theoretic model validation for clustering, ISIT 2010.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from unmix.core.random import spawn
from unmix.inference.agreement import Agreed, agree
from unmix.inference.gibbs_path import Problem, follow, hot
from unmix.validation.base import Evaluation, Score
from unmix.validation.gibbs import problem_of, takes_dissimilarities
from unmix.validation.pairing import Pair, Pairing, SplitObjects
from unmix.validation.reference import uniform_reference
from unmix.validation.refit import canonical_rows, in_parallel, refit, size_of

COLDEST = 1e-3  # the coldest temperature over the hottest
SIGNIFICANT = 3.0  # standard errors that bits must be above 0 to count


@dataclass(frozen=True)
class AgreementDetails:
    """What posterior agreement saw of one model.

    Attributes
    ----------
    score : bits per object and their standard error, at T*
    temperature : T*, in units of the cost; inf where no temperature gives any bits
    temperatures, curve : I(T) in bits per object, the mean over pairs
    total : bits of all compared objects together
    chance : bits per object of tables without groups (0 where the pairing needs no such comparison), and their error
    """

    score: Score
    temperature: float
    temperatures: np.ndarray = field(repr=False)
    curve: np.ndarray = field(repr=False)
    total: float
    chance: Score = Score(0.0, 0.0)

    @property
    def excess(self) -> Score:
        """Bits beyond chance."""
        return Score(self.score.value - self.chance.value, float(np.hypot(self.score.error, self.chance.error)))
