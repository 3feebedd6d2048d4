"""The size of a model, chosen among the rows it may learn from: a larger one has to pay on some that were put aside."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from unmix.validation.bits.scales import Scale, Scales

LEAST_NEAR = 20  # rows that a model is learned from
PATIENCE = 2  # sizes in a row that do not pay, before a path is left


class Lesson(NamedTuple):
    """What a model may learn from: rows to learn sizes on, rows to judge sizes by, and both together.

    `brief` is to try fewer sizes of groups with factors inside.
    """

    scales: Scales
    learn: np.ndarray
    judge: np.ndarray
    known: np.ndarray
    seed: int
    brief: bool = False


class Choice(NamedTuple):
    """A fit of one size on one scale: log-densities of all rows from a model of some, and what it is called."""

    size: tuple[int, ...]  # () is independent columns
    scale: str
    log_density: Callable[[np.ndarray], np.ndarray]
    judged: np.ndarray  # log-densities of the rows that sizes are judged by


Fit = Callable[[Scale, tuple[int, ...], np.ndarray, int], np.ndarray]


def independent(lesson: Lesson) -> Choice:
    return Choice((), "", lambda rows: lesson.scales.independent, lesson.scales.independent[lesson.judge])


def tried(lesson: Lesson, scale: Scale, size: tuple[int, ...], fit: Fit) -> Choice:
    def log_density(rows: np.ndarray) -> np.ndarray:
        # A little of the independent density: no row is impossible for a model, whatever it has seen.
        share, near = 1.0 / (len(rows) + 1), scale.near(rows)
        if len(near) < LEAST_NEAR:
            return lesson.scales.independent
        found = np.nan_to_num(fit(scale, size, near, lesson.seed) + scale.offset, nan=-np.inf, posinf=np.inf)
        return np.logaddexp(np.log1p(-share) + found, np.log(share) + lesson.scales.independent)

    return Choice(size, scale.name, log_density, log_density(lesson.learn)[lesson.judge])


def better(new: Choice, old: Choice) -> bool:
    """Whether the gain on the rows put aside exceeds its standard error."""
    gain = new.judged - old.judged
    return float(gain.mean()) > float(gain.std()) / np.sqrt(len(gain))


def along(lesson: Lesson, scale: Scale, sizes: Iterable[tuple[int, ...]], fit: Fit, first: Choice) -> Choice:
    """The last size of a path that pays; the path is left when two in a row do not."""
    best, idle = first, 0
    for size in sizes:
        found = tried(lesson, scale, size, fit)
        best, idle = (found, 0) if better(found, best) else (best, idle + 1)
        if idle == PATIENCE:
            break
    return best


def best_of(choices: Iterable[Choice]) -> Choice:
    return max(choices, key=lambda choice: float(choice.judged.mean()))
